
/* Viewer */

function decoded(sha, type) {
  const held = sha && document.getElementById(`d-${sha}`);
  if (!held || !type) return null;
  const bytes = Uint8Array.from(atob(held.textContent), (char) => char.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type }));
}

function release() {
  if (address) URL.revokeObjectURL(address);
  address = null;
}

function say(words) {
  const trouble = one(".trouble", viewer);
  trouble.textContent = words;
  trouble.hidden = !words;
}

function show(tile) {
  current = tile;
  const about = JSON.parse(one("script", tile).textContent);
  const small = one("img", tile);
  one("#viewer-title").textContent = one(".where", tile).textContent;
  const at = shown.indexOf(tile);
  one(".position", viewer).textContent = at < 0 ? "not among those shown" : `${number.format(at + 1)} of ${number.format(shown.length)}`;
  one(".back", viewer).disabled = at <= 0;
  one(".next", viewer).disabled = at === shown.length - 1;
  picture(tile, about, small);
  texts(one(".before", viewer), "Before it", about.before);
  texts(one(".after", viewer), "After it", about.after);
  findings(about.findings);
  facts(about.facts);
  same(tile);
  one("aside", viewer).scrollTop = 0;
}

function picture(tile, about, small) {
  release();
  address = decoded(tile.dataset.sha, about.mime);
  image.hidden = !address && !small;
  image.alt = small ? small.alt : one(".broken", tile).getAttribute("aria-label");
  image.classList.toggle("small", !address);
  if (!image.hidden) image.src = address ?? small.src;
  if (address) say("");
  else say(about.trouble || (small ? "This page holds only the small picture." : ""));
}

image.addEventListener("error", () => {
  if (!current || image.hidden) return;
  image.hidden = true;
  say(JSON.parse(one("script", current).textContent).trouble || "This browser cannot show it.");
});

function texts(place, title, said) {
  place.replaceChildren();
  if (!said.length) return;
  place.append(make("h3", title));
  for (const { who, text } of said) {
    const quote = make("blockquote");
    quote.append(make("cite", who), make("pre", text));
    place.append(quote);
  }
}

function findings(found) {
  const place = one(".found", viewer);
  place.replaceChildren();
  if (found.length) place.append(make("h3", "Findings"));
  for (const finding of found) {
    const entry = make("div", "", `finding ${finding.tone}`);
    entry.append(make("b", finding.fault), make("span", ` ${finding.severity}`), make("p", finding.cause), make("p", finding.cure, "cure"));
    place.append(entry);
  }
}

function facts(told) {
  const list = one("dl", viewer);
  list.replaceChildren();
  for (const [name, words] of told) list.append(make("dt", name), make("dd", words));
}

function same(tile) {
  const place = one(".same", viewer);
  place.replaceChildren();
  const others = (places.get(tile.dataset.sha) ?? []).filter((other) => other !== tile);
  if (!others.length) return;
  place.append(make("h3", "The same picture elsewhere"));
  const list = make("ul");
  for (const other of others.slice(0, 50)) {
    const session = other.closest(".session");
    const elsewhere = session === tile.closest(".session") ? "" : ` · ${one("h2", session).textContent}`;
    const button = make("button", one(".where", other).textContent + elsewhere);
    button.type = "button";
    button.addEventListener("click", () => {
      if (other.hidden) reset();
      go(other);
    });
    const entry = make("li");
    entry.append(button);
    list.append(entry);
  }
  if (others.length > 50) list.append(make("li", `and ${number.format(others.length - 50)} more`));
  place.append(list);
}

function open(tile) {
  show(tile);
  if (!viewer.open) viewer.showModal();
}

function go(tile) {
  show(tile);
  remember({ image: tile.id });
}

function step(distance) {
  const at = shown.indexOf(current) + distance;
  const tile = shown[Math.max(0, Math.min(shown.length - 1, at))];
  if (tile && tile !== current) go(tile);
}

function zoom() {
  const button = one(".zoom", viewer);
  const wanted = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", wanted);
  one(".stage", viewer).classList.toggle("whole", wanted);
}

viewer.addEventListener("close", () => {
  release();
  image.removeAttribute("src");
  if (state().has("image")) history.state?.opened ? history.back() : remember({ image: "" });
  current.scrollIntoView({ block: "nearest" });
  one(".open", current).focus({ preventScroll: true });
});

viewer.addEventListener("click", (event) => {
  if (event.target === viewer) viewer.close();
});

one(".close", viewer).addEventListener("click", () => viewer.close());
one(".back", viewer).addEventListener("click", () => step(-1));
one(".next", viewer).addEventListener("click", () => step(1));
one(".zoom", viewer).addEventListener("click", zoom);

viewer.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const scrolls = one(".stage", viewer).classList.contains("whole") && event.target === one(".stage", viewer);
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  if (event.key in steps && !scrolls) {
    event.preventDefault();
    step(steps[event.key]);
  } else if (event.key === "z") {
    zoom();
  }
});

window.addEventListener("hashchange", recall);
window.addEventListener("popstate", recall);
one("main").prepend(...all(".failures"));
prepare();
recall();

"use strict";

/* All that others wrote comes into the page as text: textContent and attributes, never markup. */

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function make(tag, words, style) {
  const element = document.createElement(tag);
  if (words) element.textContent = words;
  if (style) element.className = style;
  return element;
}

const tiles = all(".tile");
const filters = one(".filters");
const viewer = one(".viewer");
const status = one("output", filters);
const image = one(".stage img", viewer);
let shown = tiles;
let current = null;
let address = null;

/* State: what is shown stands in the address of the page, so that it can be kept and sent. */

const state = () => new URLSearchParams(location.hash.slice(1));

function remember(changes) {
  const next = state();
  for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
  const hash = next.toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

/* Filters */

const faultsOf = (tile) => tile.dataset.faults.split(" ").filter(Boolean);

function fits(tile, fault, seen, repeats) {
  const faults = faultsOf(tile);
  if (fault === "any" ? !faults.length : fault === "none" ? faults.length : fault && !faults.includes(fault)) return false;
  if (repeats === "only") return (counts.get(tile.dataset.sha) ?? 1) > 1;
  if (repeats !== "once" || !tile.dataset.sha) return true;
  if (seen.has(tile.dataset.sha)) return false;
  seen.add(tile.dataset.sha);
  return true;
}

function filter() {
  const fault = filters.elements.fault.value;
  const repeats = filters.elements.repeats.value;
  const seen = new Set();
  shown = [];
  for (const tile of tiles) {
    const fitting = fits(tile, fault, seen, repeats);
    tile.hidden = !fitting;
    if (fitting) shown.push(tile);
  }
  for (const section of all(".session")) section.classList.toggle("empty", !one(".tile:not([hidden])", section));
  status.textContent = `${shown.length} of ${tiles.length} ${tiles.length === 1 ? "image" : "images"}`;
}

function choose(select, value) {
  select.value = [...select.options].some((option) => option.value === value) ? value : "";
}

function offer(select, value, words) {
  const option = make("option", words);
  option.value = value;
  select.append(option);
}

const counts = new Map();
const places = new Map();

function prepare() {
  const faults = new Map();
  for (const tile of tiles) {
    for (const fault of faultsOf(tile)) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    const sha = tile.dataset.sha;
    if (!sha) continue;
    counts.set(sha, (counts.get(sha) ?? 0) + 1);
    places.has(sha) ? places.get(sha).push(tile) : places.set(sha, [tile]);
  }
  for (const fault of [...faults.keys()].sort()) offer(filters.elements.fault, fault, `${fault} (${faults.get(fault)})`);
  const sections = all(".session");
  for (const section of sections) offer(filters.elements.jump, section.id, one("h2", section).textContent);
  one(".jump", filters).hidden = sections.length < 2;
  filters.hidden = false;
}

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
  one(".position", viewer).textContent = at < 0 ? "not among those shown" : `${at + 1} of ${shown.length}`;
  one(".back", viewer).disabled = at <= 0;
  one(".next", viewer).disabled = at === shown.length - 1;
  picture(tile, about, small);
  texts(one(".before", viewer), "Before it", about.before);
  texts(one(".after", viewer), "After it", about.after);
  findings(about.findings);
  facts(about.facts);
  same(tile);
  one("aside", viewer).scrollTop = 0;
  remember({ image: tile.id });
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
      show(other);
    });
    const entry = make("li");
    entry.append(button);
    list.append(entry);
  }
  if (others.length > 50) list.append(make("li", `and ${others.length - 50} more`));
  place.append(list);
}

function open(tile) {
  show(tile);
  if (!viewer.open) viewer.showModal();
}

function step(distance) {
  const at = shown.indexOf(current) + distance;
  const tile = shown[Math.max(0, Math.min(shown.length - 1, at))];
  if (tile && tile !== current) show(tile);
}

function zoom() {
  const button = one(".zoom", viewer);
  const wanted = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", wanted);
  one(".stage", viewer).classList.toggle("whole", wanted);
}

function reset() {
  filters.elements.fault.value = "";
  filters.elements.repeats.value = "";
  filter();
  remember({ fault: "", repeats: "" });
}

viewer.addEventListener("close", () => {
  release();
  image.removeAttribute("src");
  remember({ image: "" });
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

one("main").addEventListener("click", (event) => {
  const button = event.target.closest(".open");
  if (button) open(button.closest(".tile"));
});

one("main").addEventListener("keydown", (event) => {
  const button = event.target.closest(".open");
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (!button || !(event.key in steps)) return;
  const next = shown[shown.indexOf(button.closest(".tile")) + steps[event.key]];
  if (!next) return;
  event.preventDefault();
  one(".open", next).focus();
});

filters.addEventListener("change", (event) => {
  if (event.target.name === "jump") {
    document.getElementById(event.target.value)?.scrollIntoView();
    event.target.value = "";
    return;
  }
  filter();
  remember({ fault: filters.elements.fault.value, repeats: filters.elements.repeats.value });
});

filters.addEventListener("reset", (event) => {
  event.preventDefault();
  reset();
});

function recall() {
  const wanted = state();
  choose(filters.elements.fault, wanted.get("fault"));
  choose(filters.elements.repeats, wanted.get("repeats"));
  filter();
  const tile = wanted.get("image") && document.getElementById(wanted.get("image"));
  if (tile?.matches(".tile")) open(tile);
}

window.addEventListener("hashchange", recall);
prepare();
recall();

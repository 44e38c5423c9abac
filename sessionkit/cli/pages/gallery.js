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

function remember(changes, entry = "replaceState") {
  const next = state();
  for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
  const hash = next.toString();
  history[entry](entry === "pushState" ? { opened: true } : history.state, "", hash ? `#${hash}` : location.pathname + location.search);
}

/* Filters */

const number = new Intl.NumberFormat("en-US");
const faultsOf = (tile) => tile.dataset.faults.split(" ").filter(Boolean);

const ways = {
  any: (tile, faults) => faults.length > 0,
  none: (tile, faults) => !faults.length,
  unseen: (tile) => "unseen" in tile.dataset,
};

function fits(tile, fault, seen, repeats) {
  const faults = faultsOf(tile);
  if (!(ways[fault]?.(tile, faults) ?? (!fault || faults.includes(fault)))) return false;
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
  const counted = `${number.format(shown.length)} of ${number.format(tiles.length)}`;
  status.textContent = shown.length || !tiles.length ? `${counted} shown` : `no image matches: ${counted}`;
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
  for (const fault of [...faults.keys()].sort()) offer(filters.elements.fault, fault, `${fault} (${number.format(faults.get(fault))})`);
  const sections = all(".session");
  for (const section of sections) offer(filters.elements.jump, section.id, one("h2", section).textContent);
  one(".jump", filters).hidden = sections.length < 2;
  filters.hidden = false;
}

function reset() {
  filters.elements.fault.value = "";
  filters.elements.repeats.value = "";
  filter();
  remember({ fault: "", repeats: "" });
}

one("main").addEventListener("click", (event) => {
  const button = event.target.closest(".open");
  if (!button) return;
  const tile = button.closest(".tile");
  remember({ image: tile.id }, "pushState");
  open(tile);
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

/* What lies in between is laid out only when it comes near, and pushes the session away: go there again. */
function jump(session, times = 8) {
  if (!session || !times) return;
  const bar = getComputedStyle(filters).position === "sticky" ? filters.offsetHeight : 0;
  document.documentElement.style.setProperty("--bar", `${bar}px`);
  session.scrollIntoView();
  requestAnimationFrame(() => requestAnimationFrame(() => jump(session, times - 1)));
}

filters.addEventListener("change", (event) => {
  if (event.target.name === "jump") {
    jump(document.getElementById(event.target.value));
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
  const tile = document.getElementById(wanted.get("image") ?? "");
  if (tile?.matches(".tile")) {
    if (tile !== current || !viewer.open) open(tile);
  } else if (viewer.open) {
    viewer.close();
  }
}

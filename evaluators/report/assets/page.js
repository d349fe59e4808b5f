// The items: picked, listed and shown. Whatever comes from a record reaches the page as text and as nothing else.
(() => {
"use strict";
const $ = (id) => document.getElementById(id);
const PAGE = 50;

// ---- making elements ------------------------------------------------------------------------------------------------
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

function named(char) { return "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0"); }

function plain(text) { return String(text).replace(UNSEEN, (char) => "⟨" + named(char) + "⟩"); }

// Text with the characters that cannot be seen, or that turn the direction of what follows, shown by their numbers.
function put(parent, text) {
  let at = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > at) parent.append(text.slice(at, found.index));
    const shown = document.createElement("span");
    shown.className = "ctl";
    shown.textContent = named(found[0]);
    parent.append(shown);
    at = found.index + found[0].length;
  }
  if (at < text.length) parent.append(text.slice(at));
  return parent;
}

function make(name, className, ...content) {
  const element = document.createElement(name);
  if (className) element.className = className;
  for (const part of content) {
    if (typeof part === "string") put(element, part);
    else if (part) element.append(part);
  }
  return element;
}

// ---- loading --------------------------------------------------------------------------------------------------------
const waiting = new Map(), kept = new Map();

Object.defineProperty(window, "kgprobe", { value: (name, data) => { const done = waiting.get(name); if (done) done(data); } });

function load(name) {
  if (kept.has(name)) return kept.get(name);
  const promise = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    waiting.set(name, (data) => { waiting.delete(name); script.remove(); resolve(data); });
    script.onerror = () => { kept.delete(name); script.remove(); reject(new Error("data/" + name + ".js is missing; the page must stand beside its folder data/")); };
    script.src = "data/" + name + ".js";
    document.head.append(script);
  });
  kept.set(name, promise);
  if (kept.size > 400) kept.delete(kept.keys().next().value);
  return promise;
}

// ---- theme ----------------------------------------------------------------------------------------------------------
const THEMES = ["automatic", "light", "dark"];
let theme = "automatic";
try { theme = localStorage.getItem("kgprobe-theme") || theme; } catch { /* a page from a disk may have no storage */ }

function showTheme() {
  if (!THEMES.includes(theme)) theme = "automatic";
  if (theme === "automatic") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = theme;
  $("theme").textContent = "Theme: " + theme;
}
$("theme").hidden = false;
$("theme").addEventListener("click", () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  try { localStorage.setItem("kgprobe-theme", theme); } catch { /* see above */ }
  showTheme();
});
showTheme();

// Paper shows what is folded away.
let folded = [];
addEventListener("beforeprint", () => { folded = [...document.querySelectorAll("details.table:not([open]), details.formulas:not([open])")]; folded.forEach((d) => { d.open = true; }); });
addEventListener("afterprint", () => { folded.forEach((d) => { d.open = false; }); });

// A link into something folded opens it.
function unfold() {
  const target = location.hash && $(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
  target.scrollIntoView();
}

// ---- items ----------------------------------------------------------------------------------------------------------
const STATES = [
  ["correct", "✓"], ["incorrect", "✗"], ["abstained", "?"], ["unscored", "–"], ["differing", "≈"], ["missing", "·"], ["missing", ""],
];
let about = null, facets = [], current = 0, picks = {}, words = "", found = null, page = 0, run = 0, loaded = false;

function dot(state, model) {
  const [kind, sign] = STATES[state];
  const element = make("span", "dot " + kind, sign);
  element.title = plain(model) + ": " + about.states[state];
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", element.title);
  return element;
}

function decoder(codes, facet) {
  if (!facet.wide) return (n) => codes.get(facet.codes[n]);
  return (n) => codes.get(facet.codes[2 * n]) * codes.size + codes.get(facet.codes[2 * n + 1]);
}

async function start() {
  about = await load("about");
  const codes = new Map([...about.codes].map((char, n) => [char, n]));
  facets = await Promise.all(about.sets.map((_, n) => load("facets-" + n)));
  for (const set of facets) {
    for (const facet of [...set.facets, ...set.models]) facet.of = decoder(codes, facet);
  }
  loaded = true;
}

// The filters: a set of files where there are several, the facets, and for each model what its answers came to.
function select(label, key, options, chosen) {
  const element = make("select");
  options.forEach(([value, text]) => { const option = make("option", "", plain(text)); option.value = value; element.append(option); });
  element.value = chosen ?? "";
  element.addEventListener("change", () => {
    if (key === "set") { current = Number(element.value); picks = {}; showFilters(); } else if (element.value === "") delete picks[key]; else picks[key] = element.value;
    page = 0; pick();
  });
  return make("label", "", plain(label), element);
}

function showFilters() {
  const box = $("facets"), set = facets[current];
  box.replaceChildren();
  if (about.sets.length > 1) box.append(select("files", "set", about.sets.map((s, n) => [String(n), s.label]), String(current)));
  for (const facet of set.facets) {
    const options = facet.values.map((value, n) => [String(n), value]).sort((a, b) => (a[1] < b[1] ? -1 : 1));
    box.append(select(facet.name, "f:" + facet.name, [["", "all"], ...options], picks["f:" + facet.name]));
  }
  for (const model of set.models) {
    const options = about.states.map((state, n) => [String(n), state]);
    box.append(select(model.name, "m:" + model.name, [["", "any outcome"], ["x", "anything but correct"], ...options], picks["m:" + model.name]));
  }
}

function matches() {
  const set = facets[current], tests = [];
  for (const facet of set.facets) if ("f:" + facet.name in picks) { const wanted = Number(picks["f:" + facet.name]); tests.push((n) => facet.of(n) === wanted); }
  for (const model of set.models) {
    const pick = picks["m:" + model.name];
    if (pick === "x") tests.push((n) => { const state = model.of(n); return state > 0 && state < 3; });
    else if (pick !== undefined) { const wanted = Number(pick); tests.push((n) => model.of(n) === wanted); }
  }
  const all = [];
  for (let n = 0; n < about.sets[current].count; n++) if (tests.every((test) => test(n))) all.push(n);
  return all;
}

async function listed(n) {
  const size = about.sets[current].listed;
  const [ids, questions] = await load("list-" + current + "-" + Math.floor(n / size));
  return { id: ids[n % size], question: questions[n % size] };
}

// Search goes through the list script by script, and shows what it has found so far.
async function pick() {
  const mine = ++run, candidates = matches();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) { found = candidates; await showList(mine, true); return; }
  found = [];
  let lastShown = 0;
  for (let i = 0; i < candidates.length; i++) {
    const entry = await listed(candidates[i]);
    if (mine !== run) return;
    const text = (entry.id + " " + entry.question).toLowerCase();
    if (wanted.every((word) => text.includes(word))) found.push(candidates[i]);
    if (i - lastShown > 20000) { lastShown = i; await showList(mine, false); }
  }
  await showList(mine, true);
}

async function showList(mine, done) {
  const shown = found.slice(page * PAGE, (page + 1) * PAGE);
  const entries = await Promise.all(shown.map(listed));
  if (mine !== run) return;
  const total = about.sets[current].count, models = facets[current].models;
  $("found").textContent = (found.length === total ? total.toLocaleString("en") + " items" : found.length.toLocaleString("en") + " of " + total.toLocaleString("en") + " items") + (done ? "" : " so far …");
  $("list").replaceChildren(...entries.map((entry, k) => {
    const link = make("a");
    link.href = "#item=" + current + "." + shown[k];
    const dots = make("span", "m", ...models.slice(0, 8).map((model) => dot(model.of(shown[k]), model.name)));
    link.append(make("span", "q", entry.question), dots, make("span", "i hash", entry.id));
    return make("li", "", link);
  }));
  if (!found.length && done) $("list").append(make("li", "", "No item fits. Take a filter away, or search for fewer words."));
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  $("where").textContent = "page " + (page + 1).toLocaleString("en") + " of " + pages.toLocaleString("en");
  $("earlier").disabled = page === 0;
  $("later").disabled = page >= pages - 1;
}

// ---- one item -------------------------------------------------------------------------------------------------------
function pairs(rows) {
  const list = make("dl");
  for (const [name, value] of rows) list.append(make("dt", "", plain(name)), typeof value === "string" ? make("dd", "", value) : make("dd", "", ...value));
  return list;
}

function marked(text, spans) {
  const characters = Array.from(text), marks = new Uint8Array(characters.length);
  for (const [from, to] of spans) marks.fill(1, from, to);
  const shown = make("p", "text");
  for (let at = 0; at < characters.length;) {
    let to = at;
    while (to < characters.length && marks[to] === marks[at]) to++;
    const part = characters.slice(at, to).join("");
    shown.append(marks[at] ? make("mark", "", part) : make("span", "", part));
    at = to;
  }
  return shown;
}

function answerView(answer, item, models) {
  const [model, sample, text, finish, error, outcome, reason, understood, rationale, contradicted, spans, judge] = answer;
  const box = make("div", "answer " + (about.outcomes.includes(outcome) ? outcome : ""));
  const which = sample === null ? "vote over the samples" : item.A.some((a) => a[0] === model && a[1] > 0) ? "sample " + (sample + 1) : "";
  box.append(make("p", "who", make("b", "", plain(models[model])), which ? make("span", "source", which) : null, finish && finish !== "stop" ? make("span", "source", "ended by: " + plain(finish)) : null));
  if (sample !== null) {
    if (error) box.append(make("p", "text", "No answer: " + plain(error.kind) + (error.message ? " (" + error.message + ")" : "")));
    else if (!text) box.append(make("p", "source", "An empty answer."));
    else box.append(marked(text, spans || []));
  }
  if (!outcome) { box.append(make("p", "verdict", "Not judged.")); return box; }
  const verdict = make("p", "verdict", make("b", "", outcome), ": " + (new Map(about.reasons).get(reason) || reason));
  verdict.append(".");
  if (understood !== null) verdict.append(make("span", "", " Understood as: "), make("bdi", "", understood), ".");
  if (judge) verdict.append(make("span", "", " Judged by " + plain(judge) + "."));
  box.append(verdict);
  if (rationale && rationale.length) {
    const hops = rationale.map((right, n) => make("span", "", (item.r || [])[n] ? plain(item.r[n][0]) + " " : "", make("span", right ? "yes" : "no", right ? "✓ named" : "✗ not named"), n + 1 < rationale.length ? ", " : ""));
    box.append(make("p", "verdict", "Explanation: ", ...hops));
  }
  if (contradicted && contradicted.length) box.append(make("p", "verdict", "Denies or falsifies: " + contradicted.map(plain).join(", ")));
  return box;
}

function truth(item) {
  if (!item.a) return item.f ? "another answer: " + item.f.filter((part) => part !== null && part !== "").join(", ") : "nobody knows";
  if (item.o) return item.a.map((n) => n + ". " + (item.o[Number(n) - 1] ?? "")).join("\n");
  return item.a[0] + (item.a.length > 1 ? "\nalso: " + item.a.slice(1).join(" · ") : "");
}

function premiseRows(premise) {
  const rows = [["premise", premise.s + " — " + premise.r + " — " + premise.o + (premise.e ? " (edited: " + premise.e + ")" : " (true)")]];
  if (premise.t && premise.t.length) rows.push([premise.t.length > 1 ? "true objects" : "true object", premise.t.map(([label, aliases]) => label + (aliases && aliases.length ? " (" + aliases.join(" · ") + ")" : "")).join("\n")]);
  if (premise.h !== null && premise.h !== undefined) rows.push(["hops", String(premise.h)]);
  if (premise.path) rows.push(["path", premise.path.map(([s, r, o]) => s + " — " + r + " — " + o).join("\n")]);
  return rows;
}

function expected(expect, rows) {
  if (expect !== null) return "must be " + (expect ? "true" : "false");
  if (!rows) return "";
  return "must give " + rows.slice(0, 6).map((row) => row.join(", ")).join(" · ") + (rows.length > 6 ? " … (" + rows.length + " rows)" : "");
}

function proofView(proof, number, total, queries) {
  const [query, name, expect, rows] = proof;
  const text = typeof query === "string" ? query : new Map(queries).get(query[0]).map((part) => (typeof part === "number" ? query[1][part] : part)).join("");
  const shown = make("pre", "", text);
  shown.tabIndex = 0;
  const copy = make("button", "", "Copy");
  copy.type = "button";
  copy.addEventListener("click", () => {
    const range = document.createRange();
    range.selectNodeContents(shown);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => { copy.textContent = "Copied"; }, () => { copy.textContent = "Selected"; });
    else copy.textContent = "Selected";
  });
  return make("div", "proof", make("p", "", number + " of " + total + (name ? ": " + plain(name) : ""), make("b", "", expected(expect, rows)), copy), shown);
}

async function showItem(set, n) {
  if (!loaded) return;
  if (set !== current) { current = set; picks = {}; found = null; showFilters(); }
  const count = about.sets[set].count, size = about.sets[set].size, box = $("item");
  if (!(n >= 0 && n < count)) { location.hash = "#items"; return; }
  const [items, queries] = await Promise.all([load("items-" + set + "-" + Math.floor(n / size)), load("proofs")]);
  const item = items[n % size], models = about.sets[set].models;
  const back = make("a", "", "← All items");
  back.href = "#items";
  const line = found && found.includes(n) ? found : null, at = line ? line.indexOf(n) : n, last = (line ? line.length : count) - 1;
  const step = (text, to) => { const button = make("button", "", text); button.type = "button"; button.disabled = to < 0 || to > last; button.addEventListener("click", () => { location.hash = "#item=" + set + "." + (line ? line[to] : to); }); return button; };
  box.replaceChildren(
    make("div", "bar-top", back, step("Previous", at - 1), step("Next", at + 1), make("span", "", (at + 1).toLocaleString("en") + " of " + (last + 1).toLocaleString("en"))),
    make("h3", "question", item.q), make("p", "id hash", item.id));
  if (item.c) box.append(make("h4", "", "Passage"), make("pre", "", item.c));
  const rows = [];
  if (item.o) rows.push(["options", item.o.map((option, k) => (k + 1) + ". " + option).join("\n")]);
  rows.push(["accepted answer", truth(item)]);
  if (item.p) rows.push(...premiseRows(item.p));
  if (item.m) rows.push(["picture", item.m]);
  box.append(make("h4", "", "Truth"), pairs(rows));
  if (item.r) box.append(make("h4", "", "A right explanation names"), pairs(item.r.map(([slot, value, aliases]) => [slot, value + (aliases && aliases.length ? " (" + aliases.join(" · ") + ")" : "")])));
  box.append(make("h4", "", "Answers"));
  if (item.A) box.append(...item.A.map((answer) => answerView(answer, item, models)));
  else box.append(make("p", "source", "No model was asked this."));
  box.append(make("h4", "", "Proof"));
  if (item.P) box.append(...item.P.map((proof, k) => proofView(proof, k + 1, item.P.length, queries)));
  else box.append(make("p", "source", "This item carries no proof."));
  box.append(make("h4", "", "Item"), pairs([...(item.s || []), ...(item.g || []).map(([slot, value, claim]) => [(claim ? "claimed: " : "given: ") + slot, value]), ...(item.u || [])]));
  box.hidden = false;
  $("explorer").hidden = true;
  box.scrollIntoView();
  box.focus({ preventScroll: true });
}

// ---- addresses ------------------------------------------------------------------------------------------------------
// #item=SET.NUMBER is an item; #items=SET&NAME=VALUE&… the list with filters (values by their names, so that links stay readable).
function route() {
  const hash = location.hash.slice(1), one = /^item=(\d+)\.(\d+)$/.exec(hash);
  if (one) { showItem(Number(one[1]), Number(one[2])).catch(told); return; }
  const wasOpen = !$("item").hidden;
  $("item").hidden = true;
  $("explorer").hidden = false;
  const filter = /^items=(\d+)&(.*)$/.exec(hash);
  if (filter && facets[Number(filter[1])]) {
    current = Number(filter[1]); picks = {}; words = $("words").value = "";
    for (const [model, state] of new URLSearchParams(filter[2])) if (state === "x" || Number(state) < STATES.length) picks["m:" + model] = state;
    page = 0; showFilters(); pick().catch(told);
    $("items").scrollIntoView();
  } else if (hash === "items") {
    if (wasOpen) $("items").scrollIntoView();
  } else unfold();
}

function told(error) { $("found").textContent = error.message; }

addEventListener("hashchange", () => { if (loaded) route(); });

addEventListener("keydown", (event) => {
  if (!loaded || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest && event.target.closest("input, select, textarea");
  if (event.key === "Escape" && !$("item").hidden) location.hash = "#items";
  else if (typing) return;
  else if (event.key === "/") { event.preventDefault(); location.hash = "#items"; $("words").focus(); }
  else if (event.key === "j" || event.key === "k") {
    const [earlier, later] = $("item").querySelectorAll(".bar-top button");
    if (!$("item").hidden) (event.key === "j" ? later : earlier).click();
    else {
      const links = [...$("list").querySelectorAll("a")], at = links.indexOf(document.activeElement) + (event.key === "j" ? 1 : -1);
      if (links[at]) links[at].focus();
    }
  }
});

let pause = 0;
$("words").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(() => { words = $("words").value; page = 0; pick().catch(told); }, 150); });
$("filter").addEventListener("submit", (event) => event.preventDefault());
$("earlier").addEventListener("click", () => { page--; showList(run, true).catch(told); $("items").scrollIntoView(); });
$("later").addEventListener("click", () => { page++; showList(run, true).catch(told); $("items").scrollIntoView(); });

// The first items are loaded when they come near, not before.
let begun = false;
function begin() {
  if (begun) return;
  begun = true;
  $("explorer").hidden = false;
  start().then(() => { showFilters(); route(); return pick(); }).catch(told);
}
if (/^#items?(=|$)/.test(location.hash)) begin();
else { unfold(); new IntersectionObserver((seen, watch) => { if (seen.some((entry) => entry.isIntersecting)) { watch.disconnect(); begin(); } }, { rootMargin: "600px" }).observe($("items")); }
addEventListener("hashchange", () => { if (/^#items?(=|$)/.test(location.hash)) begin(); else if (!loaded) unfold(); });
})();

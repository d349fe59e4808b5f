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
// An address that was sent shows what its sender saw.
theme = new URLSearchParams(location.search).get("theme") || theme;

function showTheme() {
  if (!THEMES.includes(theme)) theme = "automatic";
  if (theme === "automatic") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = theme;
  $("theme").textContent = "Theme: " + theme;
}
$("theme").hidden = false;
$("theme").addEventListener("click", () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  try { localStorage.setItem("kgprobe-theme", theme); } catch { /* see above */ }
  history.replaceState(null, "", location.pathname + (theme === "automatic" ? "" : "?theme=" + theme) + location.hash);
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
// `picks` holds what items are picked by: "f:NAME" a value, "m:MODEL" an outcome's number (`x`: anything but correct), "r:MODEL" the
// reason of a verdict ("r:" of any model's), "d" who is right.
let about = null, facets = [], current = 0, picks = {}, words = "", inAnswers = false, found = null, page = 0, run = 0, loaded = false;
let codes = null;
const AGREEMENT = [["differ", "the models differ"], ["all", "every model is right"], ["none", "no model is right"], ["one", "one model alone is right"]];

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
  load("facets-0"); load("list-0-0").catch(() => {});  // wanted in a moment, and no need to wait for one another
  about = await load("about");
  codes = new Map([...about.codes].map((char, n) => [char, n]));
  facets = await Promise.all(about.sets.map((_, n) => load("facets-" + n)));
  for (const set of facets) for (const facet of set.models) facet.of = decoder(codes, facet);
  loaded = true;
}

// The values of a facet are loaded when items are first picked by it.
async function ready() {
  const set = facets[current], number = current;
  await Promise.all(set.facets.map(async (facet, n) => {
    if ("f:" + facet.name in picks && !facet.of) facet.of = decoder(codes, await load("facet-" + number + "-" + n));
  }));
  await Promise.all(set.models.map(async (model, n) => {
    if (("r:" in picks || "r:" + model.name in picks) && !model.why) {
      const facet = await load("reasons-" + number + "-" + n);
      model.why = { of: decoder(codes, facet), sets: facet.values.map((value) => value.split(" ")) };
    }
  }));
}

// One control for the reasons of all models: those that occur, of any model and of each.
function reasonControl(models) {
  const chosen = Object.entries(picks).find(([key]) => key.startsWith("r:")), element = make("select");
  const words = new Map(about.reasons), groups = [["", "of any model", models], ...(models.length > 1 ? models.map((model) => [model.name, model.name, [model]]) : [])];
  element.append(make("option", "", "any"));
  element.options[0].value = "";
  for (const [name, label, of] of groups) {
    const reasons = [...new Set(of.flatMap((model) => model.reasons.flatMap((value) => value.split(" "))))].sort(), group = make("optgroup");
    group.label = plain(label);
    for (const reason of reasons) {
      const option = make("option", "", plain(reason) + (words.has(reason) ? ": " + words.get(reason) : ""));
      option.value = "r:" + name + "=" + reason;
      group.append(option);
    }
    if (reasons.length) element.append(group);
  }
  element.value = chosen ? chosen[0] + "=" + chosen[1] : "";
  element.addEventListener("change", () => {
    for (const key of Object.keys(picks)) if (key.startsWith("r:")) delete picks[key];
    const at = element.value.lastIndexOf("=");
    if (at > 0) picks[element.value.slice(0, at)] = element.value.slice(at + 1);
    page = 0; address(); pick().catch(told);
  });
  return make("label", "", "reason", element);
}

// The filters: a set of files where there are several, the facets, and for each model what its answers came to.
function select(label, key, options, chosen) {
  const element = make("select");
  options.forEach(([value, text]) => { const option = make("option", "", plain(text)); option.value = value; element.append(option); });
  element.value = chosen ?? "";
  element.addEventListener("change", () => {
    if (key === "set") { current = Number(element.value); picks = {}; showFilters(); } else if (element.value === "") delete picks[key]; else picks[key] = element.value;
    page = 0; address(); pick().catch(told);
  });
  return make("label", "", plain(label), element);
}

function showFilters() {
  const box = $("facets"), set = facets[current];
  box.replaceChildren();
  if (about.sets.length > 1) box.append(select("files", "set", about.sets.map((s, n) => [String(n), s.label]), String(current)));
  for (const facet of set.facets) {
    const options = facet.used.map((n) => [plain(facet.values[n]), facet.values[n]]).sort((a, b) => (a[1] < b[1] ? -1 : 1));
    box.append(select(facet.name, "f:" + facet.name, [["", "all"], ...options], picks["f:" + facet.name]));
  }
  for (const model of set.models) {
    const options = about.states.map((state, n) => [String(n), state]);
    box.append(select(model.name, "m:" + model.name, [["", "any outcome"], ["x", "anything but correct"], ...options], picks["m:" + model.name]));
  }
  if (set.models.length) box.append(reasonControl(set.models));
  if (set.models.length > 1) box.append(select("agreement", "d", [["", "any"], ...AGREEMENT], picks.d));
}

// The address says what is picked, so that a link or a bookmark shows the same items.
function address() {
  const said = Object.entries(picks).map(([key, value]) => encodeURIComponent(key) + "=" + encodeURIComponent(value));
  if (words) said.push("q=" + encodeURIComponent(words));
  if (inAnswers) said.push("in=answers");
  history.replaceState(null, "", "#items=" + [current, ...said].join("&"));
}

function agree(how, right, answered) {
  if (how === "differ") return right > 0 && right < answered;
  if (how === "all") return answered > 0 && right === answered;
  if (how === "none") return answered > 0 && right === 0;
  return right === 1;
}

function matches() {
  const set = facets[current], tests = [];
  for (const facet of set.facets) if ("f:" + facet.name in picks) { const wanted = facet.values.findIndex((value) => plain(value) === picks["f:" + facet.name]); tests.push((n) => facet.of(n) === wanted); }
  for (const model of set.models) {
    const pick = picks["m:" + model.name];
    if (pick === "x") tests.push((n) => { const state = model.of(n); return state > 0 && state < 3; });
    else if (pick !== undefined) { const wanted = Number(pick); tests.push((n) => model.of(n) === wanted); }
  }
  const because = Object.entries(picks).find(([key]) => key.startsWith("r:"));
  if (because) {
    const of = set.models.filter((model) => because[0] === "r:" || because[0] === "r:" + model.name).map((model) => {
      const fits = model.why.sets.map((reasons) => reasons.includes(because[1]));
      return (n) => fits[model.why.of(n)];
    });
    tests.push((n) => of.some((test) => test(n)));
  }
  if (picks.d) tests.push((n) => {
    let right = 0, answered = 0;
    for (const model of set.models) { const state = model.of(n); if (state < 5) answered++; if (state === 0) right++; }
    return agree(picks.d, right, answered);
  });
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
  const mine = ++run;
  await ready();
  if (mine !== run) return;
  const candidates = matches();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) { found = candidates; await showList(mine, true); return; }
  found = [];
  let lastShown = 0;
  for (let i = 0; i < candidates.length; i++) {
    const entry = await listed(candidates[i]);
    if (mine !== run) return;
    const text = (entry.id + " " + entry.question + (inAnswers ? " " + await answerTexts(candidates[i]) : "")).toLowerCase();
    if (mine !== run) return;
    if (wanted.every((word) => text.includes(word))) found.push(candidates[i]);
    if (i - lastShown > (inAnswers ? 2000 : 20000)) { lastShown = i; await showList(mine, false); }
  }
  await showList(mine, true);
}

// An item with what its answers need: how they were drawn, and (loaded when somebody asks) the prompts, where records say so.
async function withAnswers(set, n) {
  const { label, models, ways, texts } = about.sets[set];
  return { label, models, item: await itemAt(set, n), ways: ways ? await load("ways-" + set) : [], asked: texts ? (hash) => promptOf(set, n, hash) : null };
}

function shard(set, n) { return load("items-" + set + "-" + Math.floor(n / about.sets[set].size)); }

async function itemAt(set, n) { return (await shard(set, n))[n % about.sets[set].size]; }

async function answerTexts(n) {
  const item = await itemAt(current, n);
  return (item.A || []).map((answer) => answer[2] || "").join(" ");
}

async function showList(mine, done) {
  const shown = found.slice(page * PAGE, (page + 1) * PAGE);
  const entries = await Promise.all(shown.map(listed));
  if (mine !== run) return;
  const total = about.sets[current].count, models = facets[current].models;
  $("found").textContent = (found.length === total ? total.toLocaleString("en") + " items" : found.length.toLocaleString("en") + " of " + total.toLocaleString("en") + " items") + (done ? "" : " so far …");
  $("list").replaceChildren(...entries.map((entry, k) => {
    const link = make("a");
    link.href = "#id=" + current + "/" + encodeURIComponent(entry.id);
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

function answerView(answer, { item, models, ways, asked }) {
  const [model, sample, text, finish, error, outcome, reason, understood, rationale, contradicted, spans, judge, used, claims, traced] = answer;
  const box = make("div", "answer " + (about.outcomes.includes(outcome) ? outcome : ""));
  const which = sample === null ? "vote over the samples" : item.A.some((a) => a[0] === model && a[1] > 0) ? "sample " + (sample + 1) : "";
  box.append(make("p", "who", make("b", "", plain(models[model])), which ? make("span", "source", which) : null, finish && finish !== "stop" ? make("span", "source", "ended by: " + plain(finish)) : null));
  if (sample !== null) {
    if (error) box.append(make("p", "text", "No answer: " + plain(error.kind) + (error.message ? " (" + error.message + ")" : "")));
    else if (!text) box.append(make("p", "source", "An empty answer."));
    else box.append(marked(text, spans || []));
  }
  if (used) box.append(make("p", "used", usedWords(used, asked)));
  if (used && ways[used[5]]) box.append(make("p", "used", wayWords(ways[used[5]])));
  if (used && used[4] && asked) box.append(promptView(used[4], asked));
  if (traced) box.append(lookupsView(traced));
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
  if (claims && claims.length) box.append(make("p", "verdict", "Claims, held against the graph:"), ...claims.map(claimView));
  return box;
}

// What a model asked of the graph before it answered, and what came back.
const STANDINGS = { right_query: "right by query", right_luck: "right by luck", wrong_query: "wrong by query", wrong_reading: "wrong by reading" };

function lookupsView([standing, graph, base, lookups]) {
  const many = lookups.length === 1 ? "One query" : (lookups.length || "No") + " queries";
  const box = make("details", "lookups", make("summary", "", many + " to the graph before it answered" + (standing ? ": " + STANDINGS[standing] : "")));
  box.append(...lookups.map(lookupView), make("p", "source hash", "asked of " + plain(graph) + (base ? "; relative to " + plain(base) : "")));
  return box;
}

function lookupView([query, columns, rows, [further, cut], truth, error, seconds], n) {
  const asked = make("pre", "", query), box = make("div", "lookup", make("p", "source", "query " + (n + 1) + (seconds === null ? "" : " · " + seconds + " s")), asked);
  asked.tabIndex = 0;
  if (error !== null) box.append(make("p", "no", "failed: " + plain(error)));
  else if (truth !== null) box.append(make("p", "", "→ " + truth));
  else box.append(rows.length ? rowsView(columns, rows) : make("p", "source", "→ no rows"));
  if (further || cut) box.append(make("p", "source", further ? "and " + (cut ? "at least " : "") + further.toLocaleString("en") + " more rows" : "there were more rows than the model was given"));
  return box;
}

function rowsView(columns, rows) {
  const cells = (row, kind) => make("tr", "", ...row.map((cell) => make(kind, "", make("bdi", "", cell))));
  const table = make("table", "", make("thead", "", cells(columns.map((name) => "?" + name), "th")), make("tbody", "", ...rows.map((row) => cells(row, "td"))));
  const scroll = make("div", "scroll", table);
  scroll.tabIndex = 0;
  return scroll;
}

// A claim, and the query that tells how it stands.
function claimView([standing, denied, subject, relation, object, truth, subjectIri, relationIri]) {
  const box = make("details", "claim");
  const sign = { stated: "✓", contradicted: "✗" }[standing] || "?";
  const shown = make("summary", "", make("span", standing === "stated" ? "yes" : standing === "contradicted" ? "no" : "", sign + " " + plain(standing)), ": ");
  shown.append(make("bdi", "", subject), " – " + (denied ? "not " : "") + plain(relation) + " – ", make("bdi", "", object));
  const query = make("pre", "", "SELECT DISTINCT ?o WHERE {\n  <" + subjectIri + "> <" + relationIri + "> ?o .\n}");
  query.tabIndex = 0;
  box.append(shown, query, make("p", "source", truth.length ? "The graph has: " + truth.map(plain).join(", ") : "The graph has nothing here."));
  return box;
}

function usedWords([input, output, usd, seconds, prompt, , cached, thought], asked) {
  const parts = [], known = (value) => value !== null && value !== undefined;
  if (known(input) || known(output)) parts.push((input ?? "?") + " tokens in" + (cached ? " (" + cached + " of them cached)" : "") + ", " + (output ?? "?") + " out" + (thought ? " (" + thought + " of them thoughts)" : ""));
  if (known(usd)) parts.push("$" + usd);
  if (known(seconds)) parts.push(seconds + " s");
  if (prompt && !asked) parts.push("prompt " + prompt.slice(0, 19));
  return parts.join(" · ");
}

// The prompt of an answer, loaded when it is unfolded.
function promptView(hash, asked) {
  const box = make("details", "prompt", make("summary", "", "The prompt that was sent"));
  box.addEventListener("toggle", async () => {
    if (!box.open || box.children.length > 1) return;
    const turns = await asked(hash);
    box.append(...(turns ? turns.map(turnView) : [make("p", "source", "The file has no text of it.")]), make("p", "used hash", plain(hash)));
  });
  return box;
}

function turnView([role, text, image]) {
  const said = make("pre", "", text);
  said.tabIndex = 0;
  return make("div", "turn", make("p", "source", plain(role) + (image ? " · picture: " + plain(image) : "")), said);
}

// A piece of a prompt that several share is given by its number; null is one that the file lacks.
async function piece(set, part) {
  if (typeof part === "string") return part;
  if (part === null) return "⟨a text that stands with an answer of another file⟩";
  const size = about.sets[set].texts;
  return (await load("texts-" + set + "-" + Math.floor(part / size)))[part % size];
}

async function promptOf(set, n, hash) {
  const prompts = (await load("prompts-" + set + "-" + Math.floor(n / about.sets[set].size)))[n % about.sets[set].size];
  const prompt = prompts.find((one) => one[0] === hash);
  return prompt && Promise.all(prompt[1].map(async ([role, pieces, image]) => [role, (await Promise.all(pieces.map((part) => piece(set, part)))).join("\n\n"), image]));
}

// Which version answered, and how its answer was drawn; null is what was wanted and the model does not take.
function wayWords([served, decoding]) {
  const drawn = decoding.map(([name, value]) => plain(name) + " " + (value === null ? "left out: not taken" : plain(value)));
  return [...(served ? ["version " + plain(served)] : []), ...drawn].join(" · ");
}

// ---- what answers do not have in common -------------------------------------------------------------------------------
const WORDS = 400;

function wordsOf(text) { return (text || "").split(/(\s+)/).slice(0, 2 * WORDS); }

function bare(word) { return word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""); }

// The words of `a` that a longest common sequence of both leaves out.
function left(a, b) {
  const x = a.map(bare), y = b.map(bare), rows = [new Uint16Array(y.length + 1)];
  for (let i = 0; i < x.length; i++) {
    const before = rows[i], row = new Uint16Array(y.length + 1);
    for (let j = 0; j < y.length; j++) row[j + 1] = x[i] === y[j] ? before[j] + 1 : Math.max(before[j + 1], row[j]);
    rows.push(row);
  }
  const own = new Set(x.keys());
  for (let i = x.length, j = y.length; i > 0 && j > 0;) {
    if (x[i - 1] === y[j - 1]) { own.delete(i - 1); i--; j--; }
    else if (rows[i - 1][j] >= rows[i][j - 1]) i--; else j--;
  }
  return own;
}

function differences(text, other) {
  const parts = wordsOf(text), mine = parts.filter((_, n) => n % 2 === 0), theirs = wordsOf(other).filter((_, n) => n % 2 === 0);
  const own = left(mine, theirs), shown = make("p", "text");
  shown.replaceChildren(...parts.map((part, n) => make("span", n % 2 === 0 && part && own.has(n / 2) ? "own" : "", part)));
  return shown;
}

function answersView(runs) {
  const boxes = runs.flatMap((run) => run.item.A.map((answer) => {
    const box = answerView(answer, run);
    if (runs.length > 1) box.querySelector(".who").append(make("span", "source", plain(run.label)));
    return box;
  }));
  const grid = make("div", "answers", ...boxes);
  const texts = runs.flatMap(({ item }) => item.A.map((answer) => answer[2])), first = texts.findIndex(Boolean), second = texts.findIndex((text, n) => n > first && text);
  if (second < 0) return [grid];
  const button = make("button", "", "Mark what differs");
  button.type = "button";
  button.setAttribute("aria-pressed", "false");
  const plainly = boxes.map((box) => box.querySelector(".text"));
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") === "false";
    button.setAttribute("aria-pressed", String(on));
    boxes.forEach((box, n) => {
      if (!texts[n]) return;
      const other = texts[n === first ? second : first];
      box.querySelector(".text").replaceWith(on ? differences(texts[n], other) : plainly[n]);
    });
  });
  return [make("p", "tools", button), grid];
}

// ---- a fact and its neighbours, drawn ----------------------------------------------------------------------------------
function draw(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function short(text, limit) { const letters = Array.from(plain(text)); return letters.length > limit ? letters.slice(0, limit - 1).join("") + "…" : letters.join(""); }

// A narrow window gets a narrow drawing, so that its letters stay large enough to read.
function layout() { return innerWidth < 640 ? { width: 400, letters: 15, words: 17 } : { width: 640, letters: 24, words: 30 }; }

function nodeWidth(label, letters) { return label === "" ? 0 : 16 + 7.4 * Array.from(short(label, letters)).length; }

function node({ at: [x, y], label, kind }, letters) {
  const width = nodeWidth(label, letters), group = draw("g", {});
  group.append(draw("title", {}, plain(label)), draw("rect", { x: x - width / 2, y: y - 14, width, height: 28, rx: 14, class: "node " + (kind || "") }), draw("text", { x, y: y + 4, class: "middle" }, short(label, letters)));
  return group;
}

// Where a line to the middle of a node meets its border.
function border([x, y], [fromX, fromY], width) {
  if (!width) return [x, y];
  const dx = fromX - x, dy = fromY - y, share = Math.min(dx ? (width / 2 + 2) / Math.abs(dx) : 1, dy ? 16 / Math.abs(dy) : 1);
  return [x + dx * share, y + dy * share];
}

// An arrow from one node to another; `back` is one that is drawn against the run of its fact.
function edge(from, to, label, kind, { letters, words }, back) {
  const start = border(from.at, to.at, nodeWidth(from.label, letters)), end = border(to.at, from.at, nodeWidth(to.label, letters));
  const [tip, tail] = back ? [start, end] : [end, start], angle = Math.atan2(tip[1] - tail[1], tip[0] - tail[0]);
  const wing = (turn) => (tip[0] - 8 * Math.cos(angle + turn)) + "," + (tip[1] - 8 * Math.sin(angle + turn));
  const group = draw("g", {}), upright = Math.abs(from.at[0] - to.at[0]) < 1, along = upright || kind !== "false" ? 0.5 : 0.62;
  const x = start[0] + along * (end[0] - start[0]), y = start[1] + along * (end[1] - start[1]);
  group.append(draw("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1], class: "edge " + kind }));
  if ((back ? from : to).label) group.append(draw("polygon", { points: tip.join(",") + " " + wing(0.45) + " " + wing(-0.45), class: "tip " + kind }));
  if (label) group.append(draw("text", upright ? { x: x + 8, y: y + 4, class: "tick" } : { x, y: y - 5, class: "middle tick" }, short(label, words)));
  return group;
}

function drawing(title, nodes, edges, shape) {
  const height = 30 + Math.max(...nodes.map((one) => one.at[1]));
  const svg = draw("svg", { viewBox: "0 0 " + shape.width + " " + height, class: "net", role: "img" });
  svg.append(draw("title", {}, plain(title)), ...edges.map(([from, to, label, kind, back]) => edge(from, to, label, kind, shape, back)), ...nodes.filter((one) => one.label).map((one) => node(one, shape.letters)));
  return svg;
}

// Subject at the left, true objects at the right, the claimed one below them; a path runs down at the left and reaches it.
function neighbourhood(premise) {
  const shape = layout(), left = 16 + shape.letters * 3.7, right = shape.width - left, trues = (premise.t || []).slice(0, 4), path = premise.path || [];
  const subject = { at: [left, 24], label: premise.s }, nodes = [subject], edges = [];
  const objects = (trues.length ? trues.map(([label]) => label) : premise.e ? [] : [premise.o]).map((label, n) => ({ at: [right, 24 + 44 * n], label, kind: "true" }));
  objects.forEach((one, n) => edges.push([subject, one, n ? "" : premise.r, "true"]));
  nodes.push(...objects);
  if (premise.e) {
    const lure = { at: [right, Math.max(24 + 52 * objects.length, 24 + 58 * Math.max(0, path.length - 1))], label: premise.o, kind: "false" };
    nodes.push(lure);
    edges.push([subject, lure, (objects.length || path.length ? "not: " : "") + premise.r, "false"]);
    let last = subject;
    // A way of one fact turns a corner, or its line would lie on that of the claim.
    if (path.length === 1) {
      lure.at[1] = Math.max(lure.at[1], 24 + 72);
      last = { at: [left, lure.at[1]], label: "" };
      edges.push([subject, last, "", ""]);
    }
    path.forEach(([from, relation, to], n) => {
      const back = from !== (last.label || premise.s), next = n === path.length - 1 ? lure : { at: [left, 24 + 58 * (n + 1)], label: back ? from : to };
      if (next !== lure) nodes.push(next);
      edges.push([last, next, relation, "", back]);
      last = next;
    });
  }
  return drawing(premise.s + ": what is true, and what the question says", nodes, edges, shape);
}

// What is given at the left, what a right explanation names from hop to hop down at the right, what is merely claimed beside it.
function chain(item) {
  const shape = layout(), left = 16 + shape.letters * 3.7, right = shape.width - left, stated = (item.g || []).filter((one) => one[1]), given = stated.filter((one) => !one[2]).slice(0, 5), claims = stated.filter((one) => one[2]).slice(0, 2);
  const starts = given.map(([slot, value], n) => ({ at: [left, 24 + 40 * n], label: value, slot })), nodes = [...starts], edges = [];
  let last = null;
  (item.r || []).slice(0, 6).forEach(([slot, value], n) => {
    const next = { at: [right, 24 + 58 * n], label: value, kind: "true" };
    nodes.push(next);
    for (const from of last ? [last] : starts) edges.push([from, next, !last && from !== starts[0] ? "" : slot, "true"]);
    last = next;
  });
  claims.forEach(([slot, value], n) => {
    const lure = { at: [left, 24 + 40 * (starts.length + n) + 12], label: value, kind: "false" };
    nodes.push(lure);
    if (last) edges.push([last, lure, "claimed: " + slot, "false"]);
  });
  return drawing("What the question gives, and what follows from it", nodes, edges, shape);
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

// ---- proofs, run here ----------------------------------------------------------------------------------------------------
let engine = null;
async function started() {
  engine ??= (async () => {
    const [bindings, code] = await Promise.all([load("oxigraph"), load("oxigraph-code")]);
    bindings.initSync({ module: await WebAssembly.compile(Uint8Array.from(atob(code), (char) => char.charCodeAt(0))) });
    return bindings;
  })();
  return engine;
}

function outcome(result) {
  if (typeof result === "boolean") return String(result);
  const rows = result.slice(0, 6).map((row) => [...row.values()].map((term) => term.value).join(", "));
  return result.length + (result.length === 1 ? " row: " : " rows: ") + rows.join(" · ") + (result.length > 6 ? " …" : "");
}

// A proof runs on the facts around its item, which came with the page.
function runButton(text, facts) {
  const button = make("button", "", "Run here"), told = make("b", "", "");
  button.type = "button";
  told.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { Store } = await started(), store = new Store();
      store.load(facts, { format: "application/n-triples" });
      told.replaceChildren(plain(outcome(store.query(text)) + ", on the " + store.size.toLocaleString("en") + " facts around this item"));
    } catch (error) { told.replaceChildren(plain("It does not run: " + (error.message ?? error))); }
    button.disabled = false;
  });
  return [button, told];
}

function proofView(proof, number, total, queries, near) {
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
  const run = near && near[1][number - 1] ? runButton(text, near[0]) : [];
  return make("div", "proof", make("p", "", number + " of " + total + (name ? ": " + plain(name) : ""), make("b", "", expected(expect, rows)), copy, ...run), shown);
}

async function showItem(set, n) {
  if (!loaded) return;
  if (set !== current) { current = set; picks = {}; found = null; showFilters(); }
  const count = about.sets[set].count, size = about.sets[set].size, box = $("item");
  if (!(n >= 0 && n < count)) { location.hash = "#items"; return; }
  const [own, queries] = await Promise.all([withAnswers(set, n), load("proofs")]), item = own.item;
  const others = await otherRuns(set, item.id);
  const near = about.sets[set].live ? (await load("near-" + set + "-" + Math.floor(n / size)))[n % size] : null;
  const back = make("a", "", "← All items");
  back.href = "#items";
  const stable = make("a", "", "Link to this item");
  stable.href = "#id=" + set + "/" + encodeURIComponent(item.id);
  const line = found && found.includes(n) ? found : null, at = line ? line.indexOf(n) : n, last = (line ? line.length : count) - 1;
  const step = (text, to) => { const button = make("button", "", text); button.type = "button"; button.disabled = to < 0 || to > last; button.addEventListener("click", () => { location.hash = "#item=" + set + "." + (line ? line[to] : to); }); return button; };
  box.replaceChildren(
    make("div", "bar-top", back, step("Previous", at - 1), step("Next", at + 1), make("span", "", (at + 1).toLocaleString("en") + " of " + (last + 1).toLocaleString("en")), stable),
    make("h3", "question", item.q), make("p", "id hash", item.id));
  if (item.c) box.append(make("h4", "", "Passage"), make("pre", "", item.c));
  const rows = [];
  if (item.o) rows.push(["options", item.o.map((option, k) => (k + 1) + ". " + option).join("\n")]);
  rows.push(["accepted answer", truth(item)]);
  if (item.p) { rows.push(...premiseRows(item.p)); box.append(neighbourhood(item.p)); }
  else if ((item.g || []).some((one) => one[1]) && item.r) box.append(chain(item));
  if (item.m) rows.push(["picture", item.m]);
  box.append(make("h4", "", "Truth"), pairs(rows));
  if (item.r) box.append(make("h4", "", "A right explanation names"), pairs(item.r.map(([slot, value, aliases]) => [slot, value + (aliases && aliases.length ? " (" + aliases.join(" · ") + ")" : "")])));
  box.append(make("h4", "", "Answers"));
  const answered = item.A ? [own, ...others] : others;
  if (answered.length) box.append(...answersView(answered));
  else box.append(make("p", "source", "No model was asked this."));
  box.append(make("h4", "", "Proof"));
  if (item.P) box.append(...item.P.map((proof, k) => proofView(proof, k + 1, item.P.length, queries, near)));
  else box.append(make("p", "source", "This item carries no proof."));
  box.append(make("h4", "", "Item"), pairs([...(item.s || []), ...(item.g || []).map(([slot, value, claim]) => [(claim ? "claimed: " : "given: ") + slot, value]), ...(item.u || [])]));
  box.hidden = false;
  $("explorer").hidden = true;
  box.scrollIntoView();
  box.focus({ preventScroll: true });
}

// ---- addresses ------------------------------------------------------------------------------------------------------
// #id=SET/ID and #item=SET.NUMBER are an item; #items=SET&f:NAME=VALUE&m:MODEL=OUTCOME&r:MODEL=REASON&q=WORDS… the list with
// filters; before it, ?theme=dark.
const CRC = new Uint32Array(256).map((_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });

// The checksum that says which script knows an id's place: of its UTF-8 bytes, as zlib's crc32.
function crc32(text) {
  let sum = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

async function placeOf(set, id) {
  const places = await load("ids-" + set + "-" + (crc32(id) % about.sets[set].buckets));
  const place = places.find(([name]) => name === id);
  return place ? place[1] : -1;
}

// The answers to the same item in the other runs, after its own.
async function otherRuns(set, id) {
  const runs = await Promise.all(about.sets.map(async (_, n) => {
    const place = n === set ? -1 : await placeOf(n, id);
    return place < 0 ? null : await withAnswers(n, place);
  }));
  return runs.filter((one) => one && one.item.A);
}

async function showId(set, id) {
  if (!about.sets[set]) { location.hash = "#items"; return; }
  const place = await placeOf(set, id);
  if (place >= 0) { await showItem(set, place); return; }
  $("item").hidden = true;
  $("explorer").hidden = false;
  await pick();
  $("found").textContent = "There is no item " + plain(id) + ".";
}

function decoded(text) { try { return decodeURIComponent(text); } catch { return text; } }

function picked(query) {
  picks = {}; words = ""; inAnswers = false;
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === "q") words = value;
    else if (key === "in") inAnswers = value === "answers";
    else if (key === "d" && AGREEMENT.some(([name]) => name === value)) picks.d = value;
    else if (key.startsWith("f:")) {
      const facet = facets[current].facets.find((one) => "f:" + one.name === key);
      // Tables and people write a value's case as they like; a value that no item has picks nothing out.
      const values = facet ? facet.values.map(plain) : [], own = values.find((one) => one === value) ?? values.find((one) => one.toLowerCase() === value.toLowerCase());
      if (own !== undefined) picks[key] = own;
    }
    else if (key.startsWith("r:") && (key === "r:" || facets[current].models.some((model) => "r:" + model.name === key))) picks[key] = value;
    else if (key.startsWith("m:") && (value === "x" || Number(value) < STATES.length)) picks[key] = value;
  }
  $("words").value = words;
  $("in-answers").checked = inAnswers;
}
function route() {
  const hash = location.hash.slice(1), one = /^item=(\d+)\.(\d+)$/.exec(hash);
  const byId = /^id=(\d+)\/(.*)$/.exec(hash);
  if (one) { showItem(Number(one[1]), Number(one[2])).catch(told); return; }
  if (byId) { showId(Number(byId[1]), decoded(byId[2])).catch(told); return; }
  const wasOpen = !$("item").hidden;
  $("item").hidden = true;
  $("explorer").hidden = false;
  const filter = /^items=(\d+)(?:&(.*))?$/.exec(hash);
  if (filter && facets[Number(filter[1])]) {
    current = Number(filter[1]);
    picked(filter[2] || "");
    page = 0; showFilters(); pick().then(() => $("items").scrollIntoView()).catch(told);
  } else if (hash === "items") {
    if (!found) pick().catch(told);
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
$("words").addEventListener("input", () => { clearTimeout(pause); pause = setTimeout(() => { words = $("words").value; page = 0; address(); pick().catch(told); }, 150); });
$("in-answers").addEventListener("change", () => { inAnswers = $("in-answers").checked; page = 0; address(); if (words) pick().catch(told); });
$("filter").addEventListener("submit", (event) => event.preventDefault());
$("earlier").addEventListener("click", () => { page--; showList(run, true).catch(told); $("items").scrollIntoView(); });
$("later").addEventListener("click", () => { page++; showList(run, true).catch(told); $("items").scrollIntoView(); });

// ---- what is shown, saved -----------------------------------------------------------------------------------------------
function save(name, kind, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind + ";charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function shownItems() {
  const set = current, items = [];
  for (const n of found || []) items.push(await itemAt(set, n));
  return [items, about.sets[set].models];
}

// A text that a spreadsheet would take for a formula gets a quote before it, as in metrics.csv.
function csvCell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return '"' + (/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""') + '"';
}

async function saveCsv() {
  const [items, models] = await shownItems(), lines = [["id", "question", "truth", "model", "sample", "text", "outcome", "reason", "understood"]];
  for (const item of items) for (const a of item.A || [[]]) lines.push([item.id, item.q, truth(item), models[a[0]], a[1], a[2], a[5], a[6], a[7]]);
  save("items.csv", "text/csv", lines.map((line) => line.map(csvCell).join(",") + "\n").join(""));
}

async function saveLines() {
  const [items, models] = await shownItems();
  const lines = items.map((item) => ({
    id: item.id, question: item.q, options: item.o ?? null, answer: item.a ?? null, properties: item.s || [],
    answers: (item.A || []).map((a) => ({ model: models[a[0]], sample: a[1], text: a[2], outcome: a[5], reason: a[6], answer: a[7] })),
  }));
  save("items.jsonl", "application/x-ndjson", lines.map((line) => JSON.stringify(line) + "\n").join(""));
}
$("as-csv").addEventListener("click", () => saveCsv().catch(told));
$("as-jsonl").addEventListener("click", () => saveLines().catch(told));

// ---- tables: sorted by a click, the matrix by another stratum or turned ---------------------------------------------------
function key(cell) {
  const text = (cell.querySelector(".v") || cell).textContent.trim().replace("−", "-").replaceAll(",", "").replace(/^[<>] /, "");
  const number = parseFloat(text);
  return Number.isNaN(number) ? text : number;
}

function order(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortable(table) {
  const heads = [...table.querySelectorAll("thead th")];
  for (const head of heads) {
    const button = make("button", "sort");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const column = [...head.parentNode.children].indexOf(head), body = table.tBodies[0];
      // Numbers begin with the greatest, names with the first.
      const rows = [...body.rows], numeric = rows.some((row) => typeof key(row.cells[column]) === "number");
      const was = head.getAttribute("aria-sort"), up = was ? was === "descending" : !numeric;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      rows.sort((a, b) => (up ? 1 : -1) * order(key(a.cells[column]), key(b.cells[column])));
      for (const row of rows) { row.classList.remove("block"); for (const name of row.querySelectorAll(".again")) name.classList.remove("again"); }
      body.append(...rows);
    });
  }
}

function turned(table) {
  const rows = [...table.rows].map((row) => [...row.cells]), head = document.createElement("thead"), body = document.createElement("tbody");
  const names = rows.map((row) => row[0]);
  const as = (cell, scope) => { const th = make("th", "", ...[...(cell.querySelector("button") || cell).childNodes].map((child) => child.cloneNode(true))); th.setAttribute("scope", scope); return th; };
  const top = document.createElement("tr");
  top.append(document.createElement("td"), ...names.slice(1).map((cell) => { const th = as(cell, "col"); if (cell.parentNode.classList.contains("guesser")) th.classList.add("guesser-name"); return th; }));
  head.append(top);
  rows[0].slice(1).forEach((cell, n) => {
    const row = document.createElement("tr");
    row.append(as(cell, "row"), ...rows.slice(1).map((of) => of[n + 1].cloneNode(true)));
    body.append(row);
  });
  table.tHead.replaceWith(head);
  table.tBodies[0].replaceWith(body);
  for (const row of body.rows) row.classList.remove("guesser");
  sortable(table);
}

// The numbers of a table, each with the values of its dimensions; what its columns are is a dimension, too.
function numbersOf(table) {
  const heads = [...table.tHead.rows[0].cells], depth = Number(table.dataset.dims), dims = heads.slice(0, depth).map((head) => head.textContent);
  const across = table.dataset.across || "numbers", columns = heads.slice(depth);
  const numbers = [...table.tBodies[0].rows].flatMap((row) => columns.map((head, n) => ({
    values: [...[...row.cells].slice(0, depth), head].map((cell) => cell.textContent), cell: row.cells[depth + n] })));
  return { axes: [...dims, across], numbers };
}

// Lay the numbers of a table out again, with the values of one axis as columns and those of all others as rows.
function pivoted(table, { axes, numbers }, axis) {
  const rows = new Map(), columns = [...new Set(numbers.map((one) => one.values[axis]))], names = axes.filter((_, n) => n !== axis);
  for (const one of numbers) {
    const own = one.values.filter((_, n) => n !== axis), at = JSON.stringify(own);
    if (!rows.has(at)) rows.set(at, [own, new Map()]);
    rows.get(at)[1].set(one.values[axis], one.cell);
  }
  const head = document.createElement("thead"), body = document.createElement("tbody"), top = document.createElement("tr");
  for (const name of names) top.append(make("th", "", name));
  for (const column of columns) top.append(make("th", "num", column));
  for (const cell of top.cells) cell.setAttribute("scope", "col");
  head.append(top);
  for (const [own, cells] of rows.values()) {
    const row = document.createElement("tr");
    for (const name of own) { const th = make("th", name.length > 18 ? "long" : "", name); th.setAttribute("scope", "row"); row.append(th); }
    for (const column of columns) row.append(cells.has(column) ? cells.get(column).cloneNode(true) : make("td", "num none", "–"));
    body.append(row);
  }
  table.tHead.replaceWith(head);
  table.tBodies[0].replaceWith(body);
  sortable(table);
}

// Sorting and turning begin when a table is first unfolded.
function lively(table) {
  if (table.classList.contains("lively")) return;
  table.classList.add("lively");
  const whole = table.dataset.dims ? numbersOf(table) : null;
  sortable(table);
  if (!whole || whole.axes.length < 2) return;
  const choice = make("select"), last = whole.axes.length - 1;
  whole.axes.forEach((name, n) => { const option = make("option", "", plain(name) || "names"); option.value = String(n); choice.append(option); });
  choice.value = String(last);
  choice.addEventListener("change", () => pivoted(table, whole, Number(choice.value)));
  table.closest(".scroll").before(make("p", "tools pivot", make("label", "", "columns: ", choice)));
}

for (const box of document.querySelectorAll("details.table, details.numbers")) {
  const begin = () => { if (box.open) for (const table of box.querySelectorAll("table")) lively(table); };
  box.addEventListener("toggle", begin);
  begin();
}
for (const table of document.querySelectorAll(".matrix table, table.files")) sortable(table);
const matrices = document.querySelector(".matrices");
if (matrices) {
  const shown = [...matrices.querySelectorAll(".matrix")];
  matrices.classList.add("live");
  for (const control of matrices.querySelectorAll(".pick, #turn")) control.hidden = false;
  const choose = () => { for (const one of shown) one.toggleAttribute("data-later", one.id !== $("stratum").value); };
  $("stratum").addEventListener("change", choose);
  choose();
  const turnAll = () => { for (const one of shown) turned(one.querySelector("table")); };
  $("turn").addEventListener("click", turnAll);
  // A narrow window has room for a few models side by side, not for many values.
  if (innerWidth < 640) turnAll();
}
if (innerWidth < 640 && $("overview-outcomes") && !location.hash) $("overview-outcomes").open = false;

// The first items are loaded when they come near, not before.
let begun = false;
function begin() {
  if (begun) return;
  begun = true;
  $("explorer").hidden = false;
  start().then(() => { showFilters(); route(); if (!/^#(items|item|id)=/.test(location.hash)) return pick(); }).catch(told);
}
const OF_ITEMS = /^#(items?|id)(=|$)/;
if (OF_ITEMS.test(location.hash)) begin();
else { unfold(); new IntersectionObserver((seen, watch) => { if (seen.some((entry) => entry.isIntersecting)) { watch.disconnect(); begin(); } }, { rootMargin: "600px" }).observe($("items")); }
addEventListener("hashchange", () => { if (OF_ITEMS.test(location.hash)) begin(); else if (!loaded) unfold(); });
})();

// The page of ksda studio: shows the state that the server keeps, and asks it to run steps. All text goes through
// textContent, so that no name of a file or a person is taken for markup.
"use strict";

const steps = ["load", "communities", "risk", "choose", "shares", "frontier", "release", "verify"];
const listed = ["load", "communities", "risk", "choose", "release"];
const titles = {load: "Network", communities: "Communities", risk: "Risk", choose: "Choose", shares: "Shares", frontier: "Trade-off", release: "Release", verify: "Verify", report: "Report"};
let state = null, filled = false, arrived = null; // arrived: a file to be chosen as soon as it is listed

const by = id => document.getElementById(id);

function make(name, attributes, ...children) {
  const svg = ["svg", "path", "circle", "rect", "line", "text", "title", "g"].includes(name);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  for (const child of children) element.append(child);
  return element;
}

const number = value => value.toLocaleString("en-US");
const percent = share => (100 * share).toFixed(share < 0.0995 ? 1 : 0) + " %";
const card = (count, one, more) => [number(count), count === 1 ? one : more];
const many = (count, one, more) => number(count) + " " + (count === 1 ? one : more);

// An answer that does not come is given up: the studio is on this machine, and whatever takes long runs behind it.
async function ask(url, options) {
  const response = await fetch(url, Object.assign({cache: "no-store", signal: AbortSignal.timeout(15000)}, options));
  const body = await response.json();
  if (!response.ok) throw new Error(body.problem || "the studio said " + response.status);
  return body;
}

// --- what was chosen

function choice() {
  const c = {graph: by("graph").value, header: by("header").value, columns: by("columns").value.trim()};
  const source = by("source").value;
  if (source === "file") Object.assign(c, {communities: by("communities-file").value, community_column: by("community-column").value.trim()});
  if (source === "attribute") c.attribute = by("attribute").value.trim();
  if (source === "detect") c.detect = "leiden";
  c.unassigned = by("unassigned").value;
  return c;
}

function choiceOf(step) {
  const c = choice();
  if (step === "load") return {graph: c.graph, header: c.header, columns: c.columns};
  if (c.graph.startsWith("builtin:") && by("source").value === "file" && !c.communities) delete c.communities;
  if (step === "risk") c.k = Number(by("risk-k").value);
  if (step === "shares") Object.assign(c, {k: Number(by("release-k").value), shares: "1/2,1/3,1/4,1/5,1/10"});
  if (step === "frontier") c.k = Number(by("release-k").value);
  if (step === "release") {
    c.k = Number(by("release-k").value);
    c.max_share = by("release-share").value.trim();
    c.split_weight = by("release-weight").value.trim();
    c.name = by("name").value.trim();
    c.publish_communities = by("publish-communities").checked;
    c.force = by("force").checked;
  }
  return c;
}

async function run(step, again) {
  try {
    await ask("/api/run", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({step, choice: choiceOf(step)})});
  } catch (error) {
    if (error.name === "TimeoutError" && !again) { // unless only the answer was lost
      state = await ask("/api/state").catch(() => state);
      if (state.running !== step) run(step, true);
      return;
    }
    const out = by("out-" + step);
    out.replaceChildren(make("p", {class: "notice", role: "alert"}, error.message));
  }
}

// --- what a step told

function cards(pairs) {
  return make("ul", {class: "cards"}, ...pairs.filter(p => p).map(([value, label]) => make("li", {}, make("b", {}, String(value)), make("span", {}, label))));
}

function told(step, s) {
  const parts = [];
  const failure = s.result && s.result.failure;
  if (failure) parts.push(make("p", {class: "notice", role: "alert"}, failure.message));
  const before = steps.slice(0, steps.indexOf(step)).flatMap(name => state.steps[name] ? state.steps[name].messages : []);
  for (const message of s.messages || []) if (!before.includes(message) && (!failure || message !== failure.message)) parts.push(make("p", {class: "soft"}, message));
  if (!s.running && !failure && s.code && s.code !== 4 && s.code !== 5) parts.push(make("p", {class: "notice", role: "alert"}, s.stopped ? "Stopped." : "The command ended with code " + s.code + "."));
  if (s.code === 5) parts.push(make("p", {class: "soft"}, "Stopped early: this is the best that was found until then."));
  return parts;
}

const command = s => make("pre", {"aria-label": "The command that does the same"}, "$ " + s.command);

function network(r) {
  const parts = [cards([card(r.vertices, "person", "people"), card(r.edges, "contact", "contacts"),
    [r.degree ? number(r.degree.max) : "-", "most contacts of one person"], [r.format, "read as"]])];
  const c = r.cleaning;
  if (c && (c.self_loops || c.duplicate_edges)) parts.push(make("p", {}, "Left out: " + many(c.duplicate_edges, "contact that stands twice", "contacts that stand twice") + ", " + many(c.self_loops, "person who knows himself", "people who know themselves") + "."));
  return parts;
}

const show = {
  load: r => network(r),
  communities(r) {
    if (r.communities == null) return [make("p", {class: "notice"}, "No communities were found in what was chosen.")];
    const size = r.community_size || {};
    return [cards([card(r.communities, "community", "communities"), card(size.min, "person in the smallest", "people in the smallest"), card(size.max, "person in the largest", "people in the largest"),
      r.unassigned ? card(r.unassigned, "person without one", "people without one") : null, [percent(r.edges_inside), "of the contacts are inside one"]])];
  },
  risk(r, s) {
    const a = r.attack;
    const parts = [make("p", {class: r.satisfied ? "verdict" : "verdict no"}, r.satisfied
      ? "Every number of contacts occurs in at least " + r.k + " communities."
      : many(r.violating_vertices, "person has", "people have") + " a number of contacts that leaves fewer than " + r.k + " communities to choose from.")];
    parts.push(cards([[percent(a.expected_success), "of guesses are right"], [percent(a.largest_posterior), "for the surest guess"], [percent(a.baseline_success), "without knowing the contacts"]]));
    if (s.page) parts.push(make("iframe", {src: "/page/risk", title: "Who is exposed: pictures and people", sandbox: "allow-same-origin"}));
    return parts;
  },
  release(r) {
    const name = state.steps.release.choice.name;
    const parts = [judged(r)];
    if (state.steps.verify) parts.push(command(state.steps.verify));
    parts.push(cards([card(r.added_edges, "contact added", "contacts added"), card(r.added_vertices, "vertex added by splitting", "vertices added by splitting"), card(r.published_vertices, "vertex published", "vertices published"), card(r.published_edges, "contact published", "contacts published")]));
    const proof = [];
    if (r.least_added_vertices) proof.push("at least " + many(r.least_added_vertices, "vertex", "vertices") + " must be added");
    if (r.least_added_edges != null) proof.push("at least " + many(r.least_added_edges, "contact", "contacts") + " must be added" + (r.added_vertices ? " with so many vertices" : ""));
    if (proof.length) parts.push(make("p", {}, "Proved: " + proof.join("; ") + "."));
    const files = list => make("ul", {}, ...list.map(f => make("li", {}, make("code", {}, f))));
    const open = [name + ".edges"], closed = [name + ".map", name + ".summary.json", name + ".report.html"];
    if (state.steps.release.choice.publish_communities) open.push(name + ".communities");
    parts.push(make("div", {class: "two"},
      make("div", {class: "public"}, make("h3", {}, "Publish"), files(open)),
      make("div", {class: "private"}, make("h3", {}, "Keep private"), files(closed), make("p", {class: "soft"}, "The map tells who is who. It is on the disk, readable by you alone, and was not sent to this page."))));
    return parts;
  },
};

function judged(r) {
  const s = state.steps.verify, good = s && s.result && s.result.valid && s.result.satisfied;
  if (s && s.running) return make("p", {class: "soft"}, "Recounting from the written files \u2026");
  return make("p", {class: r.satisfied && r.valid && good ? "verdict" : "verdict no"}, r.satisfied && r.valid && good
    ? "Verified: in the release every number of contacts occurs in at least " + r.k + " communities" + (r.max_share ? ", and no community has more than " + r.max_share + " of any" : "") + ". It was recounted before it was written, and once more from the files on the disk."
    : "The release was not verified" + (s && s.result && s.result.error ? ": " + s.result.error : "") + ". Do not publish it.");
}

// --- choosing k

const succeeded = r => r.k && (r.outcome === "done" || r.outcome === "limit");
const value = share => { const [a, b] = share.split("/"); return Number(a) / Number(b || 1); };
const latest = (rows, key) => [...new Map(rows.filter(succeeded).map(r => [r[key], r])).values()]; // a row may come again, cheaper
const whose = (r, key) => r.taken_from ? r[key] + ", as for " + r.taken_from : r[key];
function points() {
  const s = state && state.steps.choose;
  return s ? latest(s.rows, "k").sort((a, b) => a.k - b.k) : [];
}
function shares() {
  const s = state && state.steps.shares;
  return s ? latest(s.rows, "max_share").sort((a, b) => value(b.max_share) - value(a.max_share)) : [];
}
const advice = () => state && state.steps.choose ? state.steps.choose.rows.find(r => "advised_k" in r) : null;

function line(x, y) {
  return x.map((v, i) => (i ? "L" : "M") + v.toFixed(1) + " " + y[i].toFixed(1)).join("");
}

function drawChart(p, chosen) {
  const box = by("chart");
  if (p.length < 2) { box.replaceChildren(); return; }
  const W = Math.min(560, Math.max(300, box.clientWidth)), H = 240, L = 50, R = 50, T = 16, B = 40;
  const top = Math.max(...p.map(r => r.price), 0.0001), surest = p.map(r => r.attack.largest_posterior);
  const x = p.map((r, i) => L + (W - L - R) * i / (p.length - 1));
  const price = p.map(r => T + (H - T - B) * (1 - r.price / top)), guess = surest.map(g => T + (H - T - B) * (1 - g));
  const svg = make("svg", {viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "What each k adds, and the surest guess that it leaves; the table has the numbers"});
  svg.append(make("path", {class: "axis", d: `M${L} ${T}V${H - B}H${W - R}V${T}`}));
  svg.append(make("path", {class: "price", d: line(x, price)}), make("path", {class: "guess", d: line(x, guess)}));
  p.forEach((r, i) => {
    svg.append(make("circle", {class: "price", cx: x[i], cy: price[i], r: 4}, make("title", {}, `k = ${r.k}: ${percent(r.price)} added`)));
    svg.append(make("rect", {class: "guess", x: x[i] - 3.5, y: guess[i] - 3.5, width: 7, height: 7}, make("title", {}, `k = ${r.k}: surest guess ${percent(surest[i])}`)));
    svg.append(make("text", {x: x[i], y: H - B + 16, "text-anchor": "middle"}, String(r.k)));
    if (i === chosen) svg.append(make("line", {class: "now", x1: x[i], x2: x[i], y1: T, y2: H - B}));
  });
  const label = (lx, ly, anchor, text) => svg.append(make("text", {x: lx, y: ly, "text-anchor": anchor}, text));
  label(L - 6, T + 10, "end", percent(top)); label(L - 6, H - B, "end", "0");
  label(W - R + 6, T + 10, "start", "100 %"); label(W - R + 6, H - B, "start", "0");
  label(W / 2, H - 6, "middle", "k     \u25cf added (left)     \u25a0 surest guess (right)");
  box.replaceChildren(svg);
}

function chooseTable(p) {
  const best = advice();
  const change = share => share == null ? "-" : (share < 0 ? "\u2212" : "+") + percent(Math.abs(share));
  return table("What each k costs and buys", ["k", "contacts added", "vertices added", "guess right", "surest guess", "clustering", "distances"], p.map(r => ({
    advised: best && best.advised_k === r.k, name: whose(r, "k"),
    cells: [number(r.added_edges), number(r.added_vertices), percent(r.attack.expected_success), percent(r.attack.largest_posterior), change(r.change.clustering), change(r.change.aspl)]})));
}

function table(caption, titles, rows) {
  const wide = i => i > 4 ? {class: "wide"} : {};
  const head = titles.map((t, i) => make("th", Object.assign({scope: "col"}, wide(i)), t));
  const body = rows.map(r => make("tr", r.advised ? {class: "advised"} : {}, make("th", {scope: "row"}, r.name, r.advised ? " (advised)" : ""), ...r.cells.map((c, i) => make("td", wide(i + 1), c))));
  return make("div", {class: "scroll"}, make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
}

function showShares(s) {
  const p = shares(), best = s.rows.find(r => "advised_share" in r), parts = told("shares", s);
  if (best) parts.unshift(make("p", {class: "verdict"}, best.why));
  const none = s.rows.filter(r => r.max_share && !succeeded(r) && !p.some(other => other.max_share === r.max_share)).map(r => r.max_share).sort((a, b) => value(b) - value(a));
  if (p.length) parts.push(table("What each largest share costs and buys at k = " + s.choice.k, ["share", "contacts added", "vertices added", "guess right", "surest guess"], p.map(r => ({
    advised: best && best.advised_share === r.max_share, name: whose(r, "max_share"),
    cells: [number(r.added_edges), number(r.added_vertices), percent(r.attack.expected_success), percent(r.attack.largest_posterior)]}))));
  if (none.length) parts.push(make("p", {class: "soft"}, "No release was found for " + none.join(", ") + "."));
  by("slide-share").hidden = p.length === 0;
  by("share").max = p.length;
  slidShare();
  return parts;
}

function slidShare() {
  const r = shares()[Number(by("share").value) - 1];
  by("share-shown").textContent = r ? r.max_share : "any";
  by("share-words").textContent = r ? `At k = ${r.k} a largest share of ${r.max_share} adds ${many(r.added_edges, "contact", "contacts")}${r.added_vertices ? " and " + many(r.added_vertices, "vertex", "vertices") : ""}; no guess by the number of contacts is then right more often than ${percent(r.attack.largest_posterior)} of the time.` : "";
  by("release-share").value = r ? r.max_share : "";
}

function showFrontier(s) {
  const parts = told("frontier", s), found = s.result && s.result.frontier;
  if (!found) return parts;
  const rows = found.points.map((f, i) => {
    const pick = make("input", {type: "radio", name: "point", id: "point-" + i});
    pick.addEventListener("change", () => { by("release-weight").value = f.split_weight; });
    return {name: f.repeatable ? make("label", {for: "point-" + i}, pick, " take it") : "only to compare",
      cells: [number(f.added_edges), number(f.added_vertices), f.least_added_edges == null ? "-" : number(f.least_added_edges)]};
  });
  parts.push(table("Releases for k = " + s.choice.k, ["release", "contacts added", "vertices added", "contacts needed at least"], rows));
  return parts;
}

function slid() {
  const p = points(), r = p[Number(by("k").value)];
  if (!r) return;
  by("k-shown").textContent = r.k;
  by("k-words").textContent = `k = ${r.k} adds ${many(r.added_edges, "contact", "contacts")}${r.added_vertices ? " and " + many(r.added_vertices, "vertex", "vertices") : ""}; the surest guess is then right ${percent(r.attack.largest_posterior)} of the time.`;
  by("release-k").value = r.k;
  drawChart(p, Number(by("k").value));
}

let shownPoints = 0;
function showChoose(s) {
  const p = points(), best = advice(), parts = told("choose", s);
  if (p.length) parts.push(chooseTable(p));
  if (best && best.why) parts.unshift(make("p", {class: "verdict"}, best.why));
  by("slide").hidden = p.length === 0;
  by("k").max = Math.max(0, p.length - 1);
  const key = p.length + (best ? 1000 : 0);
  if (key !== shownPoints) {
    shownPoints = key;
    const at = best ? p.findIndex(r => r.k === best.advised_k) : p.length - 1;
    by("k").value = Math.max(0, at);
    slid();
  }
  return parts;
}

// --- the whole page

function options(select, list, first) {
  const before = select.value;
  select.replaceChildren(...first.map(([value, text]) => make("option", {value}, text)), ...list.map(f => make("option", {value: f}, f)));
  if ([...select.options].some(o => o.value === before)) select.value = before;
}

function fill() {
  const files = state.files.map(f => f.name).sort();
  options(by("graph"), files, [["builtin:lesmis", "built in: Les Mis\u00e9rables"], ["builtin:karate", "built in: karate club"]]);
  options(by("communities-file"), files, [["", "(those of the built-in network)"]]);
  if (arrived && files.includes(arrived)) {
    const own = state.steps.load && !state.steps.load.choice.graph.startsWith("builtin:"); // the network comes first
    by(own ? "communities-file" : "graph").value = arrived;
    arrived = null;
  }
  if (!filled) { // after a reload: what was chosen before
    filled = true;
    for (const step of steps) {
      const c = state.steps[step] && state.steps[step].choice;
      if (!c) continue;
      if (c.graph) by("graph").value = c.graph;
      if (c.header) by("header").value = c.header;
      if (c.columns) by("columns").value = c.columns;
      if (step === "load") continue;
      by("source").value = c.detect ? "detect" : c.attribute ? "attribute" : "file";
      if (c.communities) by("communities-file").value = c.communities;
      if (c.community_column) by("community-column").value = c.community_column;
      if (c.attribute) by("attribute").value = c.attribute;
      by("unassigned").value = c.unassigned || "";
      if (step === "risk" && c.k) by("risk-k").value = c.k;
      if (step === "release") { by("release-k").value = c.k; by("release-share").value = c.max_share || ""; by("release-weight").value = c.split_weight || ""; by("name").value = c.name; by("publish-communities").checked = !!c.publish_communities; }
    }
    sourceChanged();
  }
}

function sourceChanged() {
  for (const label of document.querySelectorAll("[data-source]")) label.hidden = label.dataset.source !== by("source").value;
}

const lists = {choose: showChoose, shares: showShares, frontier: showFrontier};
function nothing(step) {
  if (step === "choose") { by("chart").replaceChildren(); by("slide").hidden = true; by("k-words").textContent = ""; shownPoints = 0; }
  if (step === "shares") { by("slide-share").hidden = true; by("share").value = 0; by("share-words").textContent = ""; }
}

function showBusy() {
  const share = /(\d+) %/.exec(state.progress), bar = by("busy-bar");
  by("busy").hidden = !state.running;
  if (share) bar.value = Number(share[1]); else bar.removeAttribute("value");
  by("busy-text").textContent = state.running ? titles[state.running] + ": " + (state.progress || "working") + (/ s( left)?$/.test(state.progress) ? "" : ", " + Math.round(state.seconds) + " s so far") : "";
}

const rendered = {};
function render() {
  fill();
  by("folder").textContent = state.folder;
  by("steps").replaceChildren(...[...listed, "report"].map(step => {
    const s = state.steps[step === "report" ? "release" : step];
    const done = s && !s.running && (step === "report" ? s.page : s.code === 0 || s.code === 4 || s.code === 5), failed = s && !s.running && !done && step !== "report";
    return make("li", {class: done ? "done" : failed ? "failed" : ""}, make("a", {href: "#" + step}, titles[step], make("span", {class: "unseen"}, done ? ", done" : failed ? ", failed" : "")));
  }));
  for (const step of steps) {
    const s = state.steps[step], key = JSON.stringify([s || null, step === "release" ? state.steps.verify : null]);
    if (step === "verify") continue; // stands with the release
    by("run-" + step).disabled = !!state.running;
    if (rendered[step] === key) continue;
    rendered[step] = key;
    const out = by("out-" + step);
    if (!s) { out.replaceChildren(); nothing(step); continue; }
    const parts = [command(s), ...(lists[step] ? lists[step](s) : told(step, s))];
    if (s.result && !s.result.failure && show[step]) parts.push(...show[step](s.result, s));
    out.replaceChildren(...parts);
  }
  const release = state.steps.release, page = release && release.page ? release.choice.name : "";
  if (rendered.report !== page) {
    rendered.report = page;
    by("out-report").replaceChildren(...(page ? [make("p", {}, make("a", {href: "/page/release", target: "_blank", rel: "noopener"}, "Open it alone, to print it")), make("iframe", {src: "/page/release", title: "The report of the release", sandbox: "allow-same-origin"})] : [make("p", {class: "soft"}, "When the release is there.")]));
  }
  showBusy();
}

let pending = false, again = false, events = null;
async function refresh() {
  if (pending) { again = true; return; }
  pending = true;
  try {
    state = await ask("/api/state");
    by("lost").hidden = true;
    render();
  } catch (error) {
    by("lost").hidden = false;
    if (events && events.readyState === EventSource.OPEN) setTimeout(refresh, 1000); // it is there, the answer was lost
  }
  pending = false;
  if (again) { again = false; refresh(); }
}

// --- files

async function upload(file) {
  by("upload-note").textContent = "Copying " + file.name + " \u2026";
  try {
    await ask("/api/files/" + encodeURIComponent(file.name), {method: "PUT", body: file, signal: null});
    by("upload-note").textContent = file.name + " is in the folder now.";
    arrived = file.name;
    refresh();
  } catch (error) {
    by("upload-note").textContent = error.message;
  }
}

function begin() {
  for (const step of steps) if (step !== "verify") by("run-" + step).addEventListener("click", () => run(step));
  by("cancel").addEventListener("click", () => ask("/api/cancel", {method: "POST"}).catch(() => {}));
  by("stop").addEventListener("click", () => ask("/api/stop", {method: "POST"}).catch(() => {}));
  by("source").addEventListener("change", sourceChanged);
  by("k").addEventListener("input", slid);
  by("share").addEventListener("input", slidShare);
  by("upload").addEventListener("change", event => { if (event.target.files[0]) upload(event.target.files[0]); });
  const drop = by("drop");
  drop.addEventListener("dragover", event => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", event => { event.preventDefault(); drop.classList.remove("over"); if (event.dataTransfer.files[0]) upload(event.dataTransfer.files[0]); });
  sourceChanged();
  refresh();
  events = new EventSource("/api/events");
  events.onmessage = refresh;
  events.onerror = () => { by("lost").hidden = events.readyState === EventSource.OPEN; };
  events.onopen = () => { by("lost").hidden = true; refresh(); };
}
begin();

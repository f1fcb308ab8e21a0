// ---- the page: what is played, by whom, and the address that holds it --------------------------------------------
const DATA = /*DATA*/null;
const $ = id => document.getElementById(id);
const isFrogs = name => name in DATA.variants;
const listOf = text => text === "" ? [] : text.split(";");

const ui = {
  game: null, state: null, ponds: [], history: [], chosen: null, pending: null, message: "", refused: false, hints: [], timer: 0, pause: 450, side: "both",

  player: () => PLAYERS[ui.state.turn % 2],
  solo: () => !!ui.game?.goal,
  isHuman: () => ui.solo() || ui.side === "both" || ui.side === ui.player(),
  over: () => !ui.pending && ui.game.ended(ui.state) !== null,
  acts: () => !ui.over() && ui.isHuman(),
  edits: () => ui.game instanceof Frogs && $("edit").checked,
  marked: () => $("showP").checked && !ui.over() && !ui.waits() ? ui.game.winning(ui.state) : ui.hints,
  waits: () => !(ui.game instanceof Frogs) && ui.game.waits(ui.state),
  unknown: () => !(ui.game instanceof Frogs) && ui.game.unknown(ui.state),
  quiet() { ui.hints = []; ui.message = ""; ui.refused = false; },
  refuse(text) { ui.message = text; ui.refused = true; ui.draw(); },
  reset() {
    ui.quiet(); ui.pending = null; ui.chosen = null;
    if (ui.game instanceof Frogs && ui.game.rules.owned && !ui.game.placing(ui.state)) ui.chosen = {pond: 0, frog: 1};
  },

  begin() {  // a new game of what is set
    clearTimeout(ui.timer);
    const name = $("variant").value;
    ui.history = []; $("log").replaceChildren();
    try {
      if (isFrogs(name)) {
        const rules = DATA.variants[name], own = Object.fromEntries(Object.keys(rules.parameters).map(key => [key, parameter(key)]));
        while (ui.ponds.length < (rules.many ? 2 : 1)) ui.ponds.push(newPond());
        ui.game = new Frogs({...rules, ...own}, rules.many ? ui.ponds : ui.ponds.slice(0, 1));
      } else ui.game = new Options(DATA.games.find(game => game.name === name), $("start").value, $("misere").checked);
    } catch (error) {
      ui.game = null; settings();
      $("board").replaceChildren(); $("legend").replaceChildren(); $("you").textContent = "";
      credits();
      $("hint").disabled = $("undo").disabled = $("done").hidden = true;
      $("status").className = "refused"; $("status").replaceChildren(isFrogs(name) ? error.message : `${shortly($("start").value)} cannot be the start. ${error.message}`);
      return;
    }
    ui.state = ui.game.start();
    ui.side = $("human").value !== "winner" ? $("human").value : "";
    ui.takeSide(); ui.reset(); remember(); ui.draw(); ui.opponent();
  },
  takeSide() { if (!ui.side && !ui.waits()) ui.side = PLAYERS[ui.game.winning(ui.state).length || ui.unknown() ? 0 : 1]; },
  searched() {  // a worker has an answer, or none
    if (!ui.game || ui.waits()) return;
    clearTimeout(ui.timer);
    ui.takeSide(); ui.draw(); ui.opponent();
    if (ui.asked === ui.state) ui.hint();
  },
  play(m) {
    const entry = document.createElement("li");
    entry.textContent = `${ui.solo() ? "" : ui.player() + " "}${ui.game.words(ui.state, m)}`;
    $("log").append(entry); $("log").scrollTop = 1e6;
    ui.history.push(ui.state); ui.state = ui.game.after(ui.state, m);
    ui.reset(); ui.draw(); ui.opponent();
  },
  opponent() {
    if (ui.over() || ui.isHuman() || ui.waits()) return;
    ui.timer = setTimeout(() => ui.play(ui.answer(ui.state, Number($("errs").value))), ui.pause);
  },
  answer: (s, errs) => Math.random() < errs ? any(ui.game.moves(s)) : ui.game.best(s),
  takeBack() {
    clearTimeout(ui.timer);
    if (!ui.pending) do {
      if (!ui.history.length) break;
      ui.state = ui.history.pop(); $("log").lastChild.remove();
    } while (!ui.isHuman() && ui.history.length);
    ui.reset(); ui.draw(); ui.opponent();
  },
  choose(part, words) {  // of a game of options: the move, once there is but one
    if (!ui.acts()) return;
    ui.message = ""; ui.refused = false;
    const all = ui.game.moves(ui.state).filter(m => m.part === part);
    const fit = all.filter(m => words.every((word, i) => m.words[i] === word));
    if (fit.length === 1 && (words.length === fit[0].words.length || all.length === 1)) return ui.play(fit[0]);
    ui.chosen = {part, words: fit.length ? words : []};
    if (!fit.length) return ui.refuse(all.length ? `You may not ${words[0]} here.` : "Nothing can be moved there.");
    if (fit.every(m => m.words[words.length] === fit[0].words[words.length])) return ui.choose(part, [...words, fit[0].words[words.length]]);
    ui.draw();
  },
  hint() {
    if (ui.over() || ui.pending) return;
    ui.asked = ui.waits() ? ui.state : null;
    if (ui.asked || ui.unknown()) { ui.message = saying(false); return ui.draw(); }
    ui.hints = ui.game.winning(ui.state); ui.refused = false;
    const [first] = ui.hints, frogs = ui.game instanceof Frogs;
    if (ui.solo()) ui.message = first ? `A shortest solution goes on with: ${ui.game.words(ui.state, first)}.` : "This position has no solution: take back a move.";
    else if (!first) ui.message = `${PLAYERS[(ui.state.turn + 1) % 2]} wins against any move${frogs ? ", by the matching" : ""}.`;
    else ui.message = frogs ? `${ui.player()} wins; a winning ${ui.game.placing(ui.state) ? "pad" : "jump"} is marked.`
      : `${ui.player()} wins; a winning move: ${ui.player()} ${ui.game.words(ui.state, first)}.`;
    if (first) ui.chosen = frogs ? (first.frog === null ? null : {pond: first.pond, frog: first.frog}) : {part: first.part, words: []};
    ui.draw();
  },
  addPad(number, place) {
    const pond = ui.ponds[number], digits = Math.max(0, 3 - Math.ceil(Math.log10(pond.span)));
    const point = place.map(t => Number((pond.side === null ? t : (t + pond.side) % pond.side).toFixed(digits)));
    if (pond.points.length >= DATA.largest) return ui.refuse(`A pond on this page has at most ${DATA.largest} pads.`);
    pond.points.push(point); pond.colors.push(Number($("color").value)); ui.begin();
  },
  removePad(number, pad) {
    ui.ponds[number].points.splice(pad, 1); ui.ponds[number].colors.splice(pad, 1); ui.begin();
  },

  draw() {
    if (!ui.game) return;
    const frogs = ui.game instanceof Frogs, box = $("board"), rules = ui.game.rules, focus = focused(box);
    settings();
    box.replaceChildren();
    const count = frogs ? ui.game.ponds.length : 0, side = count > 1 && box.clientWidth > 700 ? (box.clientWidth - 12) / 2 : box.clientWidth;
    const wide = Math.max(240, Math.floor(Math.min(side, Math.max(320, innerHeight - 250))));
    if (frogs) ui.ponds.slice(0, count).forEach((pond, number) => pondView(ui, pond, number, wide));
    else boardView(ui, box);
    focus(box);
    credits();
    $("done").hidden = !ui.pending; $("hint").disabled = ui.over() || !!ui.pending; $("undo").disabled = !ui.history.length && !ui.pending;
    const end = ui.pending ? null : ui.game.ended(ui.state), who = document.createElement("b"), text = document.createElement("span");
    who.textContent = end ? (end.winner === null ? "" : end.winner === "Solved" ? "Solved." : `${end.winner} wins.`) : ui.solo() ? "Your move" : `${ui.player()} to move`;
    text.textContent = end ? end.text : ui.message || saying(ui.acts());
    $("status").className = end ? "over" : ui.refused ? "refused" : "";
    $("status").replaceChildren(who, text);
    $("you").textContent = !ui.side || ui.solo() || ["both", "nobody"].includes(ui.side) ? "" : `You are ${ui.side}.`;
    legend(frogs ? rules : null);
  },
};

// ---- the keyboard: Enter and Space click, arrows lead to the nearest part in their direction, and focus outlives a drawing of the board
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const partsOf = box => [...box.querySelectorAll("button, [role=button]")];
const nameOf = e => e.id || e.dataset.part;
function focused(box) {  // how to focus what is focused now, or what is in its place
  const before = document.activeElement, place = partsOf(box).indexOf(before);
  return now => {
    const parts = place < 0 ? [] : partsOf(now);
    (parts.find(e => nameOf(e) && nameOf(e) === nameOf(before)) ?? parts[Math.min(place, parts.length - 1)])?.focus();
  };
}
function pressed(event) {
  const {target, key} = event, way = ARROWS[key];
  if (target.getAttribute("role") === "button" && (key === "Enter" || key === " ")) {
    event.preventDefault(); target.dispatchEvent(new Event("click", {bubbles: true}));
  } else if (way && partsOf($("board")).includes(target)) {
    event.preventDefault();
    const middle = e => (({left, top, width, height}) => [left + width / 2, top + height / 2])(e.getBoundingClientRect()), [x, y] = middle(target);
    const far = partsOf($("board")).flatMap(e => {  // those ahead, by how far they are, twice to the side
      const [a, b] = middle(e), ahead = (a - x) * way[0] + (b - y) * way[1];
      return ahead > 1 ? [[ahead + 2 * Math.abs((a - x) * way[1] + (b - y) * way[0]), e]] : [];
    });
    far.sort((one, other) => one[0] - other[0])[0]?.[1].focus();
  }
}

function saying(human) {
  const {game, state, pending} = ui;
  if (ui.edits()) return "Click the water to place a pad, a pad to take it away.";
  if (ui.unknown()) return "A minute's search did not say who wins: here the other player moves at random.";
  if (ui.waits() && !human) return "The page searches who wins, for up to a minute.";
  if (!human) return "The other player thinks.";
  if (!(game instanceof Frogs)) return game.kind.ask;
  if (pending) return `Click the pads that ${PLAYERS[(state.turn + 1) % 2]} may not use next (${pending.stones.length} of ${game.rules.k}).`;
  if (game.placing(state)) return "Click a pad to place the frog.";
  return ui.chosen ? "Click a pad inside the circle." : "Click the frog that jumps, then a pad.";
}
function legend(rules) {
  const frogs = rules?.owned ? [{name: "Alice's frog", fill: SKIN.amber}, {name: "Bob's frog", fill: SKIN.blue}] : [];
  $("legend").replaceChildren(...(rules ? rules.pads.concat(frogs) : []).map(({name, fill}) => {
    const span = document.createElement("span"), dot = document.createElement("i");
    dot.style.background = fill; span.append(dot, name); return span;
  }), rules && ui.ponds[0].side !== null ? "The pond is a torus: distances go round its edges." : "");
}
function credits() {  // the rules, and who wrote about the game
  const {about, source} = DATA.variants[$("variant").value] ?? gameData();
  $("about").textContent = about; $("source").textContent = source && `Source: ${source}`;
}
function settings() {  // the fields that the game has
  const name = $("variant").value, rules = DATA.variants[name];
  for (const e of document.querySelectorAll("[data-for]")) {
    const needs = e.dataset.for;
    e.hidden = needs === "pads" ? !rules : needs === "many" ? !rules?.many : needs === "colors" ? !(rules?.pads.length > 1)
      : needs === "options" ? !!rules : needs === "two" ? ui.solo() : needs === "plain" ? !!rules || ui.solo() : !(rules && needs in rules.parameters);
  }
  $("color").replaceChildren(...(rules?.pads ?? []).map(({name}, color) => new Option(name, color, false, String(color) === $("color").value)));
}
function parameter(key) {
  const value = Number($(key).value);
  if ($(key).value === "" || !(value >= 0) || (key === "k" && !Number.isInteger(value))) throw Error(`${key} is a ${key === "k" ? "whole " : ""}number from 0, not ${shortly($(key).value)}.`);
  return value;
}

// ---- ponds: random ones, and the address
const scaled = pond => {
  const low = [0, 1].map(axis => pond.side !== null ? 0 : Math.min(0, ...pond.points.map(p => p[axis] ?? 0)));
  const reach = Math.max(1, ...pond.points.flatMap(p => p.map((t, axis) => t - low[axis])));
  return {...pond, low, span: pond.side ?? Math.max(reach, pond.span ?? 0)};
};
function randomPond(n, torus, dim) {
  const side = Math.max(n, 1) ** (1 / dim), points = [];
  const far = (p, q) => Math.hypot(...p.map((t, axis) => torus ? Math.min(Math.abs(t - q[axis]), side - Math.abs(t - q[axis])) : t - q[axis]));
  while (points.length < n) {  // pads that lie on one another cannot be clicked: look for a place apart, up to 400 times
    let point, tries = 0;
    do point = Array.from({length: dim}, () => Math.floor(Math.random() * side * 100) / 100);
    while (++tries < 400 && points.some(q => far(point, q) < .62));
    points.push(point);
  }
  const colors = points.map((_, i) => i % 2).sort(() => Math.random() - .5);
  return scaled({points, colors, side: torus ? Number(side.toFixed(2)) : null, dim, span: side});
}
function newPond() {
  const n = Math.min(DATA.largest, Math.max(0, Math.round(Number($("pads").value)) || 0));
  return randomPond(n, $("torus").checked, ui.ponds[0]?.dim ?? 2);
}
function remember() {
  const words = {game: $("variant").value, human: $("human").value, errs: $("errs").value};
  if (ui.game instanceof Frogs) {
    for (const key of Object.keys(ui.game.rules.parameters)) words[key] = $(key).value;
    const visible = ui.ponds.slice(0, ui.game.ponds.length);
    words.pads = visible.map(pond => pond.points.map((p, i) => [...p, pond.colors[i]].join(",")).join(";")).join("/");
    if (visible[0].side !== null) words.side = visible[0].side;
    if (visible[0].dim === 1) words.dim = 1;
  } else Object.assign(words, {start: $("start").value, ...($("misere").checked ? {misere: 1} : {})});
  const text = Object.entries(words).map(([key, value]) => `${key}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3B/g, ";").replace(/%2F/g, "/")}`).join("&");
  history.replaceState(null, "", `#${text}`); $("link").href = `#${text}`;
}
const shortly = text => JSON.stringify(text.length > 40 ? text.slice(0, 40) + "…" : text);
function recall() {  // what the address says, or an error that quotes what is wrong
  const words = {}, keys = ["game", "human", "errs", "c", "k", "pads", "side", "dim", "start", "misere"];
  for (const part of location.hash.slice(1).split("&").filter(Boolean)) {
    const [key, ...rest] = part.split("=");
    if (!keys.includes(key)) throw Error(`${shortly(part)} is not understood; there are ${keys.map(name => name + "=").join(", ")}`);
    try { words[key] = decodeURIComponent(rest.join("=")); } catch { throw Error(`${shortly(part)} is not understood`); }
  }
  const dim = words.dim === "1" ? 1 : 2, side = "side" in words ? Number(words.side) : null, plane = dim === 1 ? "x" : "x,y";
  const known = (menu, name) => [...$(menu).options].some(option => option.value === name);
  if ("game" in words && !known("variant", words.game)) throw Error(`there is no such game, ${shortly(words.game)}`);
  if ("human" in words && !known("human", words.human)) throw Error(`human is ${[...$("human").options].map(option => option.value).join(", ")}, not ${shortly(words.human)}`);
  if ("errs" in words && !(words.errs !== "" && words.errs >= 0 && words.errs <= 1)) throw Error(`errs is a chance from 0 to 1, not ${shortly(words.errs)}`);
  if ("dim" in words && !["1", "2"].includes(words.dim)) throw Error(`dim is 1 or 2, not ${shortly(words.dim)}`);
  if ("misere" in words && !["0", "1"].includes(words.misere)) throw Error(`misere is 0 or 1, not ${shortly(words.misere)}`);
  if (side !== null && !(side > 0 && side < 1e9)) throw Error(`the side of a torus is a positive number, not ${shortly(words.side)}`);
  const ponds = "pads" in words ? words.pads.split("/").map(text => listOf(text).map(pad => ({text: pad, at: pad.split(",").map(t => t.trim() ? Number(t) : NaN)}))) : null;
  for (const pond of ponds ?? []) {
    if (pond.length > DATA.largest) throw Error(`a pond has at most ${DATA.largest} pads, not ${pond.length}`);
    for (const {text, at} of pond) {
      if (at.length !== dim + 1 || !at.every(t => Math.abs(t) < 1e9) || ![0, 1].includes(at[dim])) throw Error(`a pad is ${plane},0 or ${plane},1, not ${shortly(text)}`);
      if (side !== null && !at.slice(0, dim).every(t => t >= 0 && t < side)) throw Error(`the pad ${shortly(text)} lies beyond the side of the torus`);
    }
  }
  if (ponds) ui.ponds = ponds.map(pads => scaled({points: pads.map(pad => pad.at.slice(0, dim)), colors: pads.map(pad => pad.at[dim]), side, dim}));
  if ("game" in words) $("variant").value = words.game;
  const number = word => word.trim() && Number.isFinite(Number(word)) ? Number(word) : "";  // browsers warn of other values of a number field
  for (const key of ["human", "errs", "c", "k", "start"]) if (key in words) $(key).value = $(key).type === "number" ? number(words[key]) : words[key];
  if (!isFrogs($("variant").value) && !("start" in words)) $("start").value = gameData().start;
  if ("game" in words) $("misere").checked = words.misere === "1";
}
const gameData = () => DATA.games.find(game => game.name === $("variant").value);

function load() {
  let wrong = "";
  try { recall(); } catch (error) { wrong = `The address cannot be read: ${error.message}.`; }
  ui.begin();
  if (wrong) ui.refuse(wrong);
}
function prepare() {
  for (const [label, names] of [["Frogs on pads", Object.keys(DATA.variants)], ["Other games", DATA.games.map(game => game.name)]]) {
    const group = document.createElement("optgroup");
    group.label = label; group.append(...names.map(name => new Option(name, name))); $("variant").append(group);
  }
  ui.ponds = DATA.patterns.map(scaled);
  $("variant").value = DATA.game; $("human").value = DATA.human; $("errs").value = DATA.errs; $("misere").checked = DATA.isMisere;
  for (const {parameters} of Object.values(DATA.variants)) for (const [key, value] of Object.entries(parameters)) $(key).value = value;
  $("start").value = gameData()?.start ?? ""; $("pads").value = ui.ponds[0]?.points.length ?? 13; $("torus").checked = (ui.ponds[0]?.side ?? null) !== null;
  $("variant").onchange = () => { $("start").value = gameData()?.start ?? ""; $("edit").checked = false; ui.begin(); };
  for (const id of ["human", "errs", "misere", "start", "c", "k"]) $(id).onchange = ui.begin;
  $("new").onclick = ui.begin; $("undo").onclick = ui.takeBack; $("hint").onclick = ui.hint;
  $("newPond").onclick = () => {
    const count = DATA.variants[$("variant").value].many ? Math.min(4, Math.max(2, Math.round(Number($("count").value)) || 2)) : 1;
    ui.ponds = Array.from({length: count}, newPond); ui.begin();
  };
  $("done").onclick = () => { const move = ui.pending; ui.pending = null; ui.play(move); };
  for (const id of ["showLegal", "showMatching", "showP", "edit"]) $(id).onchange = ui.draw;
  $("board").addEventListener("keydown", pressed);
  addEventListener("resize", ui.draw);
  addEventListener("hashchange", load);
}
solver.ready = ui.searched;
prepare();
load();

// ---- ponds to look at and to click on ---------------------------------------------------------------------
const SVG = "http://www.w3.org/2000/svg", SKIN = {amber: "#ffc25c", blue: "#7fb4ee", both: "#e4ee7a", ink: "#16302a"};
function make(parent, tag, attributes, text) {
  const e = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text !== undefined) e.textContent = text;
  parent.append(e); return e;
}
function leaf(x, y, r) {  // a disc with a notch
  const at = t => `${x + r * Math.cos(t)} ${y + r * Math.sin(t)}`;
  return `M ${x} ${y} L ${at(-.5)} A ${r} ${r} 0 1 1 ${at(-1.1)} Z`;
}
// Where a pond lies on the screen. One unit of the picture is one pixel, so that letters have one size. A finger needs 44 pixels: the
// picture is as wide as pads need that do not overlap, up to a bound, and its box is scrolled.
const TOUCH = 44, WIDEST = 6000;
function narrowest(pond) {  // distance of the two nearest pads, in the unit of the pond
  const gaps = pond.points.flatMap((a, i) => pond.points.slice(i + 1).map(b => Math.hypot(...a.map((t, axis) => t - b[axis])))).filter(gap => gap > 0);
  return Math.min(...gaps, pond.span);
}
function placed(pond, wide) {
  const torus = pond.side !== null, edge = torus ? 0 : 32, rim = torus ? 24 : 0, flat = pond.dim === 1, {low, span} = pond;
  const space = Math.max(wide - 2 * rim, Math.min(flat ? WIDEST : WIDEST / 3, Math.ceil(TOUCH * span / narrowest(pond)) + 2 * edge));
  const high = flat ? Math.min(260, space) : space, scale = (space - 2 * edge) / span;
  const middle = pond.points.map(p => [edge + (p[0] - low[0]) * scale, flat ? high * .62 : high - edge - (p[1] - low[1]) * scale]);
  const gaps = middle.flatMap((a, i) => middle.slice(i + 1).map(b => Math.hypot(a[0] - b[0], a[1] - b[1])));
  const back = (x, y) => flat ? [low[0] + (x - edge) / scale] : [low[0] + (x - edge) / scale, low[1] + (high - edge - y) / scale];
  return {torus, rim, flat, space, high, scale, middle, back, size: Math.max(9, Math.min(24, .48 * Math.min(...gaps)))};
}
function pondView(ui, pond, number, wide) {
  const {game, state, pending} = ui, view = placed(pond, wide), {torus, rim, flat, space, high, scale, middle, size} = view;
  const box = node($("board"), "div", "scroll");
  if (game.ponds.length > 1) node(box, "p", "caption", `Pond ${number}`);
  const svg = make(box, "svg", {class: "pond", role: "group", width: space + 2 * rim, height: high + 2 * rim,
    "aria-label": `Pond ${number}`, viewBox: `${-rim} ${-rim} ${space + 2 * rim} ${high + 2 * rim}`});
  const now = pending ? game.after(state, pending) : state, here = now.frogs[number], rules = game.rules;
  const chosen = ui.chosen?.pond === number ? ui.chosen.frog : null, human = ui.acts() && !ui.edits();
  if (torus) make(svg, "rect", {class: "seam", x: 0, y: flat ? -rim : 0, width: space, height: flat ? high + 2 * rim : high});
  const from = chosen !== null && here.length === 2 ? here[1 - chosen] : null;
  if (human && !pending && from !== null && $("showLegal").checked)
    for (const [x, y] of torus ? [-1, 0, 1].flatMap(i => (flat ? [0] : [-1, 0, 1]).map(j => [i * space, j * space])) : [[0, 0]])
      make(svg, "circle", {class: "reach", cx: middle[from][0] + x, cy: middle[from][1] + y, r: game.ponds[number].distance[here[0]][here[1]] * scale});
  if ($("showMatching").checked) lines(svg, game, number, view, pond);
  const mine = m => m.pond === number && (m.frog === null || m.frog === chosen);
  const legal = new Set(human && !pending && $("showLegal").checked ? game.moves(state).filter(mine).map(m => m.to) : []);
  const marked = $("showP").checked && !game.ended(state) && !pending ? game.winning(state) : ui.hints;
  const good = new Set(marked.filter(mine).map(m => m.to));
  middle.forEach(([x, y], i) => {
    const classes = ["pad", legal.has(i) && "legal", good.has(i) && "good", legal.size && !legal.has(i) && !here.includes(i) && "dim"];
    const g = make(svg, "g", {class: classes.filter(Boolean).join(" "), id: padId(game, number, i), tabindex: 0, role: "button", "aria-label": `pad ${i}`});
    make(g, "circle", {class: "touch", cx: x, cy: y, r: TOUCH / 2, fill: "transparent"});
    make(g, "path", {class: "leaf", d: leaf(x, y, size), fill: (rules.pads[pond.colors[i]] ?? rules.pads[0]).fill});
    make(g, "circle", {class: "ring", cx: x, cy: y, r: size + 3});
    make(g, "text", size >= 12 && !here.includes(i) ? {x, y} : {x, y: y + size + 11, class: "below"}, i);
    if (now.blocked.includes(i)) make(g, "ellipse", {class: "stone", cx: x, cy: y, rx: size * .75, ry: size * .55});
    g.addEventListener("click", event => { event.stopPropagation(); clickPad(ui, number, i); });
  });
  here.forEach((pad, place) => {
    const owner = here.length === 1 ? 0 : ((pending ? state.turn : state.turn - 1) + place) % 2;  // place 0 is that of who moved last
    frog(svg, middle[pad], Math.max(11, size * .72), pad, rules.owned ? SKIN[owner ? "blue" : "amber"] : SKIN.both, human && !pending && chosen === place);
  });
  svg.addEventListener("click", event => {
    const box = svg.getBoundingClientRect();
    if (ui.edits()) ui.addPad(number, view.back(event.clientX - box.left - rim, event.clientY - box.top - rim));
  });
}
const padId = (game, pond, i) => game.ponds.length > 1 ? `pad-${pond}-${i}` : `pad-${i}`;
function lines(svg, game, number, {torus, flat, space, middle}) {
  const pairs = game.labels ? game.labels[number].flatMap((row, i) => row.flatMap((label, j) => label === 0 && i < j ? [[i, j]] : []))
    : game.partners.flatMap((row, i) => row.filter(j => j > i).map(j => [i, j]));
  for (const [i, j] of pairs) {
    const [a, b] = [middle[i], middle[j]], wrap = t => torus ? t - space * Math.round(t / space) : t;
    const dx = wrap(b[0] - a[0]), dy = flat ? 0 : wrap(b[1] - a[1]), round = dx !== b[0] - a[0] || (!flat && dy !== b[1] - a[1]);
    for (const [from, x, y] of round ? [[a, dx, dy], [b, -dx, -dy]] : [[a, dx, dy]])
      make(svg, "path", {class: "match", d: flat
        ? `M ${from[0]} ${from[1]} q ${x / 2} ${-Math.min(150, Math.abs(x) * .7 + 30)} ${x} 0`
        : `M ${from[0]} ${from[1]} l ${x} ${y}`});
  }
}
function frog(svg, [x, y], r, pad, fill, isChosen) {
  const g = make(svg, "g", {class: "frog" + (isChosen ? " chosen" : ""), "data-pad": pad}), stroke = SKIN.ink;
  make(g, "circle", {class: "halo", cx: x, cy: y, r: r * 1.45});
  for (const s of [-1, 1]) make(g, "ellipse", {cx: x + s * r * .8, cy: y + r * .55, rx: r * .42, ry: r * .28, fill, stroke, "stroke-width": 1.3});
  make(g, "ellipse", {cx: x, cy: y + r * .1, rx: r * .95, ry: r * .78, fill, stroke, "stroke-width": 1.5});
  for (const s of [-1, 1]) {
    make(g, "circle", {cx: x + s * r * .5, cy: y - r * .6, r: r * .34, fill: "#fff", stroke, "stroke-width": 1.3});
    make(g, "circle", {cx: x + s * r * .5, cy: y - r * .64, r: r * .15, fill: stroke});
  }
  make(g, "path", {d: `M ${x - r * .5} ${y + r * .2} q ${r * .5} ${r * .4} ${r} 0`, fill: "none", stroke, "stroke-width": 1.5, "stroke-linecap": "round"});
}

function clickPad(ui, pond, pad) {
  if (ui.edits()) return ui.removePad(pond, pad);
  if (!ui.acts()) return;
  const {game, state, pending} = ui, {k, owned} = game.rules;
  ui.quiet();
  if (pending) {  // stones
    const at = pending.stones.indexOf(pad);
    if (at >= 0) pending.stones.splice(at, 1);
    else if (pending.stones.length < k) pending.stones.push(pad);
    else return ui.refuse(`There ${k === 1 ? "is one stone" : `are ${k} stones`} only.`);
    return ui.draw();
  }
  const jumps = !game.placing(state), here = state.frogs[pond];
  if (jumps && here.includes(pad)) {
    if (owned && here[0] === pad) return ui.refuse("This is the other player's frog.");
    ui.chosen = {pond, frog: here.indexOf(pad)};
    return ui.draw();
  }
  if (jumps && ui.chosen?.pond !== pond) return ui.refuse("Choose the frog that jumps first.");
  const move = {pond, frog: jumps ? ui.chosen.frog : null, to: pad, stones: []}, why = game.objection(state, move);
  if (why) return ui.refuse(why);
  if (k > 0) { ui.pending = move; ui.draw(); } else ui.play(move);
}

// A figure that can be moved, in place of an image of the class "movable": the fussy matching of random points on a torus.
// The site puts matching.js of the page of games before this file, and DATA into it: {rule, ratios, step, tails}, where
// tails[k][m] is the fraction of red points without a partner within m * step at the ratio k, measured on large tori.
const DATA = /*DATA*/null;
const GREENS = 200, SIDE = Math.sqrt(GREENS), LONGEST = DATA.step * (DATA.tails[0].length - 1);
const MARGIN = .4, SVG = "http://www.w3.org/2000/svg";

// ---- the sample, its matching, and what changes if a point is removed ----

// A sequence of numbers from 0 to 1 that depends on the seed only (the generator mulberry32).
function uniform(seed) {
  return () => {
    seed = seed + 0x6D2B79F5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
  };
}

// Green points of intensity 1, then red ones; with a larger ratio red points are added, and none is moved.
function sample(seed, ratio) {
  const random = uniform(seed), count = GREENS + Math.round(GREENS * ratio);
  const points = Array.from({length: count}, () => [SIDE * random(), SIDE * random()]);
  return measured({points, colors: points.map((_, i) => Number(i >= GREENS)), side: SIDE});
}

// The partner of each point within r, or -1. removed: a point that is left out.
function partnersWithin(pond, r, removed = -1) {
  const pairs = pond.pairs.filter(({i, j, squared}) => squared <= r * r && i !== removed && j !== removed);
  return matched({...pond, pairs}, DATA.rule).map(partners => partners[0] ?? -1);
}

// The path p0, p1, ... of what changes if the point p0 is removed: p0 p1, p2 p3, ... break, and p1 p2, p3 p4, ... form.
function flip(pond, r, point) {
  const matchings = [partnersWithin(pond, r), partnersWithin(pond, r, point)], path = [point];
  for (let next = matchings[0][point]; next >= 0; next = matchings[(path.length - 1) % 2][path.at(-1)]) path.push(next);
  return path;
}

// The fraction of red points without a partner within r on large tori.
function measuredFraction(ratio, r) {
  const tail = DATA.tails[DATA.ratios.indexOf(ratio)], low = Math.min(Math.floor(r / DATA.step), tail.length - 2);
  return tail[low] + (r / DATA.step - low) * (tail[low + 1] - tail[low]);
}

// ---- words ----
const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
const named = (pond, point) => `${pond.colors[point] ? "red" : "green"} point`;

function aboutSample(pond, partner, ratio, r) {
  const alone = [0, 1].map(color => partner.filter((other, i) => other < 0 && pond.colors[i] === color).length);
  const reds = pond.n - GREENS, pairs = (pond.n - alone[0] - alone[1]) / 2;
  return {
    fraction: alone[1] / reds,
    text: `${count(pairs, "pair")} within r = ${r.toFixed(1)}. Without a partner: ${alone[0]} of ${GREENS} green points and `
      + `${alone[1]} of ${reds} red points. Fraction of the red points: ${(alone[1] / reds).toFixed(3)} here, `
      + `${measuredFraction(ratio, r).toFixed(3)} measured on large tori.`,
  };
}

function aboutFlip(pond, path) {
  if (!path.length) return "Choose a point to see what changes if it is removed. "
    + "A line that leaves the square continues on the opposite side.";
  const first = named(pond, path[0]), last = named(pond, path.at(-1)), changes = path.length - 1;
  if (!changes) return `This ${first} has no partner within r. If it is removed, no pair changes.`;
  const end = changes % 2 ? `one ${last} loses its partner` : `one ${last} that had no partner gets one`;
  return `If this ${first} is removed, ${count(Math.ceil(changes / 2), "pair")} (dashed) will break, `
    + `${count(Math.floor(changes / 2), "pair")} (thick) will form, and ${end}.`;
}

// ---- drawing ----
function put(parent, tag, attributes = {}, text = "") {
  const isDrawing = tag === "svg" || parent.namespaceURI === SVG;
  const element = isDrawing ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== "") element.textContent = text;
  parent.append(element);
  return element;
}

// A pair: a line from each of the two points to the nearest copy of the other, twice if it leaves the square.
function drawPair(svg, pond, i, j, kind) {
  const [p, q] = [pond.points[i], pond.points[j]], gaps = q.map((t, axis) => t - p[axis]);
  const step = gaps.map(gap => gap - SIDE * Math.round(gap / SIDE));
  const line = ([x, y], [dx, dy]) => put(svg, "line", {class: kind, x1: x, y1: y, x2: x + dx, y2: y + dy});
  line(p, step);
  if (gaps.some(gap => Math.abs(gap) > SIDE / 2)) line(q, step.map(t => -t));
}

function drawPoints(svg, pond, partner, path) {
  svg.replaceChildren();
  put(svg, "rect", {class: "torus", width: SIDE, height: SIDE});
  partner.forEach((j, i) => { if (j > i && !path.includes(i)) drawPair(svg, pond, i, j, "pair"); });
  path.slice(1).forEach((j, k) => drawPair(svg, pond, path[k], j, k % 2 ? "forms" : "breaks"));
  svg.classList.toggle("has-path", path.length > 0);
  pond.points.forEach(([x, y], i) => {
    const color = `${pond.colors[i] ? "red" : "green"}${path.includes(i) ? " on-path" : ""}`;
    if (partner[i] < 0) put(svg, "circle", {class: `alone ${color}`, cx: x, cy: y, r: .3});
    put(svg, "circle", {class: color, cx: x, cy: y, r: .15});
    if (i === path.at(-1)) put(svg, "circle", {class: "end", cx: x, cy: y, r: .48});
    if (i === path[0]) put(svg, "circle", {class: "chosen", cx: x, cy: y, r: .48});
  });
}

// The fraction of red points without a partner within r against r, in the sample and measured.
function drawCurves(svg, pond, whole, ratio, r, fraction) {
  svg.replaceChildren();
  const at = (t, v) => [34 + 276 * t / LONGEST, 168 - 150 * v];
  const curve = points => points.map(([t, v]) => at(t, v).map(number => number.toFixed(1)).join(" ")).join(" ");
  const text = (x, y, words, attributes = {}) => put(svg, "text", {x, y, ...attributes}, words);
  for (const v of [0, .5, 1]) {
    put(svg, "line", {class: "grid", x1: 34, x2: 310, y1: at(0, v)[1], y2: at(0, v)[1]});
    text(29, at(0, v)[1] + 4, v, {"text-anchor": "end"});
  }
  for (let t = 0; t <= LONGEST; t++) text(at(t, 0)[0], 183, t, {"text-anchor": "middle"});
  text(172, 199, "distance r", {"text-anchor": "middle"});
  const reds = whole.map((j, i) => j < 0 ? Infinity : pond.distance[i][j]).slice(GREENS).sort((a, b) => a - b);
  const left = k => 1 - k / reds.length;
  const steps = reds.filter(x => x <= LONGEST).flatMap((x, k) => [[x, left(k)], [x, left(k + 1)]]);
  const tail = DATA.tails[DATA.ratios.indexOf(ratio)].map((v, m) => [m * DATA.step, v]);
  put(svg, "polyline", {class: "measured", points: curve(tail)});
  put(svg, "polyline", {class: "sample", points: curve([[0, 1], ...steps, [LONGEST, left(steps.length / 2)]])});
  const [x, y] = at(r, fraction);
  put(svg, "line", {class: "now", x1: x, x2: x, y1: 18, y2: 168});
  put(svg, "circle", {class: "red", cx: x, cy: y, r: 4.5});
  ["sample", "measured"].forEach((kind, k) => {
    put(svg, "polyline", {class: kind, points: `140 ${30 + 17 * k} 162 ${30 + 17 * k}`});
    text(168, 34 + 17 * k, ["this sample", "measured, large tori"][k]);
  });
}

// ---- what the reader does ----

// The nearest point in the direction of an arrow key, or the one nearest to the middle.
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
function nextPoint(pond, point, [right, down]) {
  const [x, y] = point < 0 ? [SIDE / 2, SIDE / 2] : pond.points[point];
  let best = point, least = Infinity;
  pond.points.forEach((p, i) => {
    const [dx, dy] = [p[0] - x, p[1] - y], distance = Math.hypot(dx, dy);
    const along = dx * right + dy * down, across = Math.abs(dx * down) + Math.abs(dy * right);
    if (i !== point && (point < 0 || along > across) && distance < least) [best, least] = [i, distance];
  });
  return best;
}

function movable(still) {
  const box = document.createElement("div"), view = [-MARGIN, -MARGIN, SIDE + 2 * MARGIN, SIDE + 2 * MARGIN].join(" ");
  box.className = "movable-figure";
  const stage = put(box, "div", {class: "stage"});
  const points = put(stage, "svg", {class: "points", viewBox: view, tabindex: 0, role: "application",
    "aria-label": "Matching of random points. The arrow keys choose a point, and Escape chooses none."});
  const chosen = put(stage, "p", {class: "flip", role: "status"}), panel = put(box, "div", {class: "panel"});
  function slider(words, attributes) {
    const label = put(panel, "label", {}, words), value = put(label, "b");
    const input = put(label, "input", {type: "range", ...attributes});
    input.addEventListener("input", () => show());
    return {input, say(text) { value.textContent = text; input.setAttribute("aria-valuetext", text); }};
  }
  const last = DATA.ratios.length - 1;
  const ratios = slider("Red points per green point, ρ = ", {min: 0, max: last, value: last});
  const radii = slider("Pairs up to the distance r = ", {min: 0, max: LONGEST, step: DATA.step, value: LONGEST});
  const button = put(panel, "button", {type: "button"}, "New sample");
  const summary = put(panel, "p", {class: "summary", role: "status"});
  put(panel, "p", {}, "Fraction of red points without a partner");
  const curves = put(panel, "svg", {class: "curves", viewBox: "0 0 320 204", role: "img",
    "aria-label": "Fraction of the red points without a partner within r, for each r, in this sample and on large tori"});

  let seed = 2, point = -1, ratio, pond, whole;
  function show() {
    const now = DATA.ratios[ratios.input.value], r = Number(radii.input.value);
    if (now !== ratio || !pond) {
      pond = sample(seed, ratio = now);
      whole = partnersWithin(pond, Infinity);
      if (point >= pond.n) point = -1;
    }
    const partner = partnersWithin(pond, r), path = point < 0 ? [] : flip(pond, r, point);
    const about = aboutSample(pond, partner, ratio, r);
    ratios.say(String(ratio));
    radii.say(r.toFixed(1));
    summary.textContent = about.text;
    chosen.textContent = aboutFlip(pond, path);
    drawPoints(points, pond, partner, path);
    drawCurves(curves, pond, whole, ratio, r, about.fraction);
  }
  function choose(next) { point = next; show(); }
  button.addEventListener("click", () => { seed++; pond = null; choose(-1); });
  points.addEventListener("click", event => {
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(points.getScreenCTM().inverse());
    const gaps = pond.points.map(p => Math.hypot(p[0] - x, p[1] - y)), near = gaps.indexOf(Math.min(...gaps));
    choose(near === point ? -1 : near);
  });
  points.addEventListener("keydown", event => {
    if (!ARROWS[event.key] && event.key !== "Escape") return;
    event.preventDefault();
    choose(event.key === "Escape" ? -1 : nextPoint(pond, point, ARROWS[event.key]));
  });
  show();
  still.replaceWith(box);
}
if (typeof document !== "undefined") document.querySelectorAll("img.movable").forEach(movable);

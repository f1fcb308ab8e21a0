// ---- Green Hackenbush: a graph on the ground, vertex 0, whose edges are cut by a click ------------------------------
const EDGES = 14;
const edgesText = edges => edges.map(([u, v]) => `${u}-${v}`).join(" ") || "nothing";
function grounded(edges) {  // those that are connected to the ground
  const seen = new Set([0]);
  for (let more = true; more;) {
    more = false;
    for (const [u, v] of edges) if (seen.has(u) !== seen.has(v)) { seen.add(u); seen.add(v); more = true; }
  }
  return edges.filter(([u]) => seen.has(u));
}
function readEdges(text) {
  const words = text.trim() === "nothing" ? [] : text.trim().split(/[\s,]+/);
  if (!words.every(word => /^\d{1,3}-\d{1,3}$/.test(word))) throw Error("Type edges, as in 0-1 1-2 2-0; vertex 0 is the ground.");
  if (words.length > EDGES) throw Error(`The page takes up to ${EDGES} edges, not ${words.length}.`);
  const edges = words.map(word => word.split("-").map(Number).sort((a, b) => a - b)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const loose = edges.find(edge => !grounded(edges).includes(edge));
  if (loose) throw Error(`Edge ${loose.join("-")} is not connected to the ground, vertex 0.`);
  return edges;
}
KINDS.hackenbush = {
  ask: "Click the edge to cut.",
  read: readEdges, key: edgesText,
  moves: edges => edges.map((_, part) => ({part, words: ["cut"], to: grounded(edges.filter((_, k) => k !== part))})),
  words: (edges, {part, to}) => `cuts ${edges[part].join("-")}` + ((fall => fall ? `; ${fall} more edge${fall > 1 ? "s fall" : " falls"}` : "")(edges.length - 1 - to.length)),
};
// Places: as a tree from the ground, in the order of a depth-first walk; leaves one unit apart, above the vertex below them.
function vertexPlaces(edges) {
  const near = {}, level = {0: 0}, children = {0: []};
  for (const [u, v] of edges) { (near[u] ??= []).push(v); (near[v] ??= []).push(u); }
  const queue = [0];
  for (const u of queue) for (const v of near[u] ?? [])
    if (!(v in level)) { level[v] = level[u] + 1; children[v] = []; children[u].push(v); queue.push(v); }
  const x = {};
  let leaves = 0;
  (function place(u) {
    children[u].forEach(place);
    x[u] = children[u].length ? children[u].reduce((sum, v) => sum + x[v], 0) / children[u].length : leaves++;
  })(0);
  return {x, level, wide: Math.max(1, leaves), high: Math.max(...Object.values(level)), roots: children[0]};
}
function hackenbushBoard(ui, box, lit) {
  const {game, state} = ui, {x, level, wide, high, roots} = vertexPlaces(game.begin), total = Math.max(280, Math.min(box.clientWidth, 560));
  const stepX = Math.min(120, (total - 60) / wide), stepY = Math.max(56, Math.min(96, 380 / Math.max(1, high))), tall = 70 + stepY * high;
  const shift = total / 2 - stepX * (wide - 1) / 2;
  const at = (v, below) => v ? [shift + stepX * x[v], tall - 30 - stepY * level[v]] : [shift + stepX * (below in x && below ? x[below] : x[0]), tall - 30];
  const svg = make(box, "svg", {class: "hackenbush", role: "group", "aria-label": "a graph on the ground", width: total, height: tall, viewBox: `0 0 ${total} ${tall}`});
  make(svg, "path", {class: "ground", d: `M 8 ${tall - 30} H ${total - 8}`});
  const drawnBefore = {};
  state.at.forEach(([u, v], part) => {
    const before = drawnBefore[`${u}-${v}`] = (drawnBefore[`${u}-${v}`] ?? 0) + 1, same = game.begin.filter(edge => edge[0] === u && edge[1] === v).length;
    const [a, b] = [at(u, v), at(v, u)], bend = (before - (same + 1) / 2) * 46;
    const cross = u === 0 && !roots.includes(v) ? 30 : level[u] === level[v] && Math.abs(x[u] - x[v]) > 1.01 ? -stepY * .7 : 0;
    const path = u === v ? `M ${a.join(" ")} c ${-30 - 8 * before} ${-34 - 14 * before} ${30 + 8 * before} ${-34 - 14 * before} 0 0`
      : `M ${a.join(" ")} Q ${(a[0] + b[0]) / 2 + bend + (cross > 0 ? cross : 0)} ${(a[1] + b[1]) / 2 + Math.min(0, cross)} ${b.join(" ")}`;
    const g = make(svg, "g", {class: "twig" + lit(part), tabindex: 0, role: "button", "data-part": part, "aria-label": `edge ${u}-${v}`});
    make(g, "path", {class: "reachable", d: path}); make(g, "path", {class: "green", d: path});
    g.addEventListener("click", () => ui.choose(part, []));
  });
  for (const v of new Set(state.at.flat())) if (v) {
    make(svg, "circle", {class: "knot", cx: at(v)[0], cy: at(v)[1], r: 13});
    make(svg, "text", {x: at(v)[0], y: at(v)[1]}, v);
  }
}

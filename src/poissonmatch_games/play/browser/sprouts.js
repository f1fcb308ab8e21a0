// ---- Sprouts: maps in the plane, their drawing, and the board ----------------------------------------------------
// A map: around[spot] are the darts that leave it, in their order around it; dart ^ 1 is the other half of a curve. A face is the list
// of its darts, or [-1 - spot] of a spot without ends; a region has one face of each part that touches it. The largest is drawn outside.
const startMap = spots => ({around: upto(1, spots).map(() => []), regions: [upto(1, spots).map(spot => [-spot])], before: null});
function tails({around}) { const tail = []; around.forEach((darts, spot) => darts.forEach(dart => { tail[dart] = spot; })); return tail; }
function walkOf({around}, tail, dart) {
  const walk = [];
  for (let d = dart; !walk.length || d !== dart;) {
    walk.push(d);
    const own = around[tail[d ^ 1]];
    d = own[(own.indexOf(d ^ 1) + 1) % own.length];
  }
  return walk;
}
function textOf(map) {
  return map.text ??= (tail => canonical(reduced(map.regions.map(region => region.map(face => face[0] < 0 ? [-1 - face[0]] : face.map(dart => tail[dart]))),
    map.around.map(darts => darts.length))))(tails(map));
}
function mapMoves(map) {  // {u, v, to}; of maps with the same text, one for each two spots
  if (map.moves) return map.moves;
  const tail = tails(map), found = new Map(), spotOf = end => end < 0 ? -1 - end : tail[end ^ 1];
  map.regions.forEach((region, index) => {
    const corners = region.flatMap(face => face.map(end => [face, end]));
    corners.forEach(([face, a], i) => corners.slice(i).forEach(([other, b]) => {
      const u = spotOf(a), v = spotOf(b);
      if (Math.max(map.around[u].length, map.around[v].length) > 2 || (u === v && map.around[u].length > 1)) return;
      for (const to of joined(map, index, face, other, [u, a], [v, b])) {
        const key = [Math.min(u, v), Math.max(u, v), textOf(to)].join(" ");
        if (!found.has(key)) found.set(key, {u: Math.min(u, v), v: Math.max(u, v), to});
      }
    }));
  });
  return map.moves = [...found.values()];
}
function joined(map, index, face, other, one, two) {
  const first = map.around.flat().length, around = map.around.map(darts => [...darts]);
  for (const [[spot, corner], dart] of [[one, first], [two, first + 2]])
    around[spot].splice(corner >= 0 ? around[spot].indexOf(corner ^ 1) + 1 : around[spot].length, 0, dart);
  around.push([first + 1, first + 3]);
  const bare = {around}, tail = tails(bare), left = walkOf(bare, tail, first), region = map.regions[index];
  const rest = region.filter(part => part !== face && part !== other), made = regions => ({around, regions, before: map});
  const put = (...parts) => made([...map.regions.slice(0, index), parts[0], ...map.regions.slice(index + 1), ...parts.slice(1)]);
  if (left.includes(first + 1)) return [put([left, ...rest])];
  const right = walkOf(bare, tail, first + 1);
  return upto(0, 2 ** rest.length - 1).map(mask => {
    const sides = [[left, ...rest.filter((_, k) => mask >> k & 1)], [right, ...rest.filter((_, k) => !(mask >> k & 1))]];
    return put(...sides);
  });
}

// Places of the spots and of the middles of the curves, in the disc of radius 1: a triangulation with a ring of points along each
// boundary, each point in the mean of its neighbors (Tutte). Then points are moved apart, if no triangle turns over.
function placesOf(map) {
  if (map.places) return map.places;
  const tail = tails(map), spots = map.around.length, real = spots + tail.length / 2, triangles = [], rim = new Set();
  let count = real;
  const walks = map.regions.flatMap(region => {
    const closed = list => list.length > 1 ? [...list, list[0]] : list;
    return region.reduce((faces, face) => {  // the boundaries of a region are linked, at two places if they have them
      const own = face[0] < 0 ? [-1 - face[0]] : face.flatMap(dart => [tail[dart], spots + (dart >> 1)]);
      if (!faces.length) return [own];
      const [wide, ...others] = faces.sort((a, b) => b.length - a.length), merged = [...closed(own), ...closed(wide)];
      if (merged.length < 3) return [merged];
      const half = wide.findIndex((at, k) => k >= wide.length / 2 && at !== wide[0]), p = own.length >> 1;
      const q = closed(own).length + Math.max(half, wide.findIndex(at => at !== wide[0]), 0);
      return [...others, merged.slice(p, q + 1), [...merged.slice(q), ...merged.slice(0, p + 1)]];
    }, []);
  });
  const outer = walks.reduce((best, walk, k) => walk.length > walks[best].length ? k : best, 0);
  walks.forEach((walk, index) => {
    const each = walk.length < 3 ? 3 : 1, ring = upto(0, each * walk.length - 1).map(k => count + k), next = k => ring[(k + 1) % ring.length];
    count += ring.length;
    ring.forEach((at, k) => {
      const corner = walk[Math.floor(k / each)], following = walk[Math.floor((k + 1) / each) % walk.length];
      triangles.push([at, next(k), following]);
      if (corner !== following) triangles.push([at, following, corner]);
      if (index !== outer) triangles.push([count, next(k), at]);
    });
    if (index !== outer) count++;
    else for (const at of ring) rim.add(at);
  });
  const corners = Array.from({length: count}, () => []), r = new Float64Array(count).fill(1);
  for (const t of triangles) t.forEach((a, k) => corners[a].push([t[(k + 1) % 3], t[(k + 2) % 3]]));
  const angle = (a, b, c) => 2 * Math.asin(Math.sqrt(b / (a + b) * c / (a + c)));  // at the circle of radius a, between two that touch it
  for (let sweep = 0, worst = 1; sweep < 2000 && worst > 1e-7; sweep++) {
    worst = 0;
    for (let i = 0; i < count; i++) if (!rim.has(i)) {
      const k = corners[i].length, sum = corners[i].reduce((turn, [a, b]) => turn + angle(r[i], r[a], r[b]), 0);
      const beta = Math.sin(sum / (2 * k)), delta = Math.sin(Math.PI / k);
      r[i] *= beta / (1 - beta) * (1 - delta) / delta;
      worst = Math.max(worst, Math.abs(sum - 2 * Math.PI));
    }
  }
  const at0 = [], [first, second] = triangles[0], queue = [[first, second]], seen = new Set([]);
  at0[first] = [0, 0]; at0[second] = [r[first] + r[second], 0];
  const third = new Map();
  for (const [a, b, c] of triangles) { third.set(a * count + b, c); third.set(b * count + c, a); third.set(c * count + a, b); }
  for (const [a, b] of queue) for (const [u, v] of [[a, b], [b, a]]) {
    const w = third.get(u * count + v);
    if (w === undefined || seen.has(u * count + v)) continue;
    seen.add(u * count + v);
    if (!at0[w]) {
      const turn = Math.atan2(at0[v][1] - at0[u][1], at0[v][0] - at0[u][0]) + angle(r[u], r[v], r[w]), d = r[u] + r[w];
      at0[w] = [at0[u][0] + d * Math.cos(turn), at0[u][1] + d * Math.sin(turn)];
    }
    queue.push([u, w], [v, w]);
  }
  const visible = at0.slice(0, real), box = [0, 1].map(k => [Math.min(...visible.map(p => p[k])), Math.max(...visible.map(p => p[k]))]), mid = box.map(([a, b]) => (a + b) / 2);
  const half = Math.max(...visible.map(p => Math.hypot(p[0] - mid[0], p[1] - mid[1])), 1), x = at0.map(p => (p[0] - mid[0]) / half), y = at0.map(p => (p[1] - mid[1]) / half);
  const area = ([a, b, c]) => (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]), own = Array.from({length: count}, () => []);
  for (const t of triangles) for (const a of t) own[a].push(t);
  for (let sweep = 0; sweep < 150; sweep++) for (let i = 0; i < count; i++) {
    let a = 0, b = 0, shortest = 1;
    for (const [j] of corners[i]) {  // lines get longer or shorter, to one length
      const dx = x[i] - x[j], dy = y[i] - y[j], d = Math.hypot(dx, dy) || 1e-12, f = Math.max(-2, Math.min(2, Math.log(.2 / d)));
      a += f * dx / d; b += f * dy / d; shortest = Math.min(shortest, d);
    }
    const length = Math.hypot(a, b) || 1, step = Math.min(1, length) * .4 * shortest / length, [u, v] = [x[i], y[i]], minimum = own[i].map(t => .5 * area(t));
    for (let part = step; part > step / 9; part /= 2) {
      x[i] = u + part * a; y[i] = v + part * b;
      if (Math.hypot(x[i], y[i]) < 1.2 && own[i].every((t, k) => area(t) > minimum[k])) break;
      x[i] = u; y[i] = v;
    }
  }
  const middle = t => { const own = t.slice(0, real), mean = (Math.min(...own) + Math.max(...own)) / 2; t.forEach((_, i) => { t[i] -= mean; }); };
  middle(x); middle(y);
  const far = Math.max(...upto(0, real - 1).map(i => Math.hypot(x[i], y[i]))) || 1;
  for (let i = 0; i < count; i++) { x[i] /= far; y[i] /= far; }
  let cos = 1, sin = 0;  // turned so that spots stay near their places
  if (map.before) {
    const old = placesOf(map.before);
    let dot = 0, cross = 0;
    map.before.around.forEach((_, i) => { dot += x[i] * old.spots[i][0] + y[i] * old.spots[i][1]; cross += x[i] * old.spots[i][1] - y[i] * old.spots[i][0]; });
    const turn = Math.atan2(cross, dot); cos = Math.cos(turn); sin = Math.sin(turn);
  }
  const at = i => [cos * x[i] - sin * y[i], sin * x[i] + cos * y[i]];
  return map.places = {spots: map.around.map((_, i) => at(i)), curves: tail.flatMap((spot, dart) => dart % 2 ? [] : [[spot, at(spots + dart / 2), tail[dart + 1]]])};
}
function sproutsPicture(box, map, wide, options = {}) {
  const {spots, curves} = placesOf(map), scale = wide / 2 - (options.small ? 6 : 26), at = ([x, y]) => [wide / 2 + scale * x, wide / 2 + scale * y];
  const svg = make(box, "svg", {class: "sprouts", width: wide, height: wide, viewBox: `0 0 ${wide} ${wide}`, ...options.attributes});
  for (const [u, middle, v] of curves) {
    const [a, m, b] = [spots[u], middle, spots[v]].map(at), half = p => `${(p[0] + m[0]) / 2} ${(p[1] + m[1]) / 2}`;
    make(svg, "path", {class: "curve", d: `M ${a.join(" ")} L ${half(a)} Q ${m.join(" ")} ${half(b)} L ${b.join(" ")}`});
  }
  spots.forEach((place, spot) => options.spot?.(svg, spot, at(place)) ?? make(svg, "circle", {class: "spot", cx: at(place)[0], cy: at(place)[1], r: 3.5}));
  return svg;
}
// Positions with many free ends are searched by a worker, so that the page stays usable; after a minute it gives up.
const EASY = 10;  // free ends of spots, up to which a position is searched at once
const solver = {
  worker: null, asked: new Map(), answered: new Set(), givenUp: new Set(), patience: 60000, ready: () => {},
  waits(map, misere) {  // is there no answer yet?
    const text = textOf(map), key = textKey(text, misere), free = map.around.reduce((sum, darts) => sum + 3 - darts.length, 0);
    if (free <= EASY || solver.answered.has(key) || solver.givenUp.has(key)) return false;
    if (solver.asked.has(key)) return true;
    try { solver.worker ??= solver.begin(); } catch { return false; }
    solver.asked.set(key, setTimeout(() => solver.stop(), solver.patience));
    solver.worker.postMessage([text, misere]);
    return true;
  },
  begin() {
    const script = $("search").textContent + "\nonmessage = ({data: [text, misere]}) => postMessage([textKey(text, misere), solveAround(text, misere)]);";
    const worker = new Worker(URL.createObjectURL(new Blob([script], {type: "text/javascript"})));
    worker.onmessage = ({data: [key, found]}) => {
      for (const [each, lost] of found) solvedTexts.set(each, lost);
      clearTimeout(solver.asked.get(key)); solver.asked.delete(key); solver.answered.add(key);
      solver.ready();
    };
    worker.onerror = () => solver.stop();
    return worker;
  },
  stop() {  // all that is not answered stays unknown
    solver.worker.terminate(); solver.worker = null;
    for (const [key, timer] of solver.asked) { clearTimeout(timer); solver.givenUp.add(key); }
    solver.asked.clear(); solver.ready();
  },
};
KINDS.sprouts = {
  waits: solver.waits,
  unknown: (map, misere) => solver.givenUp.has(textKey(textOf(map), misere)),
  ask: "Click two spots to join, or one spot twice; then a drawing, if there are several.",
  read: text => { if (!/^[1-5]$/.test(String(text).trim())) throw Error(`Type the number of spots, from 1 to ${SPOTS}.`); return startMap(Number(text)); },
  key: textOf,
  wins: (map, misere) => !lostText(textOf(map), misere),
  moves: map => map.listed ??= mapMoves(map).flatMap(({u, v, to}) => {
    const way = mapMoves(map).filter(m => m.u === u && m.v === v).findIndex(m => m.to === to) + 1;
    return [[u, v], ...(u === v ? [] : [[v, u]])].map(([from, end]) => ({part: from, words: [`join with ${end + 1}`, `drawing ${way}`], to}));
  }),
  words: (_, {part, words}) => words[0] === `join with ${part + 1}` ? `joins ${part + 1} with itself` : `joins ${part + 1} and ${words[0].split(" ").at(-1)}`,
};
function sproutsBoard(ui, box, lit) {
  const {game, state, chosen} = ui, wide = Math.max(280, Math.min(box.clientWidth, 560)), map = state.at;
  const ends = map.around.map(darts => darts.length), {spots} = placesOf(map), live = spots.filter((_, i) => ends[i] < 3);
  const gap = Math.min(44, ...live.flatMap((a, i) => live.slice(i + 1).map(b => Math.hypot(a[0] - b[0], a[1] - b[1]) * (wide / 2 - 26))));
  const fit = m => chosen && m.part === chosen.part && (!chosen.words.length || m.words[0] === chosen.words[0]), marked = ui.marked().filter(fit);
  const joins = new Set(marked.map(m => m.words[0]));
  sproutsPicture(box, map, wide, {attributes: {role: "group", "aria-label": "spots and curves"}, spot: (svg, spot, [x, y]) => {
    if (ends[spot] > 2) return make(svg, "circle", {class: "spot full", cx: x, cy: y, r: 6});
    const good = chosen ? joins.has(`join with ${spot + 1}`) : lit(spot).includes("good");
    const g = make(svg, "g", {class: "live" + (good ? " good" : "") + (chosen?.part === spot ? " chosen" : ""), tabindex: 0, role: "button", "data-part": spot, "aria-label": `spot ${spot + 1}, ${ends[spot]} ends`});
    make(g, "circle", {class: "touch", cx: x, cy: y, r: Math.max(8, gap / 2), fill: "transparent"});
    make(g, "circle", {class: "dot", cx: x, cy: y, r: Math.max(6, Math.min(15, gap / 2 - 1))});
    make(g, "text", {x, y}, spot + 1);
    const join = `join with ${spot + 1}`, may = chosen && !chosen.words.length && game.moves(state).some(m => m.part === chosen.part && m.words[0] === join);
    g.addEventListener("click", () => may ? ui.choose(chosen.part, [join]) : ui.choose(spot, []));
    return g;
  }});
  if (!chosen?.words.length || !ui.acts()) return;
  const row = node(box, "div", "choices"), good = new Set(marked.map(m => m.words[1]));
  for (const m of game.moves(state).filter(fit)) {
    const choice = node(row, "button", "choice drawing" + (good.has(m.words[1]) ? " good" : ""), undefined, () => ui.choose(chosen.part, m.words));
    choice.setAttribute("aria-label", m.words.join(", "));
    sproutsPicture(choice, m.to, 130, {small: true});
  }
}

// ---- a pond: distances, the order of its pairs, and what is matched ---------------------------------------
// {points: [[x, y], ...], colors: [0, 1, ...], side: of a torus, or null}. Closer is earlier in the order of pairs: squared
// distance, smaller index, larger index.
function measured(pond) {
  const n = pond.points.length, side = pond.side ?? Infinity, pairs = [];
  const table = value => pond.points.map(() => new Array(n).fill(value));
  const rank = table(0), distance = table(0);
  pond.points.forEach((p, i) => pond.points.forEach((q, j) => {
    if (j <= i) return;
    const gaps = p.map((t, axis) => Math.min(Math.abs(t - q[axis]), side - Math.abs(t - q[axis])));
    pairs.push({i, j, squared: gaps.reduce((sum, gap) => sum + gap * gap, 0)});
  }));
  pairs.sort((a, b) => a.squared - b.squared || a.i - b.i || a.j - b.j);
  pairs.forEach(({i, j, squared}, place) => {
    rank[i][j] = rank[j][i] = place + 1;
    distance[i][j] = distance[j][i] = Math.sqrt(squared);
  });
  return {...pond, n, pairs, rank, distance};
}
const of = (list, color) => list[list.length > 1 ? color : 0];  // one entry speaks for all colors

// partners[i]: of point i in the stable matching, the closest first. rule: {compatible, capacity, notNearest}.
function matched(pond, rule) {
  const partners = pond.points.map(() => []), nearest = pond.points.map((_, i) =>
    pond.pairs.find(pair => pair.i === i || pair.j === i));
  for (const pair of pond.pairs) {
    const {i, j} = pair, full = p => partners[p].length >= of(rule.capacity, pond.colors[p]);
    if (full(i) || full(j) || !of(of(rule.compatible, pond.colors[i]), pond.colors[j])) continue;
    if (rule.notNearest && nearest[i] === pair && nearest[j] === pair) continue;
    partners[i].push(j); partners[j].push(i);
  }
  return partners;
}

// label[i][j] of each pair: the smallest number that no closer pair with one of its points has.
function labeled(pond) {
  const label = pond.points.map(() => []), used = pond.points.map(() => new Set());
  for (const {i, j} of pond.pairs) {
    let unused = 0;
    while (used[i].has(unused) || used[j].has(unused)) unused++;
    used[i].add(unused); used[j].add(unused);
    label[i][j] = label[j][i] = unused;
  }
  return label;
}

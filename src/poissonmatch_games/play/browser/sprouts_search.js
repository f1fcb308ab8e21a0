// ---- Sprouts: who wins, by a search of texts; a worker has this script too --------------------------------------
// A text: boundaries that end with dots, in regions between bars. 0, 1, 2: a spot with that many ends that is met once; letters: one
// with two ends that is met twice. Spots with three ends are left out.
const LIVES = {0: 3, 1: 2, 2: 1}, ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", SPOTS = 5;
const SEP = "\u0001", BAR = "\u0000";  // before all other characters
const backward = walk => [...walk].reverse().join("");
const isLetter = spot => !(spot in LIVES);
function swapped(walk, names) {
  if (!names.size) return walk;
  let text = "";
  for (const spot of walk) text += names.get(spot) ?? spot;
  return text;
}
function firstTurn(walk, names) {  // the smallest of its turns, by colors first: the colors, and the spots
  const colors = swapped(walk, names);
  let best = colors + SEP + walk;
  for (let k = 1; k < walk.length; k++) {
    const turn = colors.slice(k) + colors.slice(0, k) + SEP + walk.slice(k) + walk.slice(0, k);
    if (turn < best) best = turn;
  }
  return best;
}
function smallest(region, names) {  // boundaries turned, all or none reversed, sorted
  const one = region.map(walk => firstTurn(walk, names)).sort(), two = region.map(walk => firstTurn(backward(walk), names)).sort();
  return one.join(BAR) <= two.join(BAR) ? one : two;
}
const colorsOf = walks => walks.map(walk => walk.split(SEP)[0]), spotsOf = walks => walks.map(walk => walk.split(SEP)[1]);
function canonical(land) {
  const letters = new Set(land.flat().join("").split("").filter(isLetter));
  let colors = new Map([...letters].map(spot => [spot, "~"]));
  for (let round = 0; round < (letters.size > 1 ? 3 : 0); round++) {
    const near = new Map([...letters].map(spot => [spot, []]));
    for (const region of land) {
      const around = colorsOf(smallest(region, colors)).join(SEP);
      for (const boundary of region) {
        const walk = swapped(boundary, colors);
        [...boundary].forEach((spot, k) => {
          if (!isLetter(spot)) return;
          const turned = walk.slice(k) + walk.slice(0, k), back = turned[0] + backward(turned.slice(1));
          near.get(spot).push(around + BAR + (turned < back ? turned : back));
        });
      }
    }
    const neighbors = new Map([...near].map(([spot, list]) => [spot, list.sort().join("\u0002")])), ranks = [...neighbors.values()].sort();
    colors = new Map([...neighbors].map(([spot, text]) => [spot, String.fromCharCode(0x4E00 + ranks.indexOf(text))]));
    if (new Set(ranks).size === letters.size) break;
  }
  const names = new Map(), walks = land.map(region => smallest(region, colors)).sort((a, b) => order(a.join(BAR), b.join(BAR))).map(spotsOf);
  for (const spot of walks.flat().join("")) if (isLetter(spot) && !names.has(spot)) names.set(spot, ALPHABET[names.size]);
  const none = new Map(), renamed = walks.map(region => spotsOf(smallest(region.map(walk => swapped(walk, names)), none)));
  return renamed.sort((a, b) => order(a.join(BAR), b.join(BAR))).map(region => region.map(walk => walk + ".").join("")).join("|");
}
const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
const landOf = text => text.split("|").filter(Boolean).map(region => region.split(".").slice(0, -1));
function reduced(regions, ends) {  // without spots of three ends, empty boundaries, and regions that have no move
  const kept = [];
  for (const region of regions) {
    const live = region.map(part => part.filter(spot => ends[spot] < 3)).filter(part => part.length);
    if ([...new Set(live.flat())].reduce((sum, spot) => sum + 3 - ends[spot], 0) >= 2) kept.push(live.map(unpaired));
  }
  const met = {}, names = {};
  for (const spot of kept.flat(2)) met[spot] = (met[spot] ?? 0) + 1;
  const name = spot => met[spot] === 2 ? names[spot] ??= ALPHABET[Object.keys(names).length] : String(ends[spot]);
  return kept.map(region => region.map(part => part.map(name).join("")));
}
function unpaired(part) {  // two occurrences of a spot that follow each other are one
  const kept = part.filter((spot, k) => k === 0 || spot !== part[k - 1]);
  return part.length > 1 && part[0] === part.at(-1) && new Set(part).size > 1 ? kept.slice(0, -1) : kept;
}
const after = new Map();
function nextTexts(text) {
  if (!after.has(text)) {
    const raw = new Map();  // many occur several times
    for (const land of textMoves(landOf(text))) raw.set(land.map(region => region.map(walk => walk + ".").join("")).join("|"), land);
    after.set(text, [...new Set([...raw.values()].map(canonical))].sort((a, b) => a.length - b.length || order(a, b)));
  }
  return after.get(text);
}
function* textMoves(land) {
  const ends = [], numbers = {};
  const number = spot => {
    if (spot in numbers) return numbers[spot];
    ends.push(spot in LIVES ? Number(spot) : 2);
    if (isLetter(spot)) numbers[spot] = ends.length - 1;
    return ends.length - 1;
  };
  const regions = land.map(region => region.map(boundary => [...boundary].map(number))), fresh = ends.length;
  const grown = (u, v) => { const more = [...ends, 2]; more[u]++; more[v]++; return more; };
  const round = (boundary, i) => { const walk = [...boundary.slice(i), ...boundary.slice(0, i)]; return ends[walk[0]] ? [...walk, walk[0]] : walk; };
  for (const [index, region] of regions.entries()) {
    const others = regions.filter((_, k) => k !== index);
    for (let one = 0; one < region.length; one++) {
      for (let two = one + 1; two < region.length; two++) {
        const rest = region.filter((_, k) => k !== one && k !== two);
        for (const i of region[one].keys()) for (const j of region[two].keys())
          yield reduced([...others, [[...round(region[one], i), fresh, ...round(region[two], j), fresh], ...rest]], grown(region[one][i], region[two][j]));
      }
      const boundary = region[one], rest = region.filter((_, k) => k !== one);
      for (let i = 0; i < boundary.length; i++) for (let j = i; j < boundary.length; j++) {
        const u = boundary[i], v = boundary[j];
        if (u === v && (ends[u] > 1 || i !== j)) continue;
        const inner = [...boundary.slice(i, j + 1), fresh], outer = [...boundary.slice(j), ...boundary.slice(0, i + 1), fresh];
        for (let mask = 0; mask < 2 ** rest.length; mask++)
          yield reduced([...others, [inner, ...rest.filter((_, k) => mask >> k & 1)], [outer, ...rest.filter((_, k) => !(mask >> k & 1))]], grown(u, v));
      }
    }
  }
}
function summands(text) {  // of regions that have common spots
  if (!text.includes("|")) return text ? [text] : [];
  let groups = [];
  for (const region of landOf(text)) {
    const own = new Set(region.join("").split("").filter(isLetter));
    const touching = groups.filter(group => [...own].some(spot => group.spots.has(spot)));
    groups = [...groups.filter(group => !touching.includes(group)),
      {spots: new Set([...own, ...touching.flatMap(group => [...group.spots])]), regions: [...touching.flatMap(group => group.regions), region]}];
  }
  return groups.map(group => canonical(group.regions)).sort((a, b) => a.length - b.length);
}
// Normal play: a summand and a heap of Nim are compared (Lemoine, Viennot). Misere play: a plain search.
const lostLands = new Map(), lostMisere = new Map();
function lostLand(land, heap) {
  const key = land + " " + heap;
  if (!lostLands.has(key)) {
    let lost = true;
    for (let n = 0; lost && n < heap; n++) lost = !lostLand(land, n);
    if (lost) lost = !nextTexts(land).some(text => zero(text, heap));
    lostLands.set(key, lost);
  }
  return lostLands.get(key);
}
function valueOf(land) { let n = 0; while (!lostLand(land, n)) n++; return n; }
function zero(text, heap) {
  const lands = summands(text), last = lands.pop() ?? "";
  return lostLand(last, lands.reduce((sum, land) => sum ^ valueOf(land), heap));
}
function searched(text, misere) {
  if (!misere) return zero(text, 0);
  if (!lostMisere.has(text)) {
    const options = nextTexts(text);
    lostMisere.set(text, options.length > 0 && !options.some(option => searched(option, true)));
  }
  return lostMisere.get(text);
}
const solvedTexts = new Map();  // by a worker: what a text and "misere" or "" give
const textKey = (text, misere) => text + (misere ? " misere" : "");
function lostText(text, misere) {  // does the player to move lose?
  return solvedTexts.get(textKey(text, misere)) ?? searched(text, misere);
}
function solveAround(text, misere) {  // what a perfect player needs here: [key, lost] of the text, its options, and theirs if it is lost
  const found = new Map(), look = one => { found.set(textKey(one, misere), lostText(one, misere)); };
  look(text);
  for (const option of nextTexts(text)) {
    look(option);
    if (lostText(text, misere)) nextTexts(option).forEach(look);
  }
  return [...found];
}

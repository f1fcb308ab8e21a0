// ---- frogs on pads: the rules, and the theorems that say who wins --------------------------------------
// A state: {frogs: for each pond [who moved last, who moves next], blocked: pads under stones, turn}. A move: {pond, frog: its
// place in that list, or null to place one, to, stones}. rules: what page.py says of a variant; c, k: its parameters.
class Frogs {
  constructor(rules, ponds) {
    this.rules = rules;
    this.ponds = ponds.map(measured);
    if (rules.solvedBy === "labels") this.labels = this.ponds.map(labeled);
    else {
      const capacity = rules.solvedBy === "blocking" ? [rules.k + 1] : rules.rule.capacity;
      this.partners = matched(this.ponds[0], {...rules.rule, capacity});
      this.capacity = this.ponds[0].colors.map(color => of(capacity, color));
    }
  }
  start() { return {frogs: this.ponds.map(() => []), blocked: [], turn: 0}; }
  placed(s) { return s.frogs.flat().length; }
  placing(s) { return this.placed(s) < 2 * this.ponds.length; }

  // why a move is not legal, or ""
  clash(pond, a, b) {
    const colors = this.ponds[pond].colors;
    return this.rules.clashes.some(([one, other]) => colors[a] === one && colors[b] === other);
  }
  together(pond, a, b) {
    if (a === b) return "A pad is not large enough for two frogs.";
    return this.clash(pond, a, b) ? this.rules.clash : "";
  }
  objection(s, {pond, frog, to}) {
    const {colors, distance, rank} = this.ponds[pond], here = s.frogs[pond], last = this.ponds.length - 1;
    if (s.blocked.includes(to)) return "A stone blocks this pad.";
    if (this.placing(s)) {
      if (here.length === 2) return "This pond has its two frogs: place the next one in another pond.";
      if (pond === last && here.length && this.placed(s) < 2 * last + 1) return "Bob places the last frog there, when all others sit.";
      if (here.length === 1) {
        if (here[0] !== to && distance[here[0]][to] <= this.rules.c)
          return `The second frog must be farther than ${this.rules.c} from the first.`;
        return this.together(pond, here[0], to);
      }
      return this.rules.beginsOn === null || colors[to] === this.rules.beginsOn ? "" : this.rules.begins;
    }
    if (this.rules.owned && frog !== 1) return "This is the other player's frog.";
    const stays = here[1 - frog];
    return this.together(pond, stays, to)
      || (rank[stays][to] < rank[stays][here[frog]] ? "" : "The frogs must get strictly closer to each other.");
  }
  moves(s) {
    const found = [];
    this.ponds.forEach(({n}, pond) => {
      for (const frog of this.placing(s) ? [null] : [0, 1])
        for (let to = 0; to < n; to++) {
          const move = {pond, frog, to, stones: []};
          if (!this.objection(s, move)) found.push(move);
        }
    });
    return found;
  }
  after(s, {pond, frog, to, stones}) {
    const frogs = s.frogs.map(here => [...here]);
    frogs[pond] = [to, ...s.frogs[pond].filter((_, place) => place !== frog)];
    const opening = this.placed(s) + 1 < 2 * this.ponds.length - 1;  // Alice places on
    return {frogs, blocked: stones, turn: s.turn + !opening};
  }

  // the positions in which the player who moved last wins
  desires(x, y) {
    const partners = this.partners[x], {rank} = this.ponds[0];
    return !this.clash(0, x, y) && (partners.length < this.capacity[x] || rank[x][y] <= rank[x][partners.at(-1)]);
  }
  needed(x, y) {  // stones of the player with the frog on x
    if (this.rules.solvedBy !== "blocking") return [];
    const {rank} = this.ponds[0];
    return this.partners[x].filter(z => rank[x][z] < rank[x][y]);
  }
  previousWins(s) {  // with the stones that it takes
    if (this.labels) return s.frogs.reduce((sum, [x, y], pond) => sum ^ this.labels[pond][x][y], 0) === 0;
    const [x, y] = s.frogs[0];
    return this.rules.solvedBy === "pairs" ? this.partners[x][0] === y : this.desires(x, y);
  }
  winning(s) {
    if (this.placed(s) < 2 * this.ponds.length - 1) return this.labels ? this.openings(s) : this.beginnings(s);
    return this.moves(s).filter(m => this.previousWins(this.after(s, m)))
      .map(m => ({...m, stones: this.needed(...this.after(s, m).frogs[m.pond])}));
  }
  beginnings(s) {  // pads where Alice blocks or spoils every good reply
    return this.moves(s).map(m => {
      const mates = this.rules.k ? this.partners[m.to] : [];
      return {...m, stones: mates.length <= this.rules.k ? mates : []};
    }).filter(m => this.winning(this.after(s, m)).length === 0);
  }
  openings(s) {  // what Alice places next, so that a point of the last pond misses the label that Bob needs
    const last = this.ponds.length - 1;
    const pairs = this.labels.slice(0, last).map((label, pond) => label.flatMap((row, x) => row.flatMap((_, y) =>
      s.frogs[pond].every(frog => frog === x || frog === y) && (s.frogs[pond].length < 2 || x < y) ? {x, y, label: row[y]} : [])));
    let sums = new Map([[0, []]]);
    for (const list of pairs) {
      const more = new Map();
      for (const [sum, chosen] of sums) for (const pair of list)
        if (!more.has(sum ^ pair.label)) more.set(sum ^ pair.label, [...chosen, pair]);
      sums = more;
    }
    for (const [sum, chosen] of sums) for (let a = 0; a < this.ponds[last].n; a++) {
      if (this.labels[last][a].includes(sum)) continue;
      const pond = s.frogs.findIndex((here, place) => here.length < (place < last ? 2 : 1));
      const to = pond === last ? a : [chosen[pond].x, chosen[pond].y].find(pad => !s.frogs[pond].includes(pad));
      return [{pond, frog: null, to, stones: []}];
    }
    return [];
  }

  // the perfect player
  best(s) {
    const winning = this.winning(s), legal = this.moves(s);
    if (winning.length) return any(winning);
    if (this.placing(s)) return any(legal);
    const length = m => this.ponds[m.pond].distance[this.after(s, m).frogs[m.pond][0]][this.after(s, m).frogs[m.pond][1]];
    const far = legal.reduce((best, m) => length(m) > length(best) ? m : best);
    return {...far, stones: this.rules.k ? this.winning(this.after(s, far)).slice(0, this.rules.k).map(m => m.to) : []};
  }
  words(s, {pond, frog, to, stones}) {
    const where = this.ponds.length > 1 ? ` in pond ${pond}` : "";
    return (frog === null ? `places a frog on ${to}` : `jumps ${s.frogs[pond][frog]} → ${to}`) + where
      + (stones.length ? `, stones on ${stones.join(", ")}` : "");
  }
  ended(s) {
    if (this.moves(s).length) return null;
    const stuck = s.turn % 2, misere = this.rules.stuckWins && !this.placing(s);
    return {winner: PLAYERS[misere ? stuck : 1 - stuck],
      text: `${PLAYERS[stuck]} cannot ${this.placing(s) ? "place a frog" : "jump"}` + (misere ? ", and this is misere play." : ".")};
  }
}

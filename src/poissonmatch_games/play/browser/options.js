// ---- games that are their options: all moves of a position, and a search -----------------------------------
// A state: {at: position, turn}. A move: {part of the position, words: what is chosen one after the other, to: position after}.
const PLAYERS = ["Alice", "Bob"], MAX_LOOKED = 600000;  // moves that are looked at before a game
const any = list => list[Math.floor(Math.random() * list.length)];
const upto = (first, last, step = 1) => Array.from({length: Math.max(0, Math.floor((last - first) / step) + 1)}, (_, i) => first + i * step);
const replaced = (heaps, i, ...instead) => [...heaps.slice(0, i), ...instead, ...heaps.slice(i + 1)];

function wholeNumbers(text, count, minimum, maximum) {
  const words = text.trim().split(/[\s,]+/), numbers = words.map(Number);
  if (words.some(word => /^0\d/.test(word))) throw Error("A number may not begin with 0; in binary write 0b101.");
  if (!words.every(word => /^(\d{1,4}|0b[01]{1,10})$/.test(word)) || (count && numbers.length !== count)
    || numbers.length > 12 || numbers.some(n => n < minimum) || numbers.reduce((a, b) => a + b) > maximum)
    throw Error(`Type ${count ?? "up to 12"} whole numbers from ${minimum}, ${maximum} in all.`);
  return numbers;
}
function strip(text) {
  const at = text.replace(/\s/g, "");
  if (!/^[TF.]+(\+[TF.]+)*$/.test(at) || at.replace(/\+/g, "").length > 16)
    throw Error("Type up to 16 letters: T, F and . for an empty square; + is between the strips of a sum.");
  return at;
}
function board(text) {  // of Domineering: rows of one length
  const rows = text.trim().split("/"), wide = Math.max(...rows.map(row => row.length));
  if (!/^[.#/]+$/.test(text.trim()) || rows.length * wide > 36) throw Error("Type rows of . (empty) and # (taken) joined by /, as in .../.#., of up to 36 cells.");
  return rows.map(row => row.padEnd(wide, "#")).join("/");
}
function dominoes(at, way) {  // 0: vertical, 1: horizontal
  const step = way ? 1 : (at + "/").indexOf("/") + 1;
  return [...at].flatMap((cell, part) => cell === "." && at[part + step] === "."
    ? [{part, words: ["place"], to: [...at].map((other, i) => i === part || i === part + step ? "#" : other).join("")}] : []);
}
function squareOf(at, part) {  // in words
  const rows = at.slice(0, part).split(/[+/]/), place = rows.at(-1).length + 1;
  return at.includes("/") || at.includes("#") ? `row ${rows.length}, column ${place}` : `square ${place}` + (at.includes("+") ? ` of strip ${rows.length}` : "");
}
function stepped(at, square, by) {  // the strip after the piece there moves in this direction, or null
  const piece = at[square], ahead = at[square + by], other = piece === "T" ? "F" : "T";
  const length = ahead === "." ? 1 : ahead === other && at[square + 2 * by] === "." ? 2 : 0;
  if (!length) return null;
  const squares = [...at];
  squares[square] = "."; squares[square + length * by] = piece;
  return {part: square, words: [length === 1 ? "step" : "jump"], to: squares.join("")};
}
const pieces = (at, ...kinds) => [...at].flatMap((piece, square) => kinds.includes(piece) ? stepped(at, square, piece === "T" ? 1 : -1) ?? [] : []);
const sorted = at => [...at].filter(heap => heap).sort((a, b) => a - b).join(" ");

const KINDS = {
  heaps: {
    ask: "Click a token: it is taken with those behind it.",
    read: text => wholeNumbers(text, null, 0, 60), key: sorted,
    moves: (at, _, {digits}) => at.flatMap((heap, part) => upto(0, heap).flatMap(take => {
      const digit = digits ? digits[take] ?? 0 : take && 3, rest = heap - take, words = [`take ${take || "nothing"}`], found = [];
      if (take && (rest ? digit & 2 : digit & 1)) found.push({part, words, to: replaced(at, part, rest)});
      if (digit & 4) for (const a of upto(1, Math.floor(rest / 2)))
        found.push({part, words, to: replaced(at, part, a, rest - a), leave: [a, rest - a]});
      if (found.length > 1 || found[0]?.leave) for (const m of found) m.words = [...words, `leave ${(m.leave ?? [rest]).join(" and ")}`];
      return found;
    })),
  },
  pair: {
    ask: "Click a token: it is taken with those behind it.",
    read: text => wholeNumbers(text, 2, 0, 60), key: sorted,
    moves: at => [...at.flatMap((heap, part) => upto(1, heap).map(take => ({part, words: [`take ${take}`], to: replaced(at, part, heap - take)}))),
      ...upto(1, Math.min(...at)).map(take => ({part: "both", words: [`take ${take} from both`], to: at.map(heap => heap - take)}))],
  },
  numbers: {
    ask: "Click the number to subtract from.",
    read: (text, {minimum}) => wholeNumbers(text, 2, minimum, 1000), key: sorted,
    moves: (at, _, {minimum}) => [0, 1].flatMap(part => {
      const large = at[part], small = at[1 - part];
      return small && large >= small ? upto(small, large - minimum, small).map(s => ({part, words: [`subtract ${s}`], to: replaced(at, part, large - s)})) : [];
    }),
  },
  digraph: {
    ask: "Click the vertex to take stones from.",
    read: (text, {edges}) => wholeNumbers(text, 1 + Math.max(...edges.flat()), 0, 40), key: at => at.join(" "),
    moves: (at, _, {edges}) => edges.flatMap(([u, v]) => upto(1, at[u]).flatMap(take => upto(0, take - 1).map(back => {
      const to = replaced(at, u, at[u] - take);
      to[v] += back;
      return {part: u, words: [`take ${take}`, `put back ${back}` + (edges.filter(edge => edge[0] === u).length > 1 ? ` on vertex ${v}` : "")], to};
    }))),
  },
  strip: {
    ask: "Click the piece that moves.", partisan: true, read: strip, key: at => at,
    moves: (at, turn) => pieces(at, "TF"[turn % 2]),
  },
  domineering: {
    ask: "Click the upper or left cell of the domino.", partisan: true, read: board, key: at => at,
    moves: (at, turn) => dominoes(at, turn % 2), words: (at, {part}) => `places a domino at ${squareOf(at, part)}`,
  },
  puzzle: {
    ask: "Click the piece that moves.", solo: true, read: strip, key: at => at,
    moves: at => pieces(at, "T", "F"),
  },
  listed: {
    ask: "Choose the position after your move.",
    read: () => 0, key: String,
    moves: (at, _, {names, options}) => options[at].map(to => ({part: "all", words: [names[to]], to})),
  },
};

class Options {
  constructor(spec, start, misere) {
    this.spec = spec; this.kind = KINDS[spec.kind]; this.misere = misere && !this.kind.solo;
    this.begin = this.kind.read(start, spec);
    this.known = new Map(); this.looked = 0;
    this.goal = this.kind.solo ? [...this.begin].reverse().join("") : null;
    if (!this.waits(this.start())) this.wins(this.begin, 0);  // or the position is too large
    if (this.kind.solo && this.far(this.begin) === Infinity) throw Error("This one cannot be turned round: toads start on the left, frogs on the right.");
  }
  start() { return {at: this.begin, turn: 0}; }
  waits({at}) { return !!this.kind.waits?.(at, this.misere); }  // for a worker that searches
  unknown({at}) { return !!this.kind.unknown?.(at, this.misere); }  // has it given up?
  moves({at, turn}) { return at === this.goal ? [] : this.kind.moves(at, turn, this.spec); }
  after({turn}, {to}) { return {at: to, turn: turn + 1}; }
  key(at, turn) { return this.kind.key(at) + (this.kind.partisan ? " " + turn % 2 : ""); }
  wins(at, turn) {  // does the player to move win? by the definition
    if (this.kind.wins) return this.kind.wins(at, this.misere);
    const key = this.key(at, turn);
    if (!this.known.has(key)) {
      const moves = this.kind.moves(at, turn, this.spec);
      this.looked += moves.length;
      if (this.looked > MAX_LOOKED) throw Error("This position is too large for the page: begin with a smaller one.");
      const losing = moves.map(m => this.wins(m.to, turn + 1)).includes(false);
      this.known.set(key, moves.length ? losing : this.misere);
    }
    return this.known.get(key);
  }
  far(at) {  // moves to the goal of a puzzle
    this.steps ??= new Map();
    if (!this.steps.has(at))
      this.steps.set(at, at === this.goal ? 0 : 1 + Math.min(Infinity, ...this.kind.moves(at, 0).map(m => this.far(m.to))));
    return this.steps.get(at);
  }
  winning(s) {
    if (this.unknown(s)) return [];
    if (this.kind.solo) return this.moves(s).filter(m => this.far(m.to) < Infinity && this.far(m.to) === this.far(s.at) - 1);
    return this.moves(s).filter(m => !this.wins(m.to, s.turn + 1));
  }
  best(s) {  // where all is lost, a move after which few win
    const winning = this.winning(s);
    if (winning.length) return any(winning);
    if (this.unknown(s)) return any(this.moves(s));
    const moves = this.moves(s), answers = moves.map(m => this.winning(this.after(s, m)).length);
    return any(moves.filter((_, i) => answers[i] === Math.min(...answers)));
  }
  words(s, {part, words, to}) {
    if (this.kind.words) return this.kind.words(s.at, {part, words, to});
    const {kind, names} = this.spec, [what, ...more] = words;
    if (kind === "listed") return `moves to ${names[to]}`;
    if (this.kind.solo) return `${s.at[part]} ${what}s from square ${part + 1}`;
    if (typeof s.at === "string") return `${what}s with ${s.at[part]} from ${squareOf(s.at, part)}`;
    const from = part === "both" ? "" : ` from ${kind === "numbers" ? s.at[part] : kind === "digraph" ? `vertex ${part}` : `heap ${part + 1}`}`;
    const third = word => word.replace(/^\w+/, "$&s");
    return [third(what) + from, ...more.map(third)].join(" and ");
  }
  ended(s) {
    if (this.moves(s).length) return null;
    const stuck = s.turn % 2;
    if (this.kind.solo) return s.at === this.goal
      ? {winner: "Solved", text: `In ${s.turn} moves; the fewest are ${this.far(this.begin)}.`}
      : {winner: null, text: "No piece can move: take back a move."};
    return {winner: PLAYERS[this.misere ? stuck : 1 - stuck], text: `${PLAYERS[stuck]} cannot move` + (this.misere ? ", and this is misere play." : ".")};
  }
}

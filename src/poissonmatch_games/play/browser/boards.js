// ---- the boards of the other games: heaps, numbers, stones on a digraph, strips, Domineering ---------------------------------
function node(parent, tag, className, text, onclick) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  if (onclick) { e.type = "button"; e.onclick = onclick; }
  parent.append(e); return e;
}
function boardView(ui, box) {
  const {game, state} = ui, kind = game.spec.kind, marked = new Set(ui.marked().map(m => m.part));
  const lit = part => (marked.has(part) ? " good" : "") + (ui.chosen?.part === part ? " chosen" : "");
  const choose = (part, ...words) => () => ui.choose(part, words);
  if (kind === "heaps" || kind === "pair") {
    state.at.forEach((heap, i) => {
      const row = node(box, "div", "heap" + lit(i));
      row.dataset.part = i;
      node(row, "button", "name", `heap ${i + 1}: ${heap}`, choose(i));
      for (let token = 0; token < heap; token++)
        node(row, "button", "token", "", choose(i, `take ${heap - token}`)).setAttribute("aria-label", `take ${heap - token} from heap ${i + 1}`);
    });
    if (game.spec.name === "nim" && state.at.length > 1) {
      node(box, "p", "caption", "The heaps and, below the line, their nim-sum, in binary:");
      node(box, "pre", "columns", columns(state.at));
    }
    if (kind === "pair") node(box, "button", "part" + lit("both"), "from both heaps", choose("both")).dataset.part = "both";
  } else if (kind === "numbers") {
    const largest = Math.max(...state.at, 1);
    state.at.forEach((number, i) => {
      const row = node(box, "div", "number" + lit(i));
      row.dataset.part = i;
      node(row, "button", "bar", number, choose(i)).style.width = `max(56px, ${100 * number / largest}%)`;
    });
  } else if (kind === "digraph") digraph(box, game, state.at, lit, choose);
  else if (kind === "hackenbush") return hackenbushBoard(ui, box, lit);
  else if (kind === "sprouts") return sproutsBoard(ui, box, lit);
  else if (kind === "listed") node(box, "p", "position", game.spec.names[state.at]);
  else {
    const names = {T: "toad", F: "frog", ".": "empty", "#": "taken"}, still = kind === "strip" || kind === "puzzle" ? "." : "#";
    let row = node(box, "div", "strip");
    [...state.at].forEach((piece, i) => {
      if ("+/".includes(piece)) { row = node(box, "div", "strip"); return; }
      const look = {T: "toad", F: "frogs", ".": "empty", "#": "taken"}[piece] + (piece === still ? "" : lit(i));
      const cell = node(row, "button", "cell " + look, "TF".includes(piece) ? piece : "", choose(i));
      cell.dataset.part = i; cell.setAttribute("aria-label", `${squareOf(state.at, i)}: ${names[piece]}`);
    });
  }
  choices(ui, box);
}
function columns(heaps) {  // the nim-sum, in binary below each other
  const sum = heaps.reduce((a, b) => a ^ b), digits = Math.max(...heaps, 1).toString(2).length, wide = String(Math.max(...heaps, sum)).length;
  const row = heap => `${String(heap).padStart(wide)}  ${[...heap.toString(2).padStart(digits, "0")].join(" ")}`;
  return [...heaps.map(row), `${" ".repeat(wide)}  ${"-".repeat(2 * digits - 1)}`, row(sum)].join("\n");
}
function choices(ui, box) {  // what can be chosen next, of the part that was clicked
  const {game, state, chosen} = ui, part = game.spec.kind === "listed" ? {part: "all", words: []} : chosen;
  if (!part || !ui.acts()) return;
  const row = node(box, "div", "choices"), place = part.words.length;
  const fit = m => m.part === part.part && part.words.every((word, i) => m.words[i] === word);
  const good = new Set(ui.marked().filter(fit).map(m => m.words[place]));
  for (const word of new Set(game.moves(state).filter(fit).map(m => m.words[place])))
    node(row, "button", "choice" + (good.has(word) ? " good" : ""), word, () => ui.choose(part.part, [...part.words, word]));
}
function digraph(box, {spec}, stones, lit, choose) {
  const wide = Math.max(240, Math.min(box.clientWidth, 420)), mid = wide / 2, r = 34, ring = mid - r - 8, n = stones.length;
  const at = i => [mid + ring * Math.sin(2 * Math.PI * i / n), mid - ring * Math.cos(2 * Math.PI * i / n)];
  const high = Math.max(...stones.map((_, i) => at(i)[1])) + r + 14;
  const svg = make(box, "svg", {class: "digraph", width: wide, height: high, viewBox: `0 0 ${wide} ${high}`});
  make(make(make(svg, "defs", {}), "marker", {id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto"}),
    "path", {d: "M 0 0 L 8 4 L 0 8 z", class: "tip"});
  for (const [u, v] of spec.edges) {
    const [a, b] = [at(u), at(v)], length = Math.hypot(b[0] - a[0], b[1] - a[1]), [x, y] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    make(svg, "path", {class: "edge", "marker-end": "url(#tip)", d: `M ${a[0] + x * r} ${a[1] + y * r} Q ${(a[0] + b[0]) / 2 + y * 22} ${(a[1] + b[1]) / 2 - x * 22} ${b[0] - x * (r + 3)} ${b[1] - y * (r + 3)}`});
  }
  stones.forEach((count, i) => {
    const g = make(svg, "g", {class: "vertex" + lit(i), tabindex: 0, role: "button", "aria-label": `vertex ${i}: ${count} stones`, "data-part": i});
    make(g, "circle", {cx: at(i)[0], cy: at(i)[1], r});
    make(g, "text", {x: at(i)[0], y: at(i)[1]}, count);
    make(svg, "text", {class: "name", x: mid + (at(i)[0] - mid) * .45, y: mid + (at(i)[1] - mid) * .45}, `vertex ${i}`);
    g.addEventListener("click", choose(i));
  });
}

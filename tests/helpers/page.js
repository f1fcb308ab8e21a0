// As much of a browser as the page of games needs: elements without a layout. Before it: const IDS, OPTIONS.
"use strict";
class Element {
  constructor(tag) { Object.assign(this, {tag, children: [], parent: null, attributes: {}, dataset: {}, style: {}, listeners: {}, own: "", hidden: false, checked: false, disabled: false, clientWidth: WIDE, className: ""}); }
  get id() { return this.attributes.id; }
  set id(value) { this.attributes.id = value; }
  get textContent() { return this.own + this.children.map(c => typeof c === "string" ? c : c.textContent).join(""); }
  set textContent(text) { this.children = []; this.own = String(text); }
  setAttribute(key, value) {
    this.attributes[key] = String(value);
    if (key === "class") this.className = String(value);
    if (key.startsWith("data-")) this.dataset[key.slice(5).replace(/-(.)/g, (_, c) => c.toUpperCase())] = String(value);
  }
  getAttribute(key) { return this.attributes[key] ?? null; }
  append(...parts) { for (const part of parts) { if (part instanceof Element) part.parent = this; this.children.push(part); } }
  remove() { this.parent.children = this.parent.children.filter(c => c !== this); }
  replaceChildren(...parts) { this.children = []; this.own = ""; this.append(...parts); }
  addEventListener(kind, call) { this.listeners[kind] = call; }
  getBoundingClientRect() { return {left: 0, top: 0}; }
  setPointerCapture() {}
  focus() { document.activeElement = this; }
  querySelectorAll() { return this.all().filter(e => e.tag === "button" || e.attributes.role === "button"); }
  dispatchEvent(event) { this.send(event.type); }
  get lastChild() { return this.children.at(-1); }
  get options() { return this.all().filter(e => e.tag === "option"); }
  all() { return this.children.flatMap(c => c instanceof Element ? [c, ...c.all()] : []); }
  send(kind, event = {}) { this.listeners[kind]?.({stopPropagation() {}, preventDefault() {}, target: this, ...event}); }
  click() { if (this.disabled) return; this.onclick?.(); this.send("click"); }
}
function Option(text, value) { const e = new Element("option"); e.textContent = text; e.value = String(value); return e; }
globalThis.Element = Element; globalThis.Option = Option;
const body = new Element("body"), FIXED = {};
for (const id of IDS) { const e = new Element("div"); e.id = id; e.value = ""; FIXED[id] = e; body.append(e); }
for (const value of HUMANS) FIXED.human.append(Option(value, value));
globalThis.document = {
  activeElement: null, createElement: tag => new Element(tag), createElementNS: (_, tag) => new Element(tag),
  getElementById: id => FIXED[id] ?? body.all().find(e => e.id === id) ?? null, querySelectorAll: () => [],
};
globalThis.location = {hash: HASH};
globalThis.history = {replaceState: (_, __, hash) => { location.hash = hash; }};
globalThis.innerHeight = 900; globalThis.innerWidth = WIDE;
globalThis.addEventListener = () => {};
globalThis.all = name => body.all().filter(e => e.className.split(" ").includes(name));

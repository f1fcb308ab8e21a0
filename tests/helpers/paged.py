"""The page of games as a person sees it, in a browser."""

from selenium.webdriver.common.actions.action_builder import ActionBuilder

SIZES = {"desktop": (1400, 1000), "phone": (375, 812)}
# In the browser: play all lines in which the perfect player has the side that can win, from a state; [lines, lost ones].
LINES = """
function lines(game, start) {
  const side = game.winning(start).length ? start.turn % 2 : 1 - start.turn % 2, seen = new Set();
  let ends = 0, lost = 0;
  const stones = m => [m, ...(game.rules?.k ? game.ponds[0].points.map((_, pad) => ({...m, stones: [pad]})) : [])];
  (function walk(s) {
    const key = JSON.stringify([s.frogs ?? s.at, s.blocked ?? [], s.turn % 2]), end = game.ended(s);
    if (seen.has(key)) return;
    seen.add(key);
    if (end) { ends++; lost += end.winner !== PLAYERS[side]; return; }
    for (const m of s.turn % 2 === side ? [game.best(s)] : game.moves(s).flatMap(stones)) walk(game.after(s, m));
  })(start);
  return [ends, lost];
}
"""


class Page:
    """What a person sees and does."""

    def __init__(self, browser):
        self.browser = browser
        self.js = browser.execute_script

    def open(self, path, fragment="", size="desktop"):
        wide, high = SIZES[size]
        told = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": size == "phone"}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", told)
        self.browser.get("about:blank")
        self.browser.get(path.as_uri() + fragment)
        self.js("ui.pause = 10")  # the perfect player need not look as if it thought
        return self

    def click(self, *elements):
        for element in elements:
            self.browser.find_element("id", element).click()

    def take(self, selector, number):
        self.all(selector)[number].click()

    def click_on(self, element):
        """With the mouse; an edge of a graph at the middle of its curve, since a straight one has an empty box."""
        if "twig" not in (element.get_attribute("class") or ""):
            return element.click()
        x, y = self.js(
            """const [element] = arguments, path = element.querySelector("path");
            element.scrollIntoView({block: "center"});
            const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
            return [Math.round(at.x), Math.round(at.y)];""",
            element,
        )
        mouse = ActionBuilder(self.browser)
        mouse.pointer_action.move_to_location(x, y).click()
        mouse.perform()

    def choose(self, menu, value):
        self.browser.find_element("css selector", f"#{menu} option[value='{value}']").click()

    def all(self, selector):
        return self.browser.find_elements("css selector", selector)

    def text(self, element):
        return self.browser.find_element("id", element).text.replace("\n", " ")

    @property
    def status(self):
        return self.text("status")

    @property
    def frogs(self):
        return [int(frog.get_attribute("data-pad")) for frog in self.all(".frog")]

    @property
    def over(self):
        return self.js("return ui.over()")

    def wait(self):
        """Until a person is to move, or the game is over."""
        self.browser.set_script_timeout(10)
        self.browser.execute_async_script(
            "const done = arguments[0]; (function look() { ui.over() || ui.isHuman() ? done() : setTimeout(look, 20); })();"
        )

    def misfits(self):
        """What a phone must not have: a page wider than the screen, letters under 16 pixels, things to tap under 44.

        A pond that is wider than the screen is scrolled in a box of its own.
        """
        return self.js(
            """const found = [], shown = e => e.checkVisibility() && e.getBoundingClientRect().width > 0;
            if (document.documentElement.scrollWidth > innerWidth) found.push("wide");
            for (const e of document.querySelectorAll("body *:not(script)")) {
              const text = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
              if (shown(e) && text && parseFloat(getComputedStyle(e).fontSize) < 16) found.push(`small: ${e.textContent}`);
            }
            for (const e of document.querySelectorAll("button, select, input, .pad")) {
              const box = e.getBoundingClientRect();
              if (shown(e) && Math.min(box.width, box.height) < (e.type === "checkbox" ? 20 : 43.5)) found.push(`tiny: ${e.id || e.className}`);
              if (shown(e) && !e.closest(".scroll") && (box.left < -1 || box.right > innerWidth + 1)) found.push(`outside: ${e.id || e.className}`);
            }
            return found;"""
        )

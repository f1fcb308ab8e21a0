"""The games beside the frogs on the page, in a browser: the perfect player's every line, whole games, both sizes of a screen."""

import itertools

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from games.test_digraphs import STONES, moves_along
from games.test_impartial_play import small_positions
from helpers import slow_games, slow_toads
from helpers.paged import LINES, SIZES
from helpers.slow_games import both_plays, triangle_moves
from poissonmatch_games.play.played_games import played_named

pytestmark = [pytest.mark.workflow, pytest.mark.slow]


def ordered(heaps):
    return tuple(sorted(heaps))


def bare(heaps):
    return ordered(filter(None, heaps))


TWINS = {  # the moves told anew, positions that are the same
    "nim": (slow_games.nim_moves, bare),
    **{
        name: (moves, bare) for name, moves in slow_games.HEAP_GAMES.items() if name != "grundys-game"
    },  # not on the page
    "wythoff": (slow_games.wythoff_moves, ordered),
    "euclid": (slow_games.euclid_moves(1), ordered),
    "cole-davie": (slow_games.euclid_moves(0), ordered),
    "triangle": (triangle_moves, tuple),
    **{name: (moves_along(edges), tuple) for name, edges in STONES.items()},
}
EACH = """
const spec = DATA.games.find(game => game.name === arguments[1]);
return arguments[0].map(start => {
  const game = new Options(spec, start, arguments[2]), s = game.start();
  return [game.wins(s.at, 0), game.winning(s).map(m => m.to), game.moves(s).map(m => m.to), ...lines(game, s)];
});"""


@pytest.mark.parametrize("name", TWINS)
def test_the_perfect_player_wins_every_line_of_the_page(page, name):
    """Options, winners, winning moves and every line, in both plays, from all small positions; the twin judges."""
    (moves, same), starts = TWINS[name], small_positions(name)
    shown = page(None, name)
    wins = slow_games.slow_win(lambda at: [same(option) for option in moves(at)])
    texts = [" ".join(map(str, start)) for start in starts]
    for misere in (False, True):
        found = shown.js(LINES + EACH, texts, name, misere)
        for start, (page_wins, winning, options, ends, lost) in zip(starts, found, strict=True):
            at = same(start)
            assert {same(option) for option in options} == {same(option) for option in moves(at)}, (name, start)
            assert page_wins == wins(at, misere), (name, start, misere)
            good = {same(option) for option in moves(at) if not wins(same(option), misere)}
            assert {same(option) for option in winning} == good
            assert ends and (not lost or (misere and not options))
    assert len(starts) > 8


@both_plays
def test_toads_and_frogs_on_the_page(page, misere):
    """All strips of up to 6 squares, either side to move."""
    shown = page(None, "toads-and-frogs")
    strips = ["".join(squares) for n in range(1, 7) for squares in itertools.product("TF.", repeat=n)]
    found = shown.js(
        LINES
        + """const spec = DATA.games.find(game => game.name === "toads-and-frogs");
        return arguments[0].map(start => { const game = new Options(spec, start, arguments[1]);
        return [0, 1].map(turn => { const s = {at: start, turn};
          return [game.wins(start, turn), game.moves(s).map(m => [m.part, m.to]), ...lines(game, s)]; }); });""",
        strips,
        misere,
    )
    for strip, sides in zip(strips, found, strict=True):
        for mover, (wins, moves, ends, lost) in zip("TF", sides, strict=True):
            assert wins == slow_toads.wins(strip, mover, misere), (strip, mover)
            assert sorted(map(tuple, moves)) == sorted(slow_toads.moves(strip, mover))
            assert ends and (not lost or (misere and not moves))


def test_lucas_on_the_page(page):
    """From every strip of the puzzle with a way to the goal the hints take the fewest moves; elsewhere there is none."""
    shown = page(None, "lucas")
    for start in ("TT.FF", "TTT.FFF", "T..FF", "TT.F"):
        strips = sorted(slow_toads.reached(start))
        found = shown.js(
            """const game = new Options(DATA.games.find(game => game.name === "lucas"), arguments[0], false);
            return arguments[1].map(at => { let s = {at, turn: 0}, first = game.far(at);
              while (game.winning(s).length) s = game.after(s, game.best(s));
              return [first === Infinity ? null : first, s.turn, s.at]; });""",
            start,
            strips,
        )
        for strip, (far, turns, end) in zip(strips, found, strict=True):
            assert far == slow_toads.fewest(strip, start[::-1]), strip
            assert (turns, end) == ((0, strip) if far is None else (far, start[::-1]))


# ---- as a person plays


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["nim", "hackenbush", "sprouts", "toads-and-frogs", "lucas"])
def test_a_whole_game_with_the_hints(page, name, size):
    """The side that can win wins by clicking what the hints mark."""
    shown = page(None, name, size=size)
    assert shown.text("about") == played_named(name).rules and shown.misfits() == []
    solo = name == "lucas"
    assert shown.text("you") == ("" if solo else "You are Alice.")
    for _ in range(60):
        shown.wait()
        if shown.over:
            break
        shown.click("hint")
        assert ("A shortest solution" if solo else "Alice wins; a winning move: Alice ") in shown.status
        moved = len(shown.all("#log li"))
        while len(shown.all("#log li")) == moved:
            marked = shown.all(".choice.good") or shown.all(".good[data-part], .good .name")
            marked = [e for e in marked if e.tag_name != "div"] or shown.all(".good .name, .good .bar")
            shown.click_on(marked[0])
        if moved < 2:
            assert shown.misfits() == []
    assert shown.status.startswith(
        "Solved. In 15 moves; the fewest are 15." if solo else "Alice wins. Bob cannot move."
    )


def test_a_click_on_a_token_takes_it_and_those_behind_it(page):
    shown = page(None, "nim", human="both")
    shown.take("[data-part='1'] .token", 1)
    assert shown.text("log") == "Alice takes 3 from heap 2" and shown.js("return ui.state.at") == [3, 1, 5]
    shown.click("undo")
    assert shown.js("return ui.state.at") == [3, 4, 5] and shown.text("log") == ""
    shown.choose("variant", "kayles")
    shown.take("[data-part='0'] .token", 3)
    assert [choice.text for choice in shown.all(".choice")] == ["leave 3", "leave 1 and 2"]
    shown.take(".choice", 1)
    assert shown.js("return ui.state.at") == [1, 2, 7] and "takes 2 from heap 1 and leaves 1 and 2" in shown.text("log")
    shown.take("[data-part='2'] .token", 2)
    assert "You may not take 5 here." in shown.status and len(shown.all("#log li")) == 1


def test_the_triangle_in_two_steps(page):
    shown = page(None, "triangle", human="both", start="2 3 1", misere=True)
    assert shown.js("return [ui.game.misere, $('misere').checked]") == [True, True]
    shown.take(".vertex", 1)
    assert [choice.text for choice in shown.all(".choice")] == ["take 1", "take 2", "take 3"]
    shown.take(".choice", 2)
    assert [choice.text for choice in shown.all(".choice")] == ["put back 0", "put back 1", "put back 2"]
    shown.take(".choice", 1)
    assert (
        shown.js("return ui.state.at") == [2, 0, 2]
        and shown.text("log") == "Alice takes 3 from vertex 1 and puts back 1"
    )
    shown.take(".vertex", 1)
    assert "Nothing can be moved there." in shown.status


def test_games_by_the_keyboard(page):
    """Arrows lead to another part of the board, Enter and Space take it, and the focus stays on the board."""
    focus = "const e = document.activeElement; return partsOf($('board')).includes(e) ? e.dataset.part : 'elsewhere';"
    press = lambda shown, key: ActionChains(shown.browser).send_keys(key).perform()  # noqa: E731
    shown = page(None, "hackenbush", human="both", start="0-1 1-2 0-3 3-4")
    shown.js("partsOf($('board'))[0].focus()")
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_LEFT):
        press(shown, key)
        assert shown.js(focus) in "0123"
    for turn in range(4):
        if not shown.over:
            assert shown.js(focus) != "elsewhere"
            press(shown, Keys.SPACE if turn % 2 else Keys.ENTER)
    assert shown.over
    shown = page(None, "domineering", human="both", start="../..")
    shown.js("partsOf($('board'))[1].focus()")
    press(shown, Keys.ENTER)
    assert shown.js("return ui.state.at") == ".#/.#" and shown.js(focus) == "1"

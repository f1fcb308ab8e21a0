"""The sessions in the documents (```pycon): each is typed again, and gives what stands there."""

import doctest
import re
from pathlib import Path

import pytest

from poissonmatch.fitted_laws import EXCLUDED, LAWS, LEAST_LEFT

ROOT = Path(__file__).parents[1]
SESSIONS = {
    str(path.relative_to(ROOT)): "\n".join(found)
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if (found := re.findall(r"^```pycon\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S))
}


@pytest.mark.long
@pytest.mark.parametrize("page", SESSIONS)
def test_what_a_session_shows_is_what_it_gives(page):
    said: list[str] = []
    session = doctest.DocTestParser().get_doctest(SESSIONS[page], {}, page, page, 0)
    assert session.examples
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=said.append)
    assert not said, "".join(said)


def test_the_open_problem_has_the_laws_that_are_fitted():
    text = (ROOT / "docs/open-problem.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| (u|Y) \| ([^|]+) \|$", text, re.M)
    assert rows == [(law.name, law.of, law.words) for law in LAWS.values()]
    assert f"at least {LEAST_LEFT:g} red points" in text and f"more than {EXCLUDED:g} above" in text

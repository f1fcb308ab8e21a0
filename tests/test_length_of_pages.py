"""The documentation stays short: words in all, and words of a page."""

import pytest

from helpers.sources import ROOT, text_of, tracked

MAX_WORDS = 45_000
MAX_WORDS_OF_PAGE = 2_500
PAPER = "docs/paper/theorem-on-the-line.md"
PAGES = {
    str(path.relative_to(ROOT)): len(text_of(path).split())
    for path in tracked("docs/*.md", "README.md", "CONTRIBUTING.md", "results/README.md")
}


def test_the_pages_have_few_words():
    assert sum(PAGES.values()) <= MAX_WORDS


@pytest.mark.parametrize("page", [page for page in PAGES if page != PAPER])
def test_a_page_is_short(page):
    assert PAGES[page] <= MAX_WORDS_OF_PAGE

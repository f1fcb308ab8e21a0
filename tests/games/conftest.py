"""Shared by the tests of games."""

import pytest

from poissonmatch_games.play.page import write_page


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def page(browser, tmp_path):
    """Opens a page; at the end the browser must have no complaint."""
    from helpers.paged import Page

    def show(pattern=None, variant="friendly", fragment="", size="desktop", **options):
        write_page(tmp_path / "page.html", pattern, variant, **options)
        return Page(browser).open(tmp_path / "page.html", fragment, size)

    yield show
    assert browser.get_log("browser") == []

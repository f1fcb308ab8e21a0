"""The scripts of the page of games, run by node in place of a browser: no layout, and clicks by calls."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from poissonmatch_games.play.page import page

DOM = Path(__file__).with_name("page.js")


def run_node(source):
    """Return what a script writes, as JSON."""
    if not (node := shutil.which("node")):
        pytest.skip("node is not installed")
    done = subprocess.run([node, "-"], input=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def script(code, *, fragment="", wide=900, **options):
    """Return what the body of an asynchronous function returns on a page; `all(name)` are the elements of a class."""
    text = page(**options)
    source = "".join(re.findall(r"<script[^>]*>\n(.*?)</script>", text, re.DOTALL))
    ids = re.findall(r' id="(\w+)"', text)
    humans = [value or name for value, name in re.findall(r'<option(?: value="(\w+)")?>(\w*)', text)]
    head = (
        f"const IDS = {json.dumps(ids)}, HUMANS = {json.dumps(humans)}, HASH = {json.dumps(fragment)}, WIDE = {wide};\n"
    )
    tail = f"\n(async () => {{ ui.pause = 0;\n{code}\n}})().then(found => process.stdout.write(JSON.stringify(found ?? null)));"
    return run_node(head + DOM.read_text() + source + tail)

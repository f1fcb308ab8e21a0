"""A game in a terminal that has colors: the same text, with colors of the package's palette, and no other escapes."""

import os
import pty
import re
import subprocess
import sys

import pytest

from poissonmatch.utils.display import POINTS

PLAY = [sys.executable, "-m", "poissonmatch", "play", "--seed", "1", "--human", "nobody"]
COLOR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(words, typed=b"", **env):
    """What a terminal of 40 columns is sent by a command."""
    main, sub = pty.openpty()
    env = {**{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}, "TERM": "xterm-256color",
           "COLORTERM": "truecolor", "COLUMNS": "40", **env}  # fmt: skip
    process = subprocess.Popen(words, stdin=sub, stdout=sub, stderr=sub, env=env)
    os.close(sub)
    os.write(main, typed)
    sent = b""
    while True:
        try:
            more = os.read(main, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        sent += more
    os.close(main)
    return process.wait(), sent.decode().replace("\r\n", "\n")


def background(name):
    red, green, blue = (int(POINTS[name][k : k + 2], 16) for k in (1, 3, 5))
    return f"48;2;{red};{green};{blue}m"


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "words, shown",
    [
        (["colored-points"], {"amber": r"\[\d+a A\]|\d+a", "blue": r"\[\d+b B\]|\d+b"}),
        (["fussy"], {"green": r"\d+g|\[\d+. \*\]", "red": r"\d+r"}),
        (["toads-and-frogs"], {"amber": "T+", "blue": "F+"}),
    ],
)
def test_pads_and_pieces_have_the_colors_of_the_figures(words, shown):
    code, sent = on_terminal([*PLAY, *words])
    assert code == 0
    for name, pattern in shown.items():
        found = re.findall(rf"\x1b\[[0-9;]*{background(name)}([^\x1b]+)", sent)
        assert found and all(re.fullmatch(pattern, text) for text in found), (name, found)
    plain = subprocess.run([*PLAY, *words], capture_output=True, text=True, check=True).stdout
    assert (
        COLOR.sub("", sent).split() == plain.split() and "\x1b" not in plain
    )  # lines are wrapped, and nothing is left out
    lines = [line for line in COLOR.sub("", sent).split("\n") if "  " not in line and line[:1] not in "|+"]
    assert lines and max(map(len, lines)) <= 40
    code, without = on_terminal([*PLAY, *words], NO_COLOR="1")
    assert "48;2" not in without and COLOR.sub("", without).split() == plain.split()


@pytest.mark.slow
@pytest.mark.long
def test_what_is_typed_moves_no_cursor():
    words = [*PLAY[:-1], "both", "nim"]
    code, sent = on_terminal(words, "\x1b[2J\u202e\nquit\n".encode())
    told = sent.split("Alice> ")[1:]
    assert code == 0 and any("\\x1b[2J" in text for text in told)
    said = [line for text in told for line in text.split("\n")[1:]]  # not the echo of the terminal itself
    assert not any("\x1b[2J" in line or "\u202e" in line for line in said)

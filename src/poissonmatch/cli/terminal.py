"""What the command line writes: printable text, whatever a study file, a name of a file or an argument holds."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from ..utils.errors import printable
from ..utils.palette import POINTS


class NobodyReads(Exception):
    """What reads our output has ended, as `head` does when it has enough."""


class Plain:
    """A stream of printable lines: no text can move the cursor, color the screen, or turn round what stands there."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write it; what the stream's encoding has not is written as what is not printable."""
        self._call(self._stream.write, self._fit(text))
        return len(text)

    def write_colored(self, text: str, styles: dict[str, str]) -> None:
        """Write a line: where a pattern matches, in its style, if this is a terminal that has colors."""
        if not self._stream.isatty():
            self.write(f"{text}\n")
            return
        from rich.console import Console
        from rich.text import Text

        shown, console = Text(self._fit(text)), Console(file=self._stream, highlight=False)
        for pattern, style in styles.items():
            shown.highlight_regex(pattern, style)
        with console.capture() as captured:
            console.print(shown, soft_wrap=True)
        self._call(self._stream.write, captured.get())

    def _fit(self, text: str) -> str:
        encoding = self._stream.encoding or "utf-8"
        return "\n".join(map(printable, text.split("\n"))).encode(encoding, "backslashreplace").decode(encoding)

    def flush(self) -> None:
        """As the stream's own."""
        self._call(self._stream.flush)

    def isatty(self) -> bool:
        """No, or libraries would write colors."""
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @staticmethod
    def _call(method: Callable[..., Any], *words: str) -> None:
        try:
            method(*words)
        except BrokenPipeError:
            raise NobodyReads from None


# What stands out in a game: the frogs in their colors, pads by their letter, toads and frogs of a strip, the winner.
_DARK, _LIGHT = "white on {}", "black on {}"
_PADS = {name: (_LIGHT if name in ("amber", "green") else _DARK).format(POINTS[name]) for name in POINTS}
STYLES = {
    **{rf"(?<![\w.\[])\d+{name[0]}\b": style for name, style in _PADS.items()},
    r"\[\d+\w? A\]": f"bold {_PADS['amber']}",
    r"\[\d+\w? B\]": f"bold {_PADS['blue']}",
    r"\[\d+\w? \*\]": f"bold {_PADS['green']}",
    r"T(?=[TF.]*\])": f"bold {_PADS['amber']}",
    r"F(?=[TF.]*\])": f"bold {_PADS['blue']}",
    r"(?<=[\s|])x(?=\[?\d)": "bold",
    r"^[+-][+-]+$|^\||\|$": "dim",
    r"(Alice|Bob|nobody) wins\.|a draw\.|solved\.": "bold",
    r"^Not legal:": "bold",
}


def say(text: str) -> None:
    """Write a line of a game to standard output, in color where that is a terminal."""
    if isinstance(sys.stdout, Plain):
        sys.stdout.write_colored(text, STYLES)
    else:
        print(text)


@contextmanager
def plain_streams() -> Iterator[None]:
    """Standard output and error are Plain, and a warning is a line there, until the end."""
    for number in range(3):  # in the place of one that is closed would come the file that is opened next
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    before = sys.stdout, sys.stderr, warnings.showwarning
    sys.stdout, sys.stderr = (cast(Any, Plain(stream or open(os.devnull, "w"))) for stream in before[:2])
    warnings.showwarning = lambda message, *words: print(f"note: {str(message).splitlines()[0]}", file=sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr, warnings.showwarning = before
        for stream in before[:2]:
            _empty(stream)


def _empty(stream: Any) -> None:
    """Forget what cannot be written: Python would try again when it ends, and tell of it in lines of its own."""
    try:
        if stream:
            stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

"""Reading of YAML 1.2 as plain data with line numbers.

Tags, aliases, duplicate keys, and text that parsers read differently are not allowed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml

from ...utils.errors import BadInput
from ...utils.files import exists, read_regular

MAX_BYTES = 1_000_000
MAX_DEPTH = 12
MAX_DIGITS = 100  # of a number
# Control characters, what only some take for the end of a line, halves of characters, and the mark
# of the byte order.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
WORDS: dict[str, Any] = {"": None, "~": None} | {
    form(word): value
    for word, value in {
        "null": None, "true": True, "false": False,
        ".nan": math.nan, ".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf,
    }.items()
    for form in (str.lower, str.title, str.upper)
}  # fmt: skip
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
HEXADECIMAL = re.compile("0x[0-9a-fA-F]{1,16}")
NO_SPACE = re.compile(r"\s*(\w+:)[\w.\[-]")  # seed:7
GROUPED = re.compile(r"[-+]?[1-9][0-9]{0,2}(_[0-9]{3})+")  # 1_000
OTHER_BASE = re.compile(r"[-+]?0(o[0-7]|[0-9])[-+.0-9eE]*")  # 010 is 10 in YAML 1.2, and 8 before
BEFORE = yaml.resolver.Resolver()  # as YAML 1.1 reads: 1:30 is 90, no is false


@dataclass
class Document:
    """A YAML file: its data, and the line (from 1) of each path of keys and indices."""

    path: Path
    data: Any = None
    lines: dict[tuple, int] = field(default_factory=dict)

    def where(self, path: tuple) -> str:
        """Return the file, line and path of a value; the line is that of the innermost enclosing value in the file."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        line = f", line {self.lines[known]}" if known in self.lines else ""
        dotted = "".join(f"[{p}]" if isinstance(p, int) else f".{str(p)[:80]}" for p in path).lstrip(".")
        return f"{self.path}{line}" + (f": {dotted}" if dotted else "")


def read(path: str | Path) -> Document:
    """Read a YAML file. Raises BadInput if there is none, or it is not plain data."""
    document = Document(Path(path))
    text = _text(document.path)
    try:
        _Reader(document, text).read()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        above = text.splitlines()[: mark.line + 1] if mark else []
        for number, words in enumerate(above, start=1):
            if match := NO_SPACE.match(words):
                raise BadInput(f"{path}, line {number}: not valid YAML: {match[1]!r} needs a space after it") from None
        line = f", line {mark.line + 1}" if mark else ""
        reason = getattr(error, "problem", None) or str(error).split("\n")[0]
        raise BadInput(f"{path}{line}: not valid YAML: {reason}") from None
    return document


def is_number(text: str) -> bool:
    """Return whether this text is a number if it is written without quotes."""
    return bool(NUMBER.fullmatch(text))


def _text(path: Path) -> str:
    try:
        if not exists(path):
            raise BadInput(f"{path}: there is no such file; `poissonmatch new NAME` writes one")
        data = read_regular(path, MAX_BYTES)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(f"{path}: not UTF-8 but UTF-16 or UTF-32; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column, byte = error.start - data.rfind(b"\n", 0, error.start), data[error.start]
        where = f"{path}, line {line}: byte {column} of the line, 0x{byte:02x}"
        latin = f" ({chr(byte)!r} in Latin-1)" if byte >= 0xA0 else ""
        raise BadInput(f"{where}{latin}, is not UTF-8; save the file as UTF-8") from None
    if match := UNSEEN.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise BadInput(f"{path}, line {line}: not valid YAML: {_unseen(match)}")
    return text


def _unseen(match: re.Match[str]) -> str:
    return f"the character U+{ord(match[0]):04X} is invisible; remove it"


class _Reader:
    """Converter of the events of a parser to data, one by one: what is refused is never built or followed."""

    def __init__(self, document: Document, text: str) -> None:
        self.document = document
        self.parser = yaml.SafeLoader(text)
        self.events = self._events()

    def _stop(self, mark: Any, message: str) -> NoReturn:
        raise BadInput(f"{self.document.path}, line {mark.line + 1}: {message}")

    def _events(self) -> Iterator[Any]:
        try:
            while self.parser.check_event():
                yield self.parser.get_event()
        except (ValueError, OverflowError):
            self._stop(self.parser, "not valid YAML: invalid number")  # "\\UFFFFFFFF"

    def read(self) -> None:
        """Set the data and lines of the document."""
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if event.version or event.tags:
                    self._stop(event.start_mark, "lines that begin with % are not allowed; study files are YAML 1.2")
                if self.document.lines:
                    self._stop(event.start_mark, "not valid YAML: a second document begins here")
                self.document.data = self._value(next(self.events), ())

    def _check(self, event: Any) -> None:
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            self._stop(event.start_mark, "anchors and aliases (& and *) are not allowed; write the value out")
        if event.tag:
            self._stop(event.start_mark, f"the tag {event.tag!r} is not allowed; study files are plain data")
        text = getattr(event, "value", "")
        if match := UNSEEN.search(text) or re.search(r"[\t\n]", text):
            self._stop(event.start_mark, f"{text[:60]!r}: {_unseen(match)}")

    def _value(self, event: Any, path: tuple) -> Any:
        """Return the value that begins with this event."""
        self._check(event)
        self.document.lines.setdefault(path, event.start_mark.line + 1)
        if isinstance(event, yaml.ScalarEvent):
            try:
                return plain(event.value) if event.style is None else event.value
            except ValueError as error:
                raise BadInput(f"{self.document.where(path)}: {event.value[:60]!r}: {error}") from None
        if len(path) >= MAX_DEPTH:
            self._stop(event.start_mark, f"nested more than {MAX_DEPTH} levels deep")
        if isinstance(event, yaml.SequenceStartEvent):
            return [self._value(child, (*path, k)) for k, child in enumerate(self._until(yaml.SequenceEndEvent))]
        return dict(self._pairs(path))

    def _pairs(self, path: tuple) -> Iterator[tuple[str, Any]]:
        for event in self._until(yaml.MappingEndEvent):
            self._check(event)
            mark = event.start_mark
            if not isinstance(event, yaml.ScalarEvent):
                self._stop(mark, "a key must be a word")
            key, inside = event.value, (*path, event.value)
            if first := self.document.lines.get(inside):
                self._stop(mark, f"the key {key[:60]!r} is given twice, first on line {first}")
            self.document.lines[inside] = mark.line + 1
            yield key, self._value(next(self.events), inside)

    def _until(self, end: type) -> Iterator[Any]:
        while not isinstance(event := next(self.events), end):
            yield event


def plain(text: str) -> Any:
    """Return the value of a text without quotes in YAML 1.2.

    Raises ValueError if YAML 1.1 reads it differently.
    """
    if text in WORDS:
        return WORDS[text]
    if HEXADECIMAL.fullmatch(text):
        return int(text, 16)
    if NUMBER.fullmatch(text) and not OTHER_BASE.match(text):
        return _number(text)
    if GROUPED.fullmatch(text):
        return _number(text.replace("_", ""))
    kind = BEFORE.resolve(yaml.ScalarNode, text, (True, False)).rpartition(":")[2]
    if kind in ("int", "float") or OTHER_BASE.fullmatch(text):
        raise ValueError("write a plain decimal number")
    if kind == "bool":
        raise ValueError("some YAML versions read this as true or false; put it into quotes if it is a word")
    return text


def _number(text: str) -> int | float:
    """Return a decimal number; a whole number without a decimal point, such as 1e5, is an integer."""
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number of more than {MAX_DIGITS} characters")
    mantissa, _, exponent = text.lower().partition("e")
    if not exponent and "." not in text:
        return int(text)
    value = float(text)
    if math.isinf(value) or (value == 0 and re.search("[1-9]", mantissa)):
        raise ValueError("too large or too small to be represented as a number")
    return int(value) if "." not in text and value.is_integer() and abs(value) < 2**53 else value

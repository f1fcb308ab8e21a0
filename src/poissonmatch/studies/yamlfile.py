"""Reads YAML as plain data: no tags, no aliases, no duplicate keys, and every value knows its line."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from ..errors import BadInput

MOST_BYTES = 1_000_000
MOST_DEPTH = 12
ODD = re.compile(r".*:|[-+]?0[0-9_]")  # numbers that YAML reads in another base: 1:30 is 90, 010 is 8
PLAIN = {f"tag:yaml.org,2002:{kind}" for kind in ("int", "float", "bool", "null", "str")}


@dataclass
class Document:
    """A YAML file: its data, the line (from 1) of each path of keys and indices, and what is wrong with it so far."""

    path: Path
    data: Any = None
    lines: dict[tuple, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def where(self, path: tuple) -> str:
        """File, line and path of a value, or of the nearest thing around it that stands in the file."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        line = f", line {self.lines[known]}" if known in self.lines else ""
        dotted = "".join(f"[{p}]" if isinstance(p, int) else f".{str(p)[:80]}" for p in path).lstrip(".")
        return f"{self.path}{line}" + (f": {dotted}" if dotted else "")


def read(path: str | Path) -> Document:
    """Read a YAML file. Raises BadInput if it is no such file, or cannot be read as plain data at all."""
    document = Document(Path(path))
    text = _text(document.path)
    try:
        _refuse_tricks(document, text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        reason = getattr(error, "problem", None) or str(error).split("\n")[0]
        raise BadInput(f"{path}{line}: not valid YAML: {reason}") from None
    if node is not None:
        document.data = _build(document, node, ())
    return document


def is_word(text: str) -> bool:
    """Is this text itself, read as a value of YAML or as a number? Not so are "1e3", "a #b" and "[x]"."""
    try:
        float(text)
        return False
    except ValueError:
        pass
    try:
        return bool(yaml.load(text, Loader=yaml.BaseLoader) == text)
    except yaml.YAMLError:
        return True  # whoever tries takes it as it is


def _text(path: Path) -> str:
    try:
        if not path.exists():
            raise BadInput(f"{path}: there is no such file")
        if not path.is_file():
            raise BadInput(f"{path}: not a regular file")
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path}: {path.stat().st_size} bytes is too much for a study; at most {MOST_BYTES}")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None


def _refuse_tricks(document: Document, text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        where = f"{document.path}, line {event.start_mark.line + 1}"  # type: ignore[union-attr]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise BadInput(f"{where}: anchors and aliases (& and *) are not allowed; write the value out")
        if tag := getattr(event, "tag", None):
            raise BadInput(f"{where}: the tag {tag!r} is not allowed; studies are plain data")
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            depth += 1
            if depth > MOST_DEPTH:
                raise BadInput(f"{where}: nested more than {MOST_DEPTH} levels deep")
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            depth -= 1


def _build(document: Document, node: yaml.Node, path: tuple) -> Any:
    document.lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        return [_build(document, child, (*path, k)) for k, child in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        built: dict[str, Any] = {}
        for key_node, child in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                document.problems.append(f"{document.path}, line {line}: a key must be a word")
                continue
            key = key_node.value
            if key in built:
                first = document.lines[(*path, key)]
                document.problems.append(
                    f"{document.path}, line {line}: the key {key!r} stands here again, first on line {first}"
                )
                continue
            document.lines[(*path, key)] = line
            built[key] = _build(document, child, (*path, key))
        return built
    return _scalar(document, node, path)


def _scalar(document: Document, node: yaml.Node, path: tuple) -> Any:
    if node.tag.endswith((":int", ":float")) and ODD.match(node.value):
        document.problems.append(f"{document.where(path)}: {node.value[:60]!r}: write a plain decimal number")
        return math.nan
    if node.tag not in PLAIN:  # a date, or <<
        return node.value
    loader = yaml.SafeLoader("")
    try:
        value = loader.construct_object(node)
    except (ValueError, OverflowError):
        document.problems.append(f"{document.where(path)}: {node.value[:60]!r} cannot be read as a number")
        return math.nan
    finally:
        loader.dispose()
    return value

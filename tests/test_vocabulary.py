"""Words that have a standard term: none of them is in the documentation, in study files, in comments, in public docstrings or in messages."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Regular expressions of whole words, and the term to use. Upper and lower case are the same, except in names of classes.
WORDS = {
    r"(?:the |this )house": "the architecture",
    r"(?:the )halls?": "a subpackage",
    r"wings?": "a subpackage",
    r"(?:has|have|having|with|of) room|room left|room for": "remaining capacity, memory, space",
    r"told|tells": "given, specified, stated; (of a process) spec",
    r"as_it_is": "rows",
    r"sealed|reopened": "immutable, writable",
    r"judged": "reference color",
    r"(?:the|a|every) living|living points?|dead points?|(?:is|are) (?:not )?dead": "active, inactive",
    r"crowds?": "points per cell",
    r"clumps?": "survivor pairs",
    r"trusted(?:_u)?(?!\?| publisher)": "below_cutoff, size_converged, reliable",
    r"levelled(?:[-_]tail)?": "scaled tail",
    r"leftovers?": "n_unmatched, unmatched points",
    r"realisations?": "realization",
    r"shards?": "block",
    r"outlook": "forecast",
    r"unfit": "incompatible",
    r"eighths?": "smaller torus",
    r"foreign": "not ours, unknown",
    r"mistakes? of ours": "internal error (a bug in poissonmatch)",
    r"(?-i:Endless|FallingGaps|Kin|Trouble)": "InfinitePattern, FallingGapsProcess, size_group, ProblemKind",
    r"whoever|somebody": "name the thing or person",
    r"so many": "the number",
    r"of (?:one|a user)'s own": "user-defined, custom",
    r"is what it is|gives it|it is that of|to be said": "a plain verb",
    r"of (?:my|our|your|their) own": "user-defined, custom",
    r"beside": "next to, in addition to, apart from",
    r"anew": "again",
    r"but for": "except",
    r"stands?": "is, denotes",
}
# Names of public functions, classes and arguments; a word of a sentence in the documentation.
NAMES = "judged most least shown told crowd unfit outlook leftovers trusted levelled realisation as_it_is".split()


@cache
def sources() -> dict[str, str]:
    """Return the source of each module of both packages."""
    folder = ROOT / "src"
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


@cache
def texts() -> list[tuple[str, str]]:
    """Return (where, text) for each page, study file, public docstring, comment and string of a sentence."""
    pages = [*ROOT.glob("*.md"), ROOT / "results" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    studies = [
        *sorted(ROOT.glob("config/*.yaml")),
        *sorted(ROOT.glob("src/**/*.yaml")),
        *sorted(ROOT.glob("profiles/*/*.yaml")),
    ]
    found = [
        (str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
        for path in [*pages, *studies]
        if not {"_made", "_build"} & {*path.parts} and path.name != "CHANGELOG.md"  # which lists former names
    ]
    for name, source in sources().items():
        found += [(name, text) for text in (*docstrings(source), *messages(source), *comments(source))]
    return found


def documented(source: str) -> Iterator[ast.AST]:
    """Yield the module and its public functions, classes and methods."""
    todo = [ast.parse(source)]
    while todo:
        node = todo.pop()
        yield node
        inside = () if isinstance(node, ast.FunctionDef) else node.body
        todo += [n for n in inside if isinstance(n, ast.ClassDef | ast.FunctionDef) and not n.name.startswith("_")]


def docstrings(source: str) -> list[str]:
    return [ast.get_docstring(node) or "" for node in documented(source)]


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def messages(source: str) -> list[str]:
    """Return the strings of several words that are no docstrings, f-strings with … for their values."""
    body = ast.parse(source)
    parts = {id(part) for node in ast.walk(body) if isinstance(node, ast.JoinedStr) for part in node.values}
    statements = {id(node.value) for node in ast.walk(body) if isinstance(node, ast.Expr)}
    found = []
    for node in ast.walk(body):
        if isinstance(node, ast.JoinedStr):
            found.append(
                "".join(
                    str(getattr(part, "value", "")) if isinstance(part, ast.Constant) else "…" for part in node.values
                )
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (parts | statements):
            found.append(node.value)
    return [text for text in found if " " in text.strip()]


@cache
def names(source: str) -> set[str]:
    """Return the names of public functions and classes, of their arguments and of public fields."""
    found = set()
    for node in documented(source):
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            found |= {node.name, *(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))}
        elif isinstance(node, ast.ClassDef):
            fields = [n.target.id for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
            found |= {node.name, *fields}
    return {name for name in found if not name.startswith("_")}


def occurrences(word: str) -> list[str]:
    """Return where a word occurs, with the words around it."""
    pattern = re.compile(rf"(?<![\w])(?:{word})(?![\w])", re.I)
    return [
        f"{where}: …{' '.join(text[max(0, m.start() - 40) : m.end() + 40].split())}…"
        for where, text in texts()
        for m in pattern.finditer(text)
    ]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_with_a_standard_term_is_not_used(word):
    found = occurrences(word)
    assert not found, f"use {WORDS[word]}:\n" + "\n".join(found)


@pytest.mark.slow
def test_messages_have_a_comma_before_the_value():
    """The form is "X must be Y, got Z"."""
    strings = [(where, text) for where, source in sources().items() for text in messages(source)]
    assert len(strings) > 1000
    assert not [(where, text) for where, text in strings if re.search(r"[;:.(] *[Gg]ot\b|\bgot:", text)]


SCRIPTS = sorted(ROOT.glob("src/**/*.js"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_of_the_page_keep_to_the_vocabulary(path):
    """Their comments, messages and names; "at most" and "at least" are fine."""
    pattern = rf"(?<!\w)(?<!at )(?:{'|'.join([*NAMES, *WORDS, 'room'])})(?!\w)"
    assert not re.findall(rf"[^\n]*{pattern}[^\n]*", path.read_text(encoding="utf-8"), re.I)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_with_a_standard_term_is_not_used(name):
    assert not [module for module, source in sources().items() if name in names(source)]

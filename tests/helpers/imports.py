"""Which modules of the package a module imports, read from its source wherever the import is."""

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PACKAGE = "poissonmatch"
SOURCE = Path(__file__).parents[2] / "src" / PACKAGE
BY_STRING = ("import_module", "__import__")


@dataclass
class Imports:
    """What one module imports.

    modules: names below the package, "" is the package itself; of `from .a import b` both a and a.b, since b may be a module.
    libraries: first words of other names. strings: lines of imports by string; those of a constant name are in modules too.
    """

    modules: set[str] = field(default_factory=set)
    libraries: set[str] = field(default_factory=set)
    strings: list[int] = field(default_factory=list)

    def add(self, name: str) -> None:
        """Add a module by its absolute name."""
        first, _, rest = name.partition(".")
        if first == PACKAGE:
            self.modules.add(rest)
        else:
            self.libraries.add(first)


def name_of(path: Path) -> str:
    """Return the name of a module below the package; "" for the package itself."""
    words = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(words[:-1] if words[-1] == "__init__" else words)


FILES = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def read(source: str, module: str, is_package: bool = False) -> Imports:
    """Return the imports in a source text, also those in functions, under TYPE_CHECKING and by string."""
    found, words = Imports(), [PACKAGE, *module.split(".")] if module else [PACKAGE]
    around = words if is_package else words[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found.add(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = around[: len(around) - node.level + 1] if node.level else []
            base = [*base, node.module] if node.module else base
            found.add(".".join(base))
            if base[0].split(".")[0] == PACKAGE:
                for alias in node.names:
                    found.add(".".join([*base, alias.name]))
        elif isinstance(node, ast.Call) and _called(node) in BY_STRING:
            found.strings.append(node.lineno)
            argument = node.args[0] if node.args else None
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                name = argument.value
                dots = len(name) - len(name.lstrip("."))
                found.add(".".join([*around[: len(around) - dots + 1], name[dots:]]) if dots else name)
    return found


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


@cache
def all_imports() -> dict[str, Imports]:
    """Return the imports of each module of the package."""
    return {name: read(path.read_text("utf-8"), name, path.name == "__init__.py") for name, path in FILES.items()}


def graph() -> dict[str, set[str]]:
    """Return the modules of the package that each module imports, without itself and the packages around it."""
    return {
        name: {
            other
            for other in found.modules
            if other in FILES and not f"{name}.".startswith(f"{other}." if other else "")
        }
        for name, found in all_imports().items()
    }

"""Mutation tests: python -m helpers.mutations [FILE ...] prints the changes of source files that small tests do not notice (in tests/).

A function is changed in one place at a time, by the operators of mutmut, which is the extra `mutation`. mutmut itself leaves functions
with decorators as they are, such as all kernels. Here each change is made in a forked process, in the code of the function, after the
tests are collected. Constants are changed in a process of their own. Kernels run as Python if the file itself has some; otherwise they
are compiled when the tests run without a change. Results: docs/mutations.md.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "poissonmatch"
MEMORY = 6 * 2**30  # bytes of address space of a changed process
PATIENCE = 10  # a change is noticed if the tests take this many times as long
SECONDS = 5  # and this much longer
MAX_SECONDS = 0.5  # of processor time of a test; longer ones are left out
NUMBERS = [
    f"statistics/test_{name}.py" for name in ("estimators", "flow_numbers", "influences", "intervals", "thresholds")
]
LAWS = ["rules/test_laws.py", "theory/test_exact_laws.py"]
THEORY = ["theory/test_numbers.py"]
KERNELS = ["engine/test_small_sets.py"]
PHASES = [f"engine/test_{name}.py" for name in ("phase_numbers", "phase_parts", "phase_rows", "small_sets")]
FILES: dict[str, list[str]] = {
    "statistics/dispersion.py": NUMBERS,
    "statistics/estimators.py": NUMBERS,
    "statistics/convergence.py": NUMBERS,
    "statistics/flow.py": NUMBERS,
    "statistics/influences.py": NUMBERS,
    "statistics/intervals.py": NUMBERS,
    "theory/finite_size.py": NUMBERS,
    "rules/laws.py": LAWS,
    "theory/formulas.py": THEORY,
    "theory/volumes.py": THEORY,
    "theory/scaling_laws.py": THEORY,
    "theory/response_line.py": [*THEORY, "theory/test_line_numbers.py"],
    "theory/fussy_line.py": ["theory/test_line_numbers.py"],
    "theory/fussy_intervals.py": ["theory/test_line_numbers.py"],
    "points/order.py": ["points/test_order.py"],
    "engine/pair_order.py": ["points/test_order.py"],
    "engine/chains.py": ["engine/test_chain_numbers.py", *KERNELS],
    "engine/coarse.py": [*KERNELS, "engine/test_coarse_numbers.py"],
    "engine/buckets.py": ["engine/test_bucket_numbers.py"],
    "engine/nearest.py": [f"engine/test_{name}.py" for name in ("nearest_numbers", "search_numbers", "search_states")],
    "engine/phases.py": PHASES,
}  # the tests of each file, all with literal numbers or a slow twin


@dataclass(frozen=True)
class Change:
    """A change in one place of a file.

    function: name of the outermost function around it, with its classes; "" for none. first: first line of that function.
    """

    function: str
    first: int
    line: int
    before: str
    after: str
    source: str  # of the changed file

    def __str__(self) -> str:
        return f"{self.line} {self.function or 'constant'}: {self.before}  ->  {self.after}"


class Changes(cst.CSTVisitor):
    """Collects the changes of a file, except in decorators, docstrings, imports, types, and defaults of parameters and classes."""

    METADATA_DEPENDENCIES = (PositionProvider, WhitespaceInclusivePositionProvider)

    def __init__(self, module: cst.Module) -> None:
        self.module, self.found, self.source = module, list[Change](), module.code
        self.lines = self.source.splitlines(keepends=True)
        self._around: list[cst.FunctionDef | cst.ClassDef] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Collect the changes of a node."""
        if isinstance(node, (cst.Annotation, cst.Decorator, cst.Parameters, cst.Import, cst.ImportFrom)):
            return False
        if isinstance(node, cst.Expr) and isinstance(node.value, (cst.SimpleString, cst.ConcatenatedString)):
            return False
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            self._around.append(node)
        for kind, operator in mutation_operators:
            for changed in operator(node) if isinstance(node, kind) else ():
                self._add(node, changed)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Leave a function or class."""
        if self._around and original_node is self._around[-1]:
            self._around.pop()

    def _line(self, node: cst.CSTNode) -> int:
        return self.get_metadata(PositionProvider, node).start.line  # type: ignore[attr-defined]

    def _add(self, node: cst.CSTNode, changed: cst.CSTNode) -> None:
        place = self.get_metadata(WhitespaceInclusivePositionProvider, node)
        start, stop = (sum(map(len, self.lines[: end.line - 1])) + end.column for end in (place.start, place.end))  # type: ignore[attr-defined]
        old, code = self.source, self.module.code_for_node
        if old[start:stop].split() != code(node).split():  # but for indentation
            raise RuntimeError(f"libcst gives a wrong position of {code(node)}")
        source = old[:start] + code(changed) + old[stop:]
        pairs = ((a.strip(), b.strip()) for a, b in zip(self.lines, source.splitlines(), strict=False))
        before, after = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        depth = next((i for i, each in enumerate(self._around) if isinstance(each, cst.FunctionDef)), None)
        names, first = "", 0
        if depth is None and self._around:
            return  # a default of a class
        if depth is not None:
            names = ".".join(each.name.value for each in self._around[: depth + 1])
            function = self._around[depth]
            first = self._line(function.decorators[0] if function.decorators else function)
        self.found.append(Change(names, first, self._line(node), before, after, source))


def changes(path: Path) -> list[Change]:
    """Return all changes of a file."""
    wrapper = MetadataWrapper(cst.parse_module(path.read_text()), unsafe_skip_copy=True)
    visitor = Changes(wrapper.module)
    wrapper.visit(visitor)
    return visitor.found


def function_of(module: ModuleType, name: str) -> FunctionType | None:
    """Return a function of a module by its qualified name; None if it is not defined, such as one for the compiler only."""
    owner: Any = module
    for part in name.split("."):
        owner = inspect.getattr_static(owner, part, None)
    for inner in ("fget", "func", "__func__", "__wrapped__"):  # property, cached_property, classmethod, lru_cache
        owner = owner if isinstance(owner, FunctionType) else getattr(owner, inner, owner)
    return owner if isinstance(owner, FunctionType) else None


def replace_code(function: FunctionType, source: str) -> None:
    """Replace the code of a function by that in the source of the changed file."""
    stack = [compile(source, function.__code__.co_filename, "exec")]
    wanted = function.__code__.co_qualname, function.__code__.co_firstlineno
    while ((code := stack.pop()).co_qualname, code.co_firstlineno) != wanted:
        stack += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    function.__code__ = code


def replace_constant(module: ModuleType, source: str) -> None:
    """Replace the constants of a module by those of the changed file, also where they were imported."""
    changed = dict(vars(module))
    exec(compile(source, str(module.__file__), "exec"), changed)
    for name in [name for name in vars(module) if name.strip("_").isupper()]:
        old = vars(module)[name]
        for other in list(sys.modules.values()):
            if getattr(other, name, None) is old:
                setattr(other, name, changed[name])


class Runner:
    """A plugin of pytest that runs the collected tests for each change of a file, and collects the changes that pass.

    First all tests run without a change, which finds those that call each function, and those that take long, which are left out.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.noticed, self.passed, self.skipped = path, 0, list[Change](), list[Change]()
        parts = path.relative_to(SOURCE).with_suffix("").parts
        self.module = importlib.import_module(".".join(["poissonmatch", *parts]))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a change, which must pass, then with each change."""
        tests = dict[pytest.Item, float]()
        self.calls: dict[tuple[str, int], list[pytest.Item]] = {}
        run(session.items[0])  # imports what is imported on first use
        for item in session.items:
            called, start = set[tuple[str, int]](), time.process_time()

            def note(frame: FrameType, event: str, _: Any, called: set = called) -> None:
                if event == "call" and frame.f_code.co_filename == str(self.path):
                    called.add((frame.f_code.co_qualname, frame.f_code.co_firstlineno))

            sys.setprofile(note)
            run(item)
            sys.setprofile(None)
            if (taken := time.process_time() - start) < MAX_SECONDS:
                tests[item] = taken
                for key in called:
                    self.calls.setdefault(key, []).append(item)
        gc.freeze()  # forked processes share more memory
        if session.testsfailed:
            raise pytest.UsageError("the tests fail without any change")
        for calls in self.calls.values():
            calls.sort(key=lambda item: tests[item])
        for change in changes(self.path):
            self._try(session, change, list(tests), int(SECONDS + PATIENCE * sum(tests.values())))
        return True

    def _try(self, session: pytest.Session, change: Change, tests: list[pytest.Item], seconds: int) -> None:
        """Run tests in a forked process with a change, for a time."""
        if change.function:
            function = function_of(self.module, change.function)
            if function is None or function.__code__.co_firstlineno != change.first:
                self.skipped.append(change)
                return
            prepare: Callable[[], None] = partial(replace_code, function, change.source)
            tests = self.calls.get((change.function, change.first), [])
        else:
            prepare = partial(replace_constant, self.module, change.source)
        if child := os.fork():
            if status := os.waitpid(child, 0)[1]:
                self.noticed += 1
                if status == signal.SIGALRM:
                    print(f"noticed after {seconds} s: {self.path.relative_to(SOURCE)}:{change}", flush=True)
            else:
                self.passed.append(change)
                print(f"{self.path.relative_to(SOURCE)}:{change}", flush=True)
            return
        signal.alarm(seconds)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        try:
            prepare()
            for cached in vars(self.module).values():
                getattr(cached, "cache_clear", int)()
            os._exit(any(run(item) or session.testsfailed for item in tests))
        finally:
            os._exit(1)


def run(item: pytest.Item) -> None:
    """Run a test; `testsfailed` of its session counts failures."""
    item.ihook.pytest_runtest_protocol(item=item, nextitem=None)


def main(files: list[str]) -> None:
    """Print the changes of these files, by default all, that no test notices; each file has a process, since numba is set up once."""
    sys.path.insert(0, str(SOURCE.parent))
    for file in files or FILES:
        if child := os.fork():
            if status := os.waitpid(child, 0)[1]:
                sys.exit(os.waitstatus_to_exitcode(status))
        else:
            run_file(file)
            return


def run_file(file: str) -> None:
    """Print the changes of a file that no test notices."""
    has_kernels = "jit import" in (SOURCE / file).read_text()
    os.environ |= {"NUMBA_DISABLE_JIT": str(int(has_kernels)), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    runner = Runner(SOURCE / file)
    options = "--noconftest -W error -o addopts= -p no:cacheprovider -p no:terminal -p no:faulthandler".split()
    options += ["-m", "not slow", "--rootdir", str(TESTS.parent)]
    if pytest.main([*options, *(str(TESTS / test) for test in FILES[file])], plugins=[runner]):
        sys.exit(f"{file}: the tests failed without any change")
    print(f"{file}: {runner.noticed} of {runner.noticed + len(runner.passed)} changes noticed", flush=True)
    for change in runner.skipped:
        print(f"  not run: {change}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Time and memory of the partisan games: `python benchmarks/games.py [case ..]` prints a table, and writes it to
results/games.md, beside the rows of other cases.

Bounds are in parentheses: seconds of processor time (a busy machine makes the wall clock say anything), and memory.
Each case runs in a process of its own, after its kernels are compiled, so that its peak memory is its own.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from poissonmatch.utils.display import counted
from poissonmatch_games import one_blank, parse
from poissonmatch_games.checkers import certificates
from poissonmatch_games.toads import OutcomeEngine
from poissonmatch_games.toads.canonical import CanonicalEngine
from poissonmatch_games.toads.published_values import TABLES, published
from poissonmatch_games.toads.strips import starting

sys.path.append(str(Path(__file__).parents[1] / "research"))  # the finders of proofs
from toads_proofs.provers import PROOFS, prove
from toads_proofs.retrograde import Table


def canonical_tables() -> str:
    engine, cells, wrong = CanonicalEngine(), 0, 0
    for k, rows in TABLES.items():
        for a, row in rows.items():
            for b in range(1, len(row) + 1):
                if 2 * a + k + b <= 15:
                    cells += 1
                    printed = published(k, a, b)
                    wrong += printed is not None and printed.agreement(engine.value(starting(a + k, b, a))) == "differs"
    return f"{cells} cells, {wrong} wrong, {engine.positions} positions"


def canonical_5_8_5() -> str:
    engine = CanonicalEngine()
    return f"T^5 .^8 F^5 = {engine.value(starting(5, 8, 5))}, {engine.positions} positions"


def outcome(strip: str, value: str, memory: int = 2**30) -> Callable[[], str]:
    def run() -> str:
        engine = OutcomeEngine(memory)
        return f"{strip} {engine.compare(strip, parse(value))} {value}, {engine.positions} positions"

    return run


def rows_2_and_3() -> str:
    engine, wrong = OutcomeEngine(2**30, longest=118), 0
    for a, last in ((2, 103), (3, 53)):
        for b in range(1, last + 1):
            printed = published(0, a, b)
            wrong += printed is None or engine.compare(starting(a, b, a), printed.value) != "="
    return f"156 cells, {wrong} wrong, {engine.positions} positions"


def one_blank_200() -> str:
    rng, strips = random.Random(1), []
    for _ in range(1000):
        squares = rng.choices("TF", k=200)
        squares[rng.randrange(200)] = "."
        strips.append("".join(squares))
    return f"1000 strips of 200 squares, {len({one_blank(strip) for strip in strips})} values"


def retrograde(toads: int, blanks: int, frogs: int) -> Callable[[], str]:
    def run() -> str:
        zero, star = (relation.replace("|", "confused") for relation in Table(toads, blanks, frogs, "*").relations)
        return f"T^{toads} .^{blanks} F^{frogs}: beside 0 {zero}, beside \\* {star}; all positions"

    return run


def found(name: str) -> Callable[[], str]:
    return lambda: f"{len(certificates.written(prove(name)))} bytes"


def checked(name: str) -> Callable[[], str]:
    return lambda: counted(certificates.check(certificates.load(name)))


# case -> (what it does, seconds and bytes it was meant to stay under)
CASES: dict[str, tuple[Callable[[], str], float, float]] = {
    "tables-15-squares": (canonical_tables, 60, 4e9),
    "canonical-5-8-5": (canonical_5_8_5, 30, 4e9),
    "outcome-5-10-5": (outcome("T^5 .^10 F^5", "0", memory=2**27), 5, 2.2e9),
    "outcome-6-7-6": (outcome("T^6 .^7 F^6", "*"), 30, 2.2e9),
    "outcome-8-5-8": (outcome("T^8 .^5 F^8", "*"), 30, 2.2e9),
    "rows-2-and-3": (rows_2_and_3, 300, 2.2e9),
    "e4-at-7": (outcome("T^7 .^7 F^6", "2"), 300, 2.2e9),
    "one-blank-200": (one_blank_200, 5, 1e9),
    "all-6-12-6": (retrograde(6, 12, 6), 60, 1.5e9),
    "all-3-59-3": (retrograde(3, 59, 3), 60, 1.5e9),
    **{f"check {name}": (checked(name), 60, 1.5e9) for name in certificates.stored()},
    **{f"find {name}": (found(name), 600, 4e9) for name in PROOFS},
}
RESULTS = Path(__file__).with_name("results") / "games.md"
TITLE = [
    "# Time and memory of the partisan games",
    "",
    "Made by `python benchmarks/games.py`; the bars refer to processor time.",
    "",
]
HEAD = "| case | wall s | cpu s | bar | GB | bar | | result |\n|---|---|---|---|---|---|---|---|"


def run(case: str) -> None:
    CanonicalEngine().value("TT..FF")  # compile, or load what was compiled
    for longest in (55, 118):
        OutcomeEngine(2**20, longest).compare("TT..FF")
    start, wall = time.process_time(), time.perf_counter()
    result = CASES[case][0]()
    seconds, wall = time.process_time() - start, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    _, most_seconds, most_bytes = CASES[case]
    verdict = "ok" if seconds <= most_seconds and peak <= most_bytes else "OVER"
    measured = f"{wall:.1f} | {seconds:.1f} | {most_seconds:.0f} | {peak / 1e9:.2f} | {most_bytes / 1e9:.1f}"
    print(f"| {case} | {measured} | {verdict} | {result} |", flush=True)


def main(cases: list[str]) -> None:
    known = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    rows = {line.split(" | ")[0].strip("| "): line for line in known if line.startswith("| ")}
    print(HEAD)
    for name in cases:
        command = [sys.executable, __file__, "--alone", name]
        rows[name] = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        print(rows[name], flush=True)
        table = [HEAD, *(rows[case] for case in CASES if case in rows)]
        RESULTS.write_text("\n".join([*TITLE, *table, ""]), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        run(sys.argv[2])
    else:
        main(sys.argv[1:] or list(CASES))

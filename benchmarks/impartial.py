"""Times of the impartial tables on one core, as a table: python benchmarks/impartial.py [largest triangle total]."""

import sys
import time
from collections.abc import Callable

from poissonmatch import games


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    compiling = seconds(lambda: (games.TriangleGame().values(2), games.Kayles().values(2), games.Wythoff().values(2)))
    totals = [total for total in (60, 120, 180, 400, 600, 800) if total <= largest]
    jobs: dict[str, Callable[[], object]] = {
        "compile, or load from the cache": lambda: None,
        **{f"Triangle Game, all totals <= {n}": lambda n=n: games.TriangleGame().values(n) for n in totals},
        "Triangle Game, both plays and all columns, <= 180": lambda: games.TriangleGame().columns(180),
        "Triangle Game, patterns, <= 180": lambda: games.triangle_patterns(games.TriangleGame(), 180),
        "Kayles, heaps <= 10000": lambda: games.Kayles().values(10_000),
        "Dawson's Kayles, proved period": lambda: games.DawsonsKayles().period(),
        "Wythoff, heaps <= 500": lambda: games.Wythoff().values(500),
        "misere quotient of 0.123, heaps <= 9": lambda: games.misere_quotient(games.OctalGame("0.123"), 9),
    }
    print(f"{'job':52} {'seconds':>9}")
    for name, work in jobs.items():
        print(f"{name:52} {compiling if name.startswith('compile') else seconds(work):9.3f}", flush=True)


if __name__ == "__main__":
    main()

"""Times of the impartial tables on one core, as a table: python benchmarks/impartial.py [largest triangle total]."""

import sys
import time
from collections.abc import Callable

import poissonmatch_games as games
from poissonmatch_games.impartial.triangle_moves import move_of_the_proof


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    game, thousand, huge = games.TriangleGame(), (1000, 1000, 1000), (10**15, 2 * 10**15 + 7, 10**15 + 3)
    compiling = seconds(
        lambda: (
            games.TriangleGame().values(2),
            games.impartial.Kayles().values(2),
            games.impartial.Wythoff().values(2),
        )
    )
    totals = [total for total in (60, 120, 180, 400, 600, 800) if total <= largest]
    jobs: dict[str, Callable[[], object]] = {
        "compile, or load from the cache": lambda: None,
        **{f"Triangle Game, all totals <= {n}": lambda n=n: games.TriangleGame().values(n) for n in totals},
        "Triangle Game, both plays and all columns, <= 180": lambda: games.TriangleGame().columns(180),
        "Triangle Game (1000, 1000, 1000), winning moves": lambda: game.winning_moves(thousand),
        "  the same, by looking at every move": lambda: [p for p in {*game.options(thousand)} if game.is_p(p)],
        "Triangle Game, 1000 winning moves at 10^15": lambda: [game.winning_move(huge) for _ in range(1000)],
        "  1000 times the move of the proof alone": lambda: [move_of_the_proof(huge, False) for _ in range(1000)],
        "Sprouts, 4 spots, normal and misere": lambda: [
            games.impartial.Sprouts().is_p(4, misere=m) for m in (False, True)
        ],
        "Hackenbush, a path of 100000 edges": lambda: games.impartial.GreenHackenbush().grundy(
            [(k, k + 1) for k in range(10**5)]
        ),
        "Kayles, heaps <= 10000": lambda: games.impartial.Kayles().values(10_000),
        "Dawson's Kayles, proved period": lambda: games.impartial.heaps.DawsonsKayles().period(),
        "Wythoff, heaps <= 500": lambda: games.impartial.Wythoff().values(500),
        "misere quotient of 0.123, heaps <= 9": lambda: games.impartial.misere_quotient(
            games.impartial.OctalGame("0.123"), 9
        ),
    }
    print(f"{'job':52} {'seconds':>9}")
    for name, work in jobs.items():
        print(f"{name:52} {compiling if name.startswith('compile') else seconds(work):9.3f}", flush=True)


if __name__ == "__main__":
    main()

"""Labels and remoteness, backwards from the end: small graphs by hand, random ones by their defining equations."""

import random

import pytest

from poissonmatch.utils.retrograde_labels import explore, label_positions


def test_a_chain_and_a_cycle():
    """0 has no option; 1 moves to 0, 2 to 1; 3 and 4 move to one another, and 4 also to 2, which loses."""
    outcomes = label_positions([[], [0], [1], [4], [3, 2]], lambda _: "P")
    assert outcomes.labels == ["P", "N", "P", "P", "N"] and outcomes.remoteness == [0, 1, 2, 4, 3]
    outcomes = label_positions([[], [0], [1], [4], [3, 1]], lambda _: "P")
    assert outcomes.labels == ["P", "N", "P", "D", "D"] and outcomes.remoteness == [0, 1, 2, None, None]


def test_terminal_positions_have_the_label_that_is_given():
    assert label_positions([[], [], [0, 1]], lambda vertex: "NP"[vertex]).labels == ["N", "P", "N"]


@pytest.mark.parametrize("terminal", ["P", "N"])
def test_random_graphs_satisfy_the_equations(terminal):
    rng = random.Random(3)
    for _ in range(200):
        size = rng.randrange(1, 12)
        options = [[q for q in range(size) if rng.random() < 0.15] for _ in range(size)]
        labels, moves = label_positions(options, lambda _: terminal)
        for vertex, after in enumerate(options):
            lost = [moves[option] for option in after if labels[option] == "P"]
            won = [moves[option] for option in after if labels[option] == "N"]
            if not after:
                assert (labels[vertex], moves[vertex]) == (terminal, 0)
            elif lost:
                assert (labels[vertex], moves[vertex]) == ("N", 1 + min(lost))
            elif len(won) == len(after):
                assert (labels[vertex], moves[vertex]) == ("P", 1 + max(won))
            else:
                assert (labels[vertex], moves[vertex]) == ("D", None)


def test_exploration_numbers_positions_in_the_order_of_their_distance():
    positions, (options,) = explore([5], lambda n: [[n - 2, n - 1, n - 2] if n > 1 else []])
    assert positions == (5, 3, 4, 1, 2, 0) and options == ((1, 2), (3, 4), (4, 1), (), (5, 3), ())
    with pytest.raises(MemoryError, match="more than 3 positions can be reached from 5"):
        explore([5], lambda n: [[n - 1]], 3)

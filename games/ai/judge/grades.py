"""Grades of errors, by the equity lost: the limits of GNU Backgammon's doubtful, bad, very bad.

The coach warns of blunders; reviews count all three.
"""

# Equity; the least loss of each grade.
DOUBTFUL, MISTAKE, BLUNDER = 0.04, 0.08, 0.16


def grade_of(loss: float) -> str:
    """Return the name of the grade, "" for a loss below all of them."""
    if loss >= BLUNDER:
        return "blunder"
    if loss >= MISTAKE:
        return "mistake"
    return "doubtful" if loss >= DOUBTFUL else ""

"""The 21 distinct rolls, and how many of the 36 each represents."""

ROLLS: tuple[tuple[int, int], ...] = tuple((a, b) for a in range(1, 7) for b in range(1, a + 1))
ROLL_WEIGHTS: tuple[int, ...] = tuple(1 if a == b else 2 for a, b in ROLLS)

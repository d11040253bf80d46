"""The head rule of long nardy: the number of checkers that may leave point 24 in one turn.

One checker may leave it. On a side's first turn two checkers may, depending on `Rules.head`: if
more dice can be played with two than with one (EFFECT), or on a fixed list of doublets (FIXED).
"""

from games.engine.rules import HeadRule, Rules

FIXED_DOUBLETS = frozenset({3, 4, 6})


def head_limits(rules: Rules, dice: tuple[int, int], first_turn: bool) -> tuple[int, ...]:
    """Return the limits to try, in order: a later one is used only if it plays more dice."""
    if not first_turn:
        return (1,)
    if rules.head is HeadRule.EFFECT:
        return (1, 2)
    return (2,) if dice[0] == dice[1] and dice[0] in FIXED_DOUBLETS else (1,)

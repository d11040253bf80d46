"""The head rule of long nardy: how many checkers may leave point 24 in one turn.

One; on a side's first turn two, either by effect (exactly when one cannot play as many dice
as two can) or for a fixed list of rolls, as the match's rules say.
"""

from games.engine.rules import HeadRule, Rules

FIXED_DOUBLETS = frozenset({3, 4, 6})


def head_limits(rules: Rules, dice: tuple[int, int], first_turn: bool) -> tuple[int, ...]:
    """The limits to try in this order: a later one stands only if it plays more dice."""
    if not first_turn:
        return (1,)
    if rules.head is HeadRule.EFFECT:
        return (1, 2)
    return (2,) if dice[0] == dice[1] and dice[0] in FIXED_DOUBLETS else (1,)

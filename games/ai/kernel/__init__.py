"""The fast kernel: legal turns, inputs and nets over arrays, compiled by numba.

`games.engine` stays the source of truth; tests compare the kernel with it. A board is an `int8`
array of 26, always seen by the player on roll (own points 24 -> 1): on points 1..24 own checkers
are positive and enemy checkers negative. In short backgammon [25] counts own checkers on the bar
and [0] those of the enemy; in long nardy [0] and [25] count own and enemy checkers borne off.

`short.turns` and `long.turns` offer the same compiled functions:
`afterstates(board, d1, d2, flags, out) -> n` (the distinct results of whole turns, still seen by
the mover; `out` holds `MAX_AFTERSTATES` rows), `flip(board, out)`, `start(board)`,
`finished(board, kinds) -> 0..3` (points of the mover's win, 0 = the game goes on; `kinds` says how
mars and koks count), `encode(board, idx, val) -> n` (the nonzero inputs), `phase(board)` (which net
evaluates it), and the numbers `INPUTS`, `INPUTS_VERSION`, `PHASES`, `MAX_ACTIVE`. `game` joins the
two.

No page, socket or worker imports this package, even indirectly: compiling belongs to the bots'
process, the trainer and `manage.py demo`, which plays whole matches itself.
"""

from games.ai.kernel import jit  # the decorators of all compiled code, and its cache

__all__ = ["jit"]

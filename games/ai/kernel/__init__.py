"""The fast kernel: legal turns, inputs and nets over arrays, compiled by numba.

`games.engine` stays the one source of truth; tests hold the kernel to it. A board is an `int8`
array of 26, always seen by the player on roll (his points 24 -> 1), `n` own checkers positive and
enemy ones negative on points 1..24. In short [25] are own checkers on the bar and [0] those of the
enemy (a count); in long [0] and [25] are the own and enemy checkers borne off.

`short` and `long` offer the same compiled functions: `afterstates(board, d1, d2, flags, out) -> n`
(the distinct results of whole turns, still seen by the mover; `out` holds `MAX_AFTERSTATES` rows),
`flip(board, out)`, `start(board)`, `finished(board, kinds) -> 0..3` (points of the mover's win
after his turn, 0 = goes on; `kinds` says what counts), `encode(board, idx, val) -> n` (the inputs
that are not zero), `phase(board)` (which net judges it), and the numbers `INPUTS`,
`INPUTS_VERSION`, `PHASES`, `MAX_ACTIVE`.

Nothing of the site imports this package: compiling belongs into the bots' process and the trainer.
"""

from games.ai.kernel import jit  # before any compiled module: it names the cache's folder

__all__ = ["jit"]

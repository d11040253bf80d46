"""The minimum that a resignation may offer: the loss that is already certain.

The rule of the site: the resigner owes 2x or 3x only if they could not escape that kind of loss
even by rolling 6-6 in every turn while the winner rolls 2-1. Two races are compared, both counted
in favor of the resigner:

- *The escape.* The sixes that the resigner needs, four a turn, without obstacles (in long nardy
  one checker a turn leaves the head, two in the first turn). To escape a mars they must bear one
  checker off (in the profile `manual`: bring all home); to escape a koks, leave every point on
  which a checker makes the loss a koks.
- *The winner's finish.* The turns of 2-1 after which the winner has certainly borne off, never
  landing on a point that the resigner could reach by sixes. In short backgammon, where a hit
  would undo the count, the winner must also never leave a blot that a checker behind it could
  reach by any roll; where that cannot be avoided, nothing is certain.

After the roll, this turn is judged by the plays that the dice allow.
"""

from functools import lru_cache

from games.engine.board.legal import legal_results
from games.engine.board.position import Counts, Position, pips_of
from games.engine.board.variants import BAR, HEAD, HOME_END, OFF, TRAITS
from games.engine.board.win_kind import KIND_POINTS, WinKind, koks_points
from games.engine.match.scoring import counted_factor, counted_kind
from games.engine.match.state import MatchState
from games.engine.rules import Profile, Rules, Variant
from games.engine.sides import Side

_SIXES_A_TURN = 4
_SMALL_DICE = ((2, 1), (1, 2))
_BLOCK_LENGTH = 6


def certain_minimum(state: MatchState) -> int:
    """Return the lowest factor, 1 to 3, at which the side on turn may resign the game."""
    for kind in (WinKind.BACKGAMMON, WinKind.GAMMON):
        if counted_kind(kind, state.rules, state.cube) is WinKind.SINGLE:
            return 1
        if _is_certain(state, kind):
            return counted_factor(KIND_POINTS[kind], state.rules, state.cube)
    return 1


def _is_certain(state: MatchState, kind: WinKind) -> bool:
    if state.dice is None:
        return _is_lost(state, kind, state.position, turns_left=1)
    # A cheap check first. No play takes the resigner further from the escape or the winner nearer
    # to the finish, so most positions need no search of plays.
    side = _resigner(state)
    within = _winners_turns(state, kind, state.position, turns_left=0)
    if within <= 0 or (not state.last_turn and _is_too_far(state.position.of(side.other), within)):
        return False
    results = legal_results(state.position, side, state.dice, state.rules, state.turns[side] == 0)
    return all(_is_lost(state, kind, result, turns_left=0) for result in results)


def _is_lost(state: MatchState, kind: WinKind, position: Position, turns_left: int) -> bool:
    """Return True if `kind` is certain; `turns_left`: the resigner's turns before the winner's."""
    within = _winners_turns(state, kind, position, turns_left)
    if within <= 0 or state.last_turn:
        return within > 0
    side, variant = _resigner(state), state.rules.variant
    return _surely_finishes(position, side, variant, within, turns_left > 0)


def _winners_turns(state: MatchState, kind: WinKind, position: Position, turns_left: int) -> int:
    """Return how many turns the winner has before the resigner can escape `kind`.

    On the last turn of a game under parity the winner has finished: then any number above 0 means
    that the resigner cannot escape.
    """
    side, rules = _resigner(state), state.rules
    needed = _turns_to_escape(position.of(side), kind, rules, state.turns[side] == 0)
    # Under parity the resigner may have one turn more after the winner's last.
    extra = 1 if rules.parity and state.first is side.other and not state.last_turn else 0
    return needed - turns_left - extra


def _resigner(state: MatchState) -> Side:
    if state.turn is None:
        raise ValueError("nobody is on turn")
    return state.turn


def _turns_to_escape(counts: Counts, kind: WinKind, rules: Rules, is_first_turn: bool) -> int:
    """Return the turns of 6-6 without obstacles until a loss counts less than `kind`."""
    by_manual = rules.profile is Profile.MANUAL
    if counts[OFF] and not by_manual:
        return 0
    sixes = [-(-(point - HOME_END) // 6) * counts[point] for point in range(HOME_END + 1, BAR + 1)]
    needed = sum(sixes) + (0 if by_manual else 1)
    if kind is WinKind.BACKGAMMON:
        needed = min(needed, _sixes_out_of_koks(counts, rules))
    if not needed:
        return 0
    turns = -(-needed // _SIXES_A_TURN)
    head_turns = counts[HEAD] - (1 if is_first_turn else 0)
    clears_head = kind is not WinKind.BACKGAMMON or HEAD in koks_points(rules)
    if rules.variant is Variant.LONG and clears_head:
        return max(turns, head_turns)
    return turns


def _sixes_out_of_koks(counts: Counts, rules: Rules) -> int:
    # From the bar one six enters the first quarter, and one more leaves it.
    return 2 * counts[BAR] + sum([counts[point] for point in koks_points(rules)])


def _surely_finishes(
    position: Position, resigner: Side, variant: Variant, within: int, hit_first: bool
) -> bool:
    """Return True if the resigner's opponent has borne off after `within` turns of 2-1.

    `hit_first` = the resigner rolls before the winner's next turn.
    """
    winner, loser = position.of(resigner.other), position.of(resigner)
    if _is_too_far(winner, within):
        return False
    opposite = TRAITS[variant].opposite
    rearmost = max((point for point in range(1, BAR + 1) if loser[point]), default=OFF)
    if variant is Variant.SHORT and not any(winner[BAR - rearmost + 1 :]):
        rearmost = OFF  # the sides have passed each other
    reachable = {
        opposite[place]
        for point in range(1, rearmost + 1)
        if loser[point]
        for place in range(point, 0, -6)
        if place != BAR
    }
    hit_beyond = BAR - rearmost if variant is Variant.SHORT and rearmost else BAR
    if hit_first and _has_blot(winner, hit_beyond):
        return False
    return _finishes(winner, within, frozenset(reachable), hit_beyond, variant)


def _is_too_far(counts: Counts, within: int) -> bool:
    return pips_of(counts) > 3 * within or sum(counts[1:]) > 2 * within


def _has_blot(counts: Counts, hit_beyond: int) -> bool:
    """Return True if a blot stands above `hit_beyond`, where an enemy checker is behind it."""
    return 1 in counts[hit_beyond + 1 : BAR]


@lru_cache(maxsize=4096)
def _finishes(
    counts: Counts, within: int, closed: frozenset[int], hit_beyond: int, variant: Variant
) -> bool:
    """Return True if 2-1 in each of `within` turns can bear all checkers off safely.

    Safely means without landing on a point of `closed` or leaving a blot above `hit_beyond`.
    """
    if not any(counts[1:]):
        return True
    if _is_too_far(counts, within):
        return False
    return any(
        _finishes(after, within - 1, closed, hit_beyond, variant)
        for after in _after_small_dice(counts, closed, variant, hit_beyond)
        if not any(after[1:]) or not _has_blot(after, hit_beyond)
    )


def _after_small_dice(
    counts: Counts, closed: frozenset[int], variant: Variant, hit_beyond: int
) -> set[Counts]:
    """Return the boards that 2-1 can lead to; a die that cannot be played is left out."""
    reached: set[Counts] = set()
    for dice in _SMALL_DICE:
        boards = {counts}
        for die in dice:
            stepped: set[Counts] = set()
            for board in boards:
                stepped |= _after_die(board, die, closed, variant, counts[HEAD]) or {board}
            boards = stepped
        reached |= boards
    if variant is Variant.SHORT and hit_beyond < BAR:
        # With contact, keep only boards after both dice: a die that is left out here might be
        # playable in the game and force a dangerous move.
        pips = pips_of(counts)
        reached = {board for board in reached if pips - pips_of(board) == 3 or not any(board[1:])}
    return reached


def _after_die(
    counts: Counts, die: int, closed: frozenset[int], variant: Variant, head_before: int
) -> set[Counts]:
    reached: set[Counts] = set()
    highest = max((point for point in range(1, BAR + 1) if counts[point]), default=OFF)
    for source in range(highest, 0, -1):
        if not counts[source]:
            continue
        if source < highest == BAR:
            break
        target = max(source - die, OFF)
        if target == OFF and (highest > HOME_END or (source < die and source != highest)):
            continue
        if target in closed or (source == HEAD and counts[HEAD] < head_before):
            continue
        board = list(counts)
        board[source] -= 1
        board[target] += 1
        if variant is Variant.SHORT or not _has_block(board):
            reached.add(tuple(board))
    return reached


def _has_block(counts: list[int]) -> bool:
    """Return True if the checkers form a block; a finish that needs one is not certain."""
    run = 0
    for point in range(1, BAR):
        run = run + 1 if counts[point] else 0
        if run == _BLOCK_LENGTH:
            return True
    return False

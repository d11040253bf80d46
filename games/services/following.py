"""What follows an action by itself: openings, passes, the next game, the secret at the end."""

from games.engine.match.actions import Opening, Play, Reveal, Start
from games.engine.match.permissions import graph_of
from games.engine.match.state import MatchState, Phase
from games.services.dice import next_roll, unseal
from games.services.table import Table


def follow_up(table: Table) -> None:
    """Do what needs nobody's choice, in the same transaction, until somebody has to act."""
    while _one_more(table):
        pass


def _one_more(table: Table) -> bool:
    state = table.state
    if state.phase is Phase.SEATING and _all_shaken(table):
        table.act(lambda at: Start(at_ms=at, game=1))
    elif state.phase is Phase.BETWEEN_GAMES and _all_ready(table):
        start_next_game(table)
    elif state.phase is Phase.OPENING:
        white, black = next_roll(table.match, state)
        table.act(lambda at: Opening(at_ms=at, white=white, black=black))
    elif state.phase is Phase.TO_PLAY and state.offer is None and graph_of(state).is_pass:
        _pass(table, state)
    elif state.phase is Phase.FINISHED and state.proof.secret is None:
        secret = unseal(table.match.sealed_secret).hex()
        table.act(lambda at: Reveal(at_ms=at, secret=secret))
    else:
        return False
    return True


def start_next_game(table: Table) -> None:
    game = table.state.game + 1
    table.act(lambda at: Start(at_ms=at, game=game))


def _pass(table: Table, state: MatchState) -> None:
    assert state.turn is not None
    side = state.turn
    table.act(lambda at: Play(at_ms=at, side=side, text="-", auto=True))


def _all_shaken(table: Table) -> bool:
    """Whether every person has added to the dice; a bot adds nothing."""
    entropy = table.state.proof.entropy
    return all(seat.bot or entropy[side] is not None for side, seat in table.seats.items())


def _all_ready(table: Table) -> bool:
    return all(seat.bot or side in table.state.ready for side, seat in table.seats.items())

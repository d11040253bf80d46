"""Receivers of the signals of the apps below."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext_lazy

from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused
from accounts.signals import (
    member_banned,
    member_banning,
    member_closing,
    member_closing_asked,
)
from games.models import Match
from games.signals import match_finished
from tournaments import states
from tournaments.models import Entrant
from tournaments.services import leaving, tables
from wallet.signals import reservations_ending, reservations_locking


@receiver(match_finished)
def record_result(sender: Any, match_id: int, **_: Any) -> None:
    finished_at = Match.objects.values_list("finished_at", flat=True).get(pk=match_id)
    tables.record(match_id, finished_at or CLOCK.now())


@receiver(member_banning)
def exclude_banned(sender: Any, user_id: int, **_: Any) -> None:
    leaving.exclude_banned(user_id, CLOCK.now())


@receiver(member_banned)
def withdraw_banned(sender: Any, user_id: int, **_: Any) -> None:
    leaving.withdraw_everywhere(user_id, CLOCK.now())


@receiver(member_closing)
def withdraw_closing(sender: Any, user_id: int, **_: Any) -> None:
    """Withdraw from all announced tournaments; raise `Refused("playing")` while one is running.

    A closed account could not receive the prize. Withdrawing first locks the announced tournaments,
    so none of them can start before the check.
    """
    leaving.withdraw_everywhere(user_id, CLOCK.now())
    refuse_closing_in_a_running_tournament(sender, user_id)


@receiver(member_closing_asked)
def refuse_closing_in_a_running_tournament(sender: Any, user_id: int, **_: Any) -> None:
    running = Entrant.objects.filter(
        user_id=user_id, state=Entrant.State.ENTERED, tournament__state=states.RUNNING
    )
    if running.exists():
        raise Refused(
            "playing", why=gettext_lazy("You are in a tournament. Wait until it is over.")
        )


@receiver(reservations_locking)
def lock_tournaments(sender: Any, user_id: int, **_: Any) -> None:
    leaving.lock_all(user_id)


@receiver(reservations_ending)
def withdraw_before_the_start(sender: Any, user_id: int, now: datetime, **_: Any) -> None:
    leaving.withdraw_everywhere(user_id, now)

"""Computer opponents among the entrants of a tournament without fee, prize and rating."""

from datetime import datetime

from accounts.models import User
from tournaments.models import Entrant, Tournament
from tournaments.services import timeline
from tournaments.services.timeline import Event

# Logins by the levels of games.bots.opponents. No member can choose one: logins of members have
# no hyphen.
LOGINS = {
    "beginner": "Lola-bot",
    "casual": "Niko-bot",
    "club": "Mira-bot",
    "strong": "Timur-bot",
}


def enter(tournament: Tournament, now: datetime) -> None:
    """Enter the computer opponents of the terms, in the caller's transaction."""
    for level in list(LOGINS)[: tournament.computer_entrants]:
        user = _account_of(level, now)
        Entrant.objects.create(tournament=tournament, user=user, bot=level, entered_at=now)
        timeline.add(tournament, Event.ENTERED, now, user=user.pk)


def _account_of(level: str, now: datetime) -> User:
    """Return the account of a level; create it when there is none. Nobody can sign in to it."""
    known = User.objects.filter(username=LOGINS[level]).first()
    if known is not None:
        return known
    user = User(username=LOGINS[level], is_active=False, activated_at=now)
    user.set_unusable_password()
    user.save()
    return user

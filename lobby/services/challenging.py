"""Challenge one member to a friendly match.

A friendly challenge is an invitation for one person; `inviting` accepts, declines and cancels it.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from accounts.people.locks import lock_people
from accounts.selectors import is_online
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.models.actor import Actor
from lobby import broadcast
from lobby.models import Invitation
from lobby.selectors import friendly_refusal
from lobby.services import inviting, notices

# Maximum number of friendly challenges that a member may send in PERIOD, and of those to one person
# that were not accepted. `requirements.check_challenge` counts challenges for credits against the
# second limit, separately.
MOST = 30
MOST_TO_ONE = 5
PERIOD = timedelta(days=1)


def challenge(maker: User, person: User, offer: inviting.Offer, now: datetime) -> Invitation:
    """Challenge the person to a friendly match; they may answer for `inviting.LIFETIME`.

    Raises Refused: the codes of `friendly_refusal`; `invited` while an earlier invitation of the
    maker is open; `many_challenges` and `asked_often` beyond the limits of a day.
    """
    with write_transaction():
        # The lock also keeps two challenges of one maker from being counted at the same time.
        lock_people(maker.pk, person.pk)
        maker, person = (User.objects.get(pk=user.pk) for user in (maker, person))
        code = friendly_refusal(maker, person, now)
        if code is not None:
            raise Refused(code)
        _check_limits(maker, person, now)
        by = Actor(user_id=maker.pk)
        reached = is_online(person, now)
        made = inviting.invite(by, offer, now, invited_id=person.pk, reached=reached)
        broadcast.challenge_changed(made)
        notices.tell_challenged(made, now)
    return made


def _check_limits(maker: User, person: User, now: datetime) -> None:
    sent = Invitation.objects.filter(maker=maker, created_at__gt=now - PERIOD)
    if sent.filter(invited__isnull=False).count() >= MOST:
        raise Refused("many_challenges")
    need_few_in_vain(sent.filter(invited=person).exclude(state=Invitation.State.ACCEPTED))


def need_few_in_vain(challenges: QuerySet[Any]) -> None:
    """Raise Refused("asked_often") if there are MOST_TO_ONE or more of these challenges."""
    if challenges.count() >= MOST_TO_ONE:
        raise Refused("asked_often")

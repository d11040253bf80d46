"""The share of challenges that a member answers: to friendly matches, and for credits."""

from datetime import datetime, timedelta

from django.db.models import Count, Q

from lobby.models import Invitation, Seek

# Challenges of the last COUNTED_FOR count; fewer than LEAST say nothing about a player.
COUNTED_FOR = timedelta(days=90)
LEAST = 5


def response_percent(user_id: int, now: datetime) -> int | None:
    """Return the share of challenges that the member answered, in percent; None below LEAST.

    Accepting and declining are answers. A challenge that lapsed counts only if a page of the
    member was open when it was made; one that its owner or the site took back never counts.
    """
    since = now - COUNTED_FOR
    received = {"invited_id": user_id, "created_at__gt": since}
    states = Invitation.State
    lapsed = Q(state=states.EXPIRED) | Q(state=states.OPEN, expires_at__lte=now)
    totals = [
        Invitation.objects.filter(**received).aggregate(
            answered=Count("pk", Q(state__in=[states.ACCEPTED, states.DECLINED])),
            missed=Count("pk", lapsed & Q(reached=True)),
        ),
        Seek.objects.filter(**received).aggregate(
            answered=Count("pk", Q(state__in=[Seek.State.JOINED, Seek.State.DECLINED])),
            missed=Count("pk", Q(state=Seek.State.EXPIRED, reached=True)),
        ),
    ]
    answered = sum(each["answered"] for each in totals)
    counted = answered + sum(each["missed"] for each in totals)
    return 100 * answered // counted if counted >= LEAST else None

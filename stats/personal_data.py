"""The data export's ratings, achievements, dice, shared recaps and decisions on fair play."""

from typing import Any

from django.db.models import F

from stats.integrity.selectors import decisions_against
from stats.models import Award, DiceTally, Rating, RatingChange, SharedRecap


def of(user_id: int) -> dict[str, Any]:
    """Return the rows by subject; `match` and `in_match` are public ids.

    The rating changes are in the order in which the matches were rated. Cases of fair play are
    included only as the decisions against the member, which their profile page shows too.
    """
    ratings = Rating.objects.filter(user_id=user_id).order_by("variant")
    awards = Award.objects.filter(user_id=user_id).order_by("reached_at", "pk")
    tallies = DiceTally.objects.filter(user_id=user_id).order_by("variant", "is_against_computer")
    changes = RatingChange.objects.filter(user_id=user_id).order_by("rated__place")
    done = changes.values(
        "variant",
        "before",
        "change",
        "net_credits",
        match=F("rated__match__public_id"),
        rated_at=F("rated__rated_at"),
    )
    decided = decisions_against(user_id)
    recaps = SharedRecap.objects.filter(user_id=user_id).order_by("year")
    return {
        "fair_play_decisions": list(decided.values("closed_at", "reason")),
        "shared_recaps": list(recaps.values("year", "shows_credits", "shared_at")),
        "ratings": list(ratings.values("variant", "rating", "experience", "won", "lost", "drawn")),
        "changes": list(done),
        "achievements": list(awards.values("code", "reached_at", in_match=F("match__public_id"))),
        "dice": list(tallies.values("variant", "is_against_computer", "own", "opponents")),
    }

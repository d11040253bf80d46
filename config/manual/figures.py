"""Numbers that the manual states, read from the code, so that the two cannot differ."""

from datetime import timedelta
from typing import Any

from django.conf import settings

from accounts.people.friends import MOST_FRIENDS
from accounts.profile.avatar_images import MAX_BYTES
from chat.direct.services import UNANSWERED
from games.engine.rules import MAX_LENGTH
from games.models.kind import FRIENDLY, STAKE, TOURNAMENT, KindPolicy
from games.reviews.idle import PER_DAY
from games.stakes import history, limits, play_time, terms
from lobby.services import expiry, inviting, presets, wishing
from stats.achievements.definitions import ACHIEVEMENTS
from stats.rating import SETTLED_EXPERIENCE, START
from tournaments.services import announcing, rounds
from wallet.limits.rules import WAIT
from wallet.services.welcome import PART_CREDITS


def figures() -> dict[str, Any]:
    return {"figure": {**_of_settings(), **_of_games(), **_of_people()}}


def _of_settings() -> dict[str, Any]:
    return {
        "welcome_credits": settings.WELCOME_CREDITS,
        "welcome_part": min(PART_CREDITS, settings.WELCOME_CREDITS),
        "minimum_age": settings.MINIMUM_AGE,
        "gift_credits": settings.GIFT_CREDITS,
        "gift_hours": settings.GIFT_HOURS,
        "gift_below": settings.GIFT_BELOW,
        "delay_stake": settings.WATCH_DELAY_STAKE,
        "activation_days": settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS,
    }


def _of_games() -> dict[str, Any]:
    return {
        "most_points": MAX_LENGTH,
        "least_stake": terms.MIN_STAKE,
        "fee_percent": 100 // terms.RAKE_DIVISOR,
        "newcomer_stake": limits.NEWCOMER_STAKE,
        "counted_turns": history.LEAST_TURNS,
        "counted_a_day": history.MOST_A_DAY,
        "counted_enough": history.ENOUGH,
        "absence_s": _time_of(STAKE.absence_budget_ms) // timedelta(seconds=1),
        "tournament_absence_min": _minutes(_time_of(TOURNAMENT.absence_budget_ms)),
        "start_s": _start(STAKE) // timedelta(seconds=1),
        "friendly_start_min": _minutes(_start(FRIENDLY)),
        "tournament_start_min": _minutes(_start(TOURNAMENT)),
        "rematch_s": (STAKE.rematch_time or timedelta()) // timedelta(seconds=1),
        "open_game_min": _minutes(expiry.LIFETIME),
        "challenge_min": _minutes(inviting.LIFETIME),
        "wishes": wishing.MOST,
        "wish_days": wishing.LIFETIME.days,
        "presets": presets.MAX_PRESETS,
        "missed_rounds": rounds.OUT_AFTER_ABSENCES,
        "proposed_hours": announcing.PROPOSED_BEFORE // timedelta(hours=1),
        "proposed_days": announcing.PROPOSED_UNTIL.days,
        "break_min": _minutes(play_time.BREAK),
        "looser_days": WAIT.days,
    }


def _of_people() -> dict[str, Any]:
    return {
        "picture_mb": MAX_BYTES // 2**20,
        "friends": MOST_FRIENDS,
        "unanswered": UNANSWERED,
        "reviews_a_day": PER_DAY,
        "first_rating": int(START),
        "settled": SETTLED_EXPERIENCE,
        "achievements": len(ACHIEVEMENTS),
    }


def _time_of(budget_ms: int | None) -> timedelta:
    return timedelta(milliseconds=budget_ms or 0)


def _start(kind: KindPolicy) -> timedelta:
    return kind.no_start_after or timedelta()


def _minutes(time: timedelta) -> int:
    return time // timedelta(minutes=1)

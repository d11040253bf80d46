"""Read the welcome gift and the limits of a newcomer, for the page of credits."""

from dataclasses import dataclass
from datetime import timedelta

from accounts.members import identities
from games.stakes.early_ends import APART_FOR
from games.stakes.history import ENOUGH, LEAST_TURNS, MOST_A_DAY
from games.stakes.limits import NEWCOMER_STAKE, stake_limit
from wallet.models import WelcomeGift
from wallet.selectors import welcome_gift_of
from wallet.services.welcome import PART_CREDITS


@dataclass(frozen=True, slots=True)
class NewcomerTerms:
    """Terms of a newcomer; a member with a history has no limit.

    `gift` is the welcome gift while parts of it are still to come. Each counted match brings `part`
    credits. A match counts if the member played at least `turns` turns in it, against a bot or a
    new opponent; within 24 hours, at most `a_day` matches count. `needed` counted matches end the
    `limit` of the stake, in credits, which is never below `always`. `had_gift_before`: an earlier
    account of the person had the gift. After a match that ended early, its players may not meet for
    `apart_hours`.
    """

    gift: WelcomeGift | None
    limit: int | None
    had_gift_before: bool
    part: int = PART_CREDITS
    turns: int = LEAST_TURNS
    a_day: int = MOST_A_DAY
    needed: int = ENOUGH
    always: int = NEWCOMER_STAKE
    apart_hours: int = APART_FOR // timedelta(hours=1)


def terms_of(user_id: int) -> NewcomerTerms:
    limit = stake_limit(user_id)
    return NewcomerTerms(
        gift=welcome_gift_of(user_id),
        limit=limit,
        had_gift_before=limit is not None and identities.was_known(user_id),
    )

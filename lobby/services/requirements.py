"""Requirements of announcing and joining a game. A failed check raises Refused."""

from datetime import datetime

from accounts.models import User
from accounts.people.locks import lock_people
from accounts.selectors import are_friends, either_blocks
from accounts.shared.refusals import Refused
from games.conduct.record import suspension_of
from games.selectors import are_committed
from games.stakes import escrow, limits
from games.stakes.terms import MAX_STAKE, MIN_STAKE
from lobby.models import Seek
from lobby.selectors import challenge_refusal
from lobby.services import challenging
from stats.selectors import rating_of

# Ends of a challenge that count toward the limit on challenges to one player.
IN_VAIN = (Seek.State.CANCELED, Seek.State.EXPIRED, Seek.State.DECLINED)


class OwnerBarred(Refused):
    """The owner's own limits or time of play forbid the announced game; the joiner reads `gone`.

    The transaction that is refused is rolled back, so it cannot close the game: the caller does so
    afterwards (`withdrawing.withdraw_barred`).
    """

    def __init__(self, user_id: int) -> None:
        super().__init__("gone")
        self.user_id = user_id


def check_member(user: User, now: datetime) -> None:
    if not user.is_member:
        raise Refused("not_member")
    check_suspension(user.pk, now)


def check_suspension(user_id: int, now: datetime) -> None:
    if suspension_of(user_id, now) is not None:
        raise Refused("paused")


def lock_members(*user_ids: int) -> None:
    """Lock these members before anything else; refuse if an account was closed or banned."""
    if not lock_people(*user_ids):
        raise Refused("not_member")


def check_commitments(user_id: int, now: datetime) -> None:
    """Check that the member has no commitment that begins too soon for a match."""
    if are_committed([user_id], now):
        raise Refused("committed")


def check_challenge(owner: User, invited_id: int | None, now: datetime) -> None:
    if invited_id is not None:
        code = challenge_refusal(owner, User.objects.get(pk=invited_id), now)
        if code is not None:
            raise Refused(code)
        _check_challenged_often(owner.pk, invited_id, now)
        limits.check_meeting(owner.pk, invited_id, now, is_private=True)


def _check_challenged_often(owner_id: int, invited_id: int, now: datetime) -> None:
    """Limit challenges for credits to one person, since each alerts them on every page.

    The limit is that of friendly challenges. An open challenge does not count, since a form may be
    sent twice. Nor does one that staff removed, or that ended before a tournament of its owner.
    """
    sent = Seek.objects.filter(
        owner=owner_id, invited=invited_id, created_at__gt=now - challenging.PERIOD
    )
    challenging.need_few_in_vain(sent.filter(state__in=IN_VAIN))


def check_limit(user_id: int, credits: int) -> None:
    """Check the newcomer's limit; call it with the stake held, so that NoCredits comes first."""
    if not limits.may_stake(user_id, credits):
        raise Refused("stake_limit", limit=limits.stake_limit(user_id))


def check_stake(stake_credits: int) -> None:
    if not MIN_STAKE <= stake_credits <= MAX_STAKE:
        raise Refused("stake")


def check_joiner(seek: Seek, player: User, now: datetime) -> None:
    """Check that the player may join the locked seek, apart from the credits."""
    if seek.owner_id == player.pk:
        raise Refused("own")
    if seek.state != Seek.State.OPEN or seek.expires_at <= now:
        raise Refused("gone")
    if are_committed([seek.owner_id], now):
        raise Refused("gone")
    if seek.access == Seek.Access.FRIENDS and not are_friends(seek.owner_id, player.pk):
        raise Refused("gone")
    check_commitments(player.pk, now)
    if seek.invited_id not in (None, player.pk):
        raise Refused("not_invited")
    if either_blocks(seek.owner_id, player.pk):
        raise Refused("gone")
    if not _is_in_range(seek, rating_of(player.pk, seek.variant)):
        raise Refused("rating")


def check_owner(seek: Seek, now: datetime) -> None:
    """Check that the owner of the locked seek may still stake.

    A ban, a break or a tighter limit takes the owner's game back, but may miss a game that is
    announced and joined at the same time (`withdrawing.py`). The caller has locked both accounts.
    """
    if not User.objects.get(pk=seek.owner_id).is_member:
        raise Refused("gone")
    if is_barred(seek, now):
        raise OwnerBarred(seek.owner_id)


def is_barred(seek: Seek, now: datetime) -> bool:
    """Return whether the owner's own limits or time of play forbid a match of this seek now."""
    return escrow.objection(seek.owner_id, seek.stake_credits, now) is not None


def check_meeting(seek: Seek, player: User, now: datetime) -> None:
    """Check that the seek's owner and the player may meet.

    The caller has locked both accounts, so a match that has just ended counts.
    """
    is_private = seek.access != Seek.Access.OPEN
    limits.check_meeting(seek.owner_id, player.pk, now, is_private=is_private)


def _is_in_range(seek: Seek, rating: int) -> bool:
    least, most = seek.least_rating, seek.most_rating
    return (least is None or rating >= least) and (most is None or rating <= most)

"""Block and unblock a player."""

from datetime import datetime

from accounts import broadcast
from accounts.models import Block, User
from accounts.people import friends
from accounts.people.locks import lock_unclosed
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from accounts.signals import member_blocked

MAX_BLOCKS = 500  # players that one member may block


def block(owner_id: int, blocked_id: int, now: datetime) -> None:
    """Keep `owner` and `blocked` apart; idempotent. The blocked player is not notified.

    End a friendship or a friend request between them.

    Raises Refused: `oneself`, `too_many` for a full list, or `closed_account` if either account is
    closed.
    """
    if owner_id == blocked_id:
        raise Refused("oneself")
    with write_transaction():
        # Also serializes the count, and friend requests.
        if not lock_unclosed(owner_id, blocked_id):
            raise Refused("closed_account")
        others = Block.objects.filter(owner_id=owner_id).exclude(blocked_id=blocked_id)
        if others.count() >= MAX_BLOCKS:
            raise Refused("too_many")
        Block.objects.get_or_create(
            owner_id=owner_id, blocked_id=blocked_id, defaults={"created_at": now}
        )
        friends.end(owner_id, blocked_id, now)
        member_blocked.send(User, owner_id=owner_id, blocked_id=blocked_id, now=now)
        announce_unheard(owner_id, blocked_id)


def unblock(owner_id: int, blocked_id: int) -> None:
    """End a block; idempotent."""
    with write_transaction():
        Block.objects.filter(owner_id=owner_id, blocked_id=blocked_id).delete()
        announce_unheard(owner_id, blocked_id)


def announce_unheard(owner_id: int, *others: int) -> None:
    """After the commit, make the sockets of the owner and `others` read blocks and mutes again.

    The owner's pages also refresh their count of unread messages.
    """
    announce_after_commit(lambda: broadcast.blocks_changed([owner_id, *others]))
    announce_after_commit(lambda: broadcast.nudge(owner_id, "messages"))

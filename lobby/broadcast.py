"""Messages to pages: the lists of games changed, or a member's own game changed."""

from functools import partial

from accounts.broadcast import nudge, nudge_topic
from accounts.shared.transactions import announce_after_commit
from lobby.models import Invitation, Seek

SEEKS = "seeks"
MATCH = "match"


def lists_changed() -> None:
    """Refresh all lists of announced and running games after the commit."""
    announce_after_commit(partial(nudge_topic, SEEKS))


def seek_changed(seek: Seek, *others: int) -> None:
    """Refresh all lists, and the pages of owner, invited member and `others`, after the commit."""
    lists_changed()
    match = seek.match.public_id if seek.match else None
    for user_id in {seek.owner_id, seek.invited_id, *others}:
        if user_id is not None:
            announce_after_commit(partial(nudge, user_id, MATCH, match))


def challenge_changed(invitation: Invitation) -> None:
    """Refresh the pages of both people of a friendly challenge after the commit."""
    for user_id in (invitation.maker_id, invitation.invited_id):
        if user_id is not None:
            announce_after_commit(partial(nudge, user_id, MATCH))
            # Only these two have to read the lobby's list again.
            announce_after_commit(partial(nudge, user_id, SEEKS))

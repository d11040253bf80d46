"""Wear a look that is free or owned."""

from accounts.models import User
from accounts.profile import table_choices
from accounts.shared.refusals import Refused


def wear(user: User, kind: str, code: str) -> None:
    """Use the look at every table of the member; raise Refused: `not_owned`, `not_member`."""
    if not user.is_member:
        raise Refused("not_member")
    try:
        table_choices.change(user.pk, {kind: code})
    except table_choices.UnknownChoice as error:
        raise Refused("not_owned") from error

"""Sentences for the lobby's refusals and confirmations."""

from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.shared.refusals import Refused
from games.stakes.escrow import NoCredits
from games.stakes.history import ENOUGH
from games.stakes.terms import MAX_STAKE, MIN_STAKE
from wallet import texts
from wallet.limits import texts as limit_texts
from wallet.limits.errors import OwnLimit


def of_error(error: Refused) -> str:
    """Explain the refusal and what the member can do next."""
    if isinstance(error, NoCredits):
        text = ngettext(
            "You are %(missing)d credit short of this stake.",
            "You are %(missing)d credits short of this stake.",
            error.shortfall,
        )
        return text % {"missing": error.shortfall}
    if isinstance(error, OwnLimit):
        return limit_texts.of(error)
    if error.code == "stake_limit":
        return stake_limit(error.details["limit"])
    if error.code == "ended_early":
        return _ended_early(error.details["wait_s"])
    return _refusals()[error.code]


def stake_limit(limit: int) -> str:
    text = ngettext(
        "Until %(matches)d of your matches has counted, you can stake at most %(limit)d credits.",
        "Until %(matches)d of your matches have counted, you can stake at most %(limit)d credits.",
        ENOUGH,
    )
    return text % {"matches": ENOUGH, "limit": limit}


def _newcomers() -> str:
    text = ngettext(
        "You two can play for credits once each of you has played %(matches)d match that "
        "counts. Matches against the computer count too.",
        "You two can play for credits once each of you has played %(matches)d matches that "
        "count. Matches against the computer count too.",
        ENOUGH,
    )
    return text % {"matches": ENOUGH}


def _ended_early(wait_s: int) -> str:
    hours = ceil(wait_s / 3600)
    text = ngettext(
        "Your last match with this player ended too early. You two can play for credits again in"
        " %(hours)d hour. Until then, choose another opponent.",
        "Your last match with this player ended too early. You two can play for credits again in"
        " %(hours)d hours. Until then, choose another opponent.",
        hours,
    )
    return text % {"hours": hours}


def _refusals() -> dict[str, str]:
    return {
        # The game was joined or taken back or has expired, or one of the two has blocked the other.
        "gone": _("This game is no longer open. Choose another, or create one yourself."),
        "own": _("This is your own game. Wait for someone to join it."),
        "busy": _("One of you is already in a game for credits. You can play only one at a time."),
        "announced": _("You already have an open game. Cancel it first."),
        "invited": _("You already have an open link or challenge. Cancel it first."),
        "many_challenges": _("You have sent many challenges today. Try again tomorrow."),
        "asked_often": _(
            "You have challenged this player several times today. Try again tomorrow."
        ),
        "playing": _("You are in a match for credits. Finish it first."),
        "maker_playing": _(
            "The player who invited you is in another match now. The invitation stays open."
        ),
        "searching": _("You are already looking for an opponent."),
        "at_table": _("You are in a match with another player. Finish it first."),
        "found": _("Your opponent is here: your table is opening."),
        "not_invited": _("This game is for another player."),
        "oneself": _("That is you: choose another player."),
        # The challenger has blocked the person.
        "blocked": _("You have blocked this player. Unblock them first, on their page."),
        # The reason lies with that person, such as a block or a suspension, and is not revealed.
        "unavailable": _("This player cannot be challenged at the moment."),
        "stake": _("A stake is %(least)d to %(most)d credits.")
        % {"least": MIN_STAKE, "most": MAX_STAKE},
        "newcomers": _newcomers(),
        "rating": _("Your rating is outside the rating range of this game."),
        "not_member": _("Activate your account first: the link is in our email."),
        "preset_name": _("You already have a preset with this name."),
        "presets_full": _("You cannot save any more presets. Delete one first."),
        "wishes_full": _("You cannot save any more game descriptions. Delete one first."),
        "committed": _(
            "Your tournament begins soon. You can play for credits after it has started."
        ),
        "paused": _(
            "You left too many games recently and have to wait. The page of open games shows "
            "until when."
        ),
        "credits_frozen": texts.frozen(),
    }


def declined() -> str:
    return _("Challenge declined. We have let the challenger know, and they have their stake back.")


def canceled() -> str:
    return _("The game is canceled. Your stake is available again.")


def invitation_canceled() -> str:
    return _("The link is canceled: nobody can use it anymore.")


def challenge_canceled() -> str:
    return _("The challenge is canceled.")


def challenge_declined() -> str:
    return _("Challenge declined. We have let the challenger know.")


def search_canceled() -> str:
    return _("You are no longer looking for an opponent.")

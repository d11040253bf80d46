"""Sentences about a tournament: its rules, and why a member cannot enter or propose one."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.shared.refusals import Refused
from games.stakes.escrow import NoCredits
from games.stakes.history import ENOUGH
from tournaments.models import Tournament
from tournaments.services.starting import waits_for_people
from wallet import texts
from wallet.limits import texts as limit_texts
from wallet.limits.errors import OwnLimit


def rules_of(tournament: Tournament) -> list[str]:
    """Return the paragraphs that explain how the tournament is played and won."""
    return [
        *_format_rules(tournament.format),
        _(
            "Each round begins for everyone at the same time. You have 5 minutes to come to the "
            "table; if you do not, you forfeit the match. Another game in progress does not "
            "extend this time."
        ),
        _(
            "The next round begins when all matches of the round are over. In each match you may "
            "be away from the table for 3 minutes in all, and this allowance refills slowly while "
            "you are there. Once it is used up, your opponent may claim the win."
        ),
        _("A match that ends in a draw is decided by one more game."),
        *_computer_rules(tournament),
        _prize_rule(tournament),
        *_entry_rules(tournament),
    ]


def _format_rules(code: str) -> list[str]:
    if code == Tournament.Format.KNOCKOUT:
        return [
            _(
                "Knockout: the winner of a match advances, the loser is out. Opponents are "
                "drawn at random. If there are too few players for a full bracket, some go "
                "straight to the second round, also by draw."
            ),
            _(
                "If both players stay away, both are out, and the next opponent advances without "
                "playing."
            ),
        ]
    if code == Tournament.Format.SWISS:
        return [
            _(
                "Swiss: nobody is knocked out. In each round you meet someone with as many wins "
                "as you or nearly as many, and nobody twice while that can be avoided. With an "
                "odd number of players one of them rests in each round and gets a win; nobody "
                "rests twice."
            ),
            _(
                "The number of wins decides. After that come the wins of all your opponents "
                "(Buchholz), the wins of those you beat (Sonneborn-Berger), early wins and the "
                "difference in points."
            ),
            _("Whoever does not come to two matches in a row is out of the tournament."),
        ]
    twice = code == Tournament.Format.DOUBLE_ROUND_ROBIN
    return [
        _("Round robin: everyone meets everyone twice.")
        if twice
        else _("Round robin: everyone meets everyone once."),
        _(
            "The number of wins decides. After that come the matches between those who are level, "
            "the wins of those you beat (Sonneborn-Berger) and the difference in points."
        ),
        _("Whoever does not come to two matches in a row is out of the tournament."),
    ]


def _computer_rules(tournament: Tournament) -> list[str]:
    if not tournament.computer_entrants:
        return []
    return [
        _(
            "Computer opponents play too: their names end in “-bot”. So there is no prize, and no "
            "match of this tournament counts for the rating."
        ),
    ]


def _prize_rule(tournament: Tournament) -> str:
    if not tournament.fee_credits and not tournament.prize_credits:
        return _("There is no entry fee and no prize: you play for the win.")
    if tournament.prize_credits is not None:
        return _("The winner takes the prize. Players who share first place split it.")
    if tournament.house_percent:
        return _(
            "The winner takes the entry fees less the site fee of %(percent)d%%. Players who "
            "share first place split them."
        ) % {"percent": tournament.house_percent}
    return _("The winner takes all entry fees. Players who share first place split them.")


def _entry_rules(tournament: Tournament) -> list[str]:
    if not waits_for_people(tournament):
        alone = _("The tournament takes place only if at least one person has entered.")
        return [*([alone] if tournament.computer_entrants else []), _entry_rule(tournament)]
    waits = _("If no person has entered by the start, it moves by 10 minutes until somebody does.")
    is_one_enough = tournament.computer_entrants + 1 >= tournament.min_entrants
    return [waits] if is_one_enough else [waits, _entry_rule(tournament)]


def _entry_rule(tournament: Tournament) -> str:
    text = ngettext(
        "If fewer than %(count)d player has entered by the start, the tournament is canceled and "
        "every fee is returned.",
        "If fewer than %(count)d players have entered by the start, the tournament is canceled "
        "and every fee is returned.",
        tournament.min_entrants,
    ) % {"count": tournament.min_entrants}
    if tournament.extend_minutes:
        text = (
            ngettext(
                "If fewer than %(count)d player has entered by the start, entry stays open once "
                "for %(minutes)d more minutes; if there are still too few, the tournament is "
                "canceled and every fee is returned.",
                "If fewer than %(count)d players have entered by the start, entry stays open once "
                "for %(minutes)d more minutes; if there are still too few, the tournament is "
                "canceled and every fee is returned.",
                tournament.min_entrants,
            )
            % {"count": tournament.min_entrants, "minutes": tournament.extend_minutes}
        )  # fmt: skip
    return text


def of_error(error: Refused) -> str:
    """Explain why a member cannot enter."""
    if isinstance(error, NoCredits):
        text = ngettext(
            "You are %(missing)d credit short of the entry fee.",
            "You are %(missing)d credits short of the entry fee.",
            error.shortfall,
        )
        return text % {"missing": error.shortfall}
    if isinstance(error, OwnLimit):
        return limit_texts.of(error)
    if error.code == "stake_limit":
        text = _("At the moment you can pay an entry fee of at most %(limit)d credits.")
        return text % {"limit": error.details["limit"]}
    return {
        "not_member": _("Activate your account first: the link is in our email."),
        "paused": _(
            "You left too many games recently and have to wait. The page of open games shows "
            "until when."
        ),
        "entry_closed": _("Entry to this tournament is closed."),
        "removed": _("Our team removed you from this tournament. You cannot enter it again."),
        "full": _("This tournament is full. Choose another."),
        "too_often": _("You have withdrawn from this tournament too often to enter it again."),
        "newcomers": _newcomers(),
        "not_found": _("This tournament is no longer open. Choose another."),
        "credits_frozen": texts.frozen(),
    }[error.code]


def of_withdrawal(error: Refused) -> str:
    """Explain why a member cannot withdraw."""
    if error.code == "entry_closed":
        return _("You can withdraw only before the start.")
    return of_error(error)


def of_proposal(error: Refused) -> str:
    """Explain why a member cannot propose a tournament."""
    return {
        "not_member": _("Activate your account first: the link is in our email."),
        "paused": _(
            "You left too many games recently and have to wait. The page of open games shows "
            "until when."
        ),
        "too_late": _("Choose a start at least 2 hours from now: players have to find it first."),
        "too_early": _("Choose a start within the next 30 days."),
        "too_many": _("Your last proposal is still waiting for an answer."),
        "too_often": _("You have sent many proposals today. Try again tomorrow."),
    }.get(error.code, _("These terms contradict each other. Check the numbers of players."))


def _newcomers() -> str:
    text = ngettext(
        "Someone from your device has entered. You can both play once each of you has played "
        "%(matches)d match that counts. Matches against the computer count too.",
        "Someone from your device has entered. You can both play once each of you has played "
        "%(matches)d matches that count. Matches against the computer count too.",
        ENOUGH,
    )
    return text % {"matches": ENOUGH}

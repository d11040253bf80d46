"""A sentence for each reason code: why a play or a cube action is the best.

The sentences are shown at the table and in reviews. They describe the best choice, whichever side
decides. `games/ai/judge/reason_codes.py` defines the codes. `wins_more` has no sentence here: the
table itself compares the chances to win (`winsText` of text/coach-sentences.js).
"""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASON_TEXTS: Mapping[str, Promise] = MappingProxyType(
    {
        # Plays.
        "wins": _("It bears off the last checker and wins."),
        "hits": _("It hits a checker, which has to start its journey again."),
        "safer": _("It is safer: fewer of the other side’s rolls can hit."),
        "makes_point": _("It makes a point in or next to home that is hard to get past."),
        "builds_prime": _("It makes the block longer and holds back the checkers behind it."),
        "holds_more": _("It holds more points that the other side has to pass."),
        "keeps_anchor": _(
            "It keeps the point in the other side’s home: a safe place to come back to."
        ),
        "makes_anchor": _(
            "It makes a point in the other side’s home: a safe place to come back to."
        ),
        "escapes": _("It brings checkers past the point where they could be held up."),
        "blocks": _(
            "It stands in the way: more of the other side’s rolls cannot be played in full."
        ),
        "more_ways": _("It stays flexible: more of the next rolls can be played in full."),
        "frees_head": _("It takes checkers off the head while there is still room for them."),
        "bears_off": _("It bears off more checkers."),
        "races": _("It wastes fewer pips: the last checker is off sooner."),
        "breaks_contact": _("When you are ahead in the race, it pays to get past."),
        "keeps_contact": _("When you are behind in the race, it pays to stay in the way."),
        "wins_mars": _("It wins a mars more often, and that is most of the difference."),
        "prevents_mars": _("It loses a mars less often, and that is most of the difference."),
        # The cube, and offers to resign.
        "cash": _("The other side should drop, so the cube wins the game now."),
        "market": _("Many of the next rolls would make it a drop; for now it is still a take."),
        "last_chance": _("The game ends before the next turn: there is no later chance to double."),
        "nothing_to_lose": _(
            "The player who loses this game loses the match anyway: doubling costs nothing."
        ),
        "ahead": _("Far enough ahead to play for twice as much."),
        "too_good": _("Too good to double: playing on for a mars is worth more than a drop."),
        "no_market": _(
            "Hardly any next roll would make it a drop, so it is better to keep the cube."
        ),
        "not_yet": _("Not far enough ahead: the cube would help the other side more."),
        "enough_wins": _("There are enough wins left to play on."),
        "too_few_wins": _("There are too few wins left to play for twice as much."),
        "too_many_mars": _("There are enough wins, but too many of the losses are mars."),
        "favorite": _("The side that was doubled is the one that is ahead."),
        "offer_enough": _("Playing on would win no more than the offer."),
        "more_to_win": _("Playing on is worth more than the offer."),
    }
)


def reason_texts() -> dict[str, str]:
    """Return every sentence in the active language, by code."""
    return {code: str(text) for code, text in REASON_TEXTS.items()}

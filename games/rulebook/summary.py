"""A match's rules in words, for players about to agree to them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.engine.rules import BlockRule, HitRule, Profile, Rules, Variant

# A sentence for each rule set; the forms in which players choose a rule set show them too.
RULE_SETS = {
    Profile.CLASSIC: gettext_lazy("Classic: as on our rules page"),
    Profile.FEDERATION: gettext_lazy(
        "Federation: two from the head only on 3-3, 4-4, 6-6; in long nardy koks for a checker in "
        "the winner’s home"
    ),
    Profile.MANUAL: gettext_lazy("5Stars: mars if not all checkers are home"),
}
# Typical length of a game in seconds, for a rough estimate.
_GAME_S = 7 * 60


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule's name and its value in this match. `icon` is the name of a lucide icon."""

    icon: str
    name: str
    value: str


def describe(rules: Rules) -> list[RuleLine]:
    """Describe every rule that matters in this variant, the most important first."""
    lines = [
        RuleLine("flag", _("Length"), length_text(rules)),
        RuleLine("timer", _("Time"), clock_text(rules)),
        *_shrinking_reserve(rules),
        RuleLine("book-open", _("Rule set"), str(RULE_SETS[rules.profile])),
        RuleLine("trophy", _("Mars"), _worth(rules.mars, _("2 points (gammon)"))),
        RuleLine("crown", _("Koks"), _worth(rules.koks, _("3 points (backgammon)"))),
        RuleLine("box", _("Cube"), _cube(rules)),
        RuleLine("scale", _("Parity"), _parity(rules)),
    ]
    if rules.variant is Variant.LONG:
        lines.append(RuleLine("brick-wall", _("Block of six"), _block(rules.block)))
    elif rules.hit is HitRule.NO_HIT_AND_RUN:
        text = _(
            "A checker that hit may not move on to a point with its own side’s checkers in that "
            "turn"
        )
        lines.append(RuleLine("footprints", _("After a hit"), text))
    return lines


def length_text(rules: Rules) -> str:
    points = rules.length or 0
    return ngettext("to %(points)d point", "to %(points)d points", points) % {"points": points}


def clock_text(rules: Rules) -> str:
    """Describe the time of a turn and the reserve, in seconds and minutes."""
    if rules.delay_ms is None or rules.reserve_ms is None:
        return _("No limit")
    minutes = rules.reserve_ms // 60_000
    reserve = ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    seconds = rules.delay_ms // 1000
    turn = ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds}
    return _("%(turn)s for each turn, then %(reserve)s of reserve for the whole match") % {
        "turn": turn,
        "reserve": reserve,
    }


def _shrinking_reserve(rules: Rules) -> list[RuleLine]:
    if not rules.reserve_shrinks or rules.reserve_ms is None or rules.length is None:
        return []
    seconds = rules.reserve_ms // (2 * rules.length) // 1000
    text = ngettext(
        "Shrinks with the score: each point scored by either player lowers the limit for both "
        "by %(seconds)d second, down to 2 minutes",
        "Shrinks with the score: each point scored by either player lowers the limit for both "
        "by %(seconds)d seconds, down to 2 minutes",
        seconds,
    )
    return [RuleLine("hourglass", _("Reserve"), text % {"seconds": seconds})]


def likely_minutes(rules: Rules) -> int:
    """Estimate how long a match by these rules takes, in minutes."""
    games = (1 + (rules.length or 1)) / 2
    return max(5, round(games * _GAME_S / 60 / 5) * 5)


def _worth(is_on: bool, points: str) -> str:
    return points if is_on else pgettext("rule", "Off")


def _cube(rules: Rules) -> str:
    if not rules.cube:
        return pgettext("rule", "Off")
    return _("On, with the Crawford rule") if rules.crawford else _("On, without Crawford")


def _parity(rules: Rules) -> str:
    return _("On: a draw is possible") if rules.parity else pgettext("rule", "Off")


def _block(block: BlockRule) -> str:
    if block is BlockRule.END_OF_TURN:
        return _("Checked at the end of the turn")
    return _("Checked after every single move")

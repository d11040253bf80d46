"""A sentence for each rule that a play can break, as in `static/js/text/refusals.js`."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine.board.variants import BAR
from games.engine.errors import Reason

_SENTENCES: Mapping[Reason, Any] = {
    Reason.NOT_YOUR_CHECKER: _("This checker is not yours."),
    Reason.POINT_EMPTY: _("You have no checker there."),
    Reason.POINT_CLOSED: _("That point is closed by your opponent’s checkers."),
    Reason.BAR_FIRST: _("First enter your checkers from the bar."),
    Reason.NOT_HOME: _("You can bear off once all your checkers are home."),
    Reason.HIGHER_CHECKER: _(
        "This number is larger than that checker needs, and you have another one farther back."
    ),
    Reason.HEAD_TAKEN: _("No more checkers may leave the head this turn."),
    Reason.BLOCK: _("That would build a block of six with no enemy checker ahead of it."),
    Reason.HIT_AND_RUN: _(
        "A checker that hits may not move on to a point with its own side’s checkers in the same "
        "turn."
    ),
    Reason.WRONG_DIE: _("Neither die reaches that point."),
    Reason.MUST_USE_BOTH: _("Both dice can be played, and this move would spoil one of them."),
    Reason.MUST_USE_LARGER: _("Only one of the dice can be played, and it must be the larger one."),
    Reason.MORE_DICE_POSSIBLE: _("You can play more of the roll in another way."),
    Reason.INCOMPLETE_PLAY: _("Your turn is not complete: you can play more of the roll."),
    Reason.NO_LEGAL_MOVE: _("There is no legal move with this roll."),
}
# Used instead if a point is at fault: these sentences name the point.
_WITH_POINT: Mapping[Reason, Any] = {
    Reason.POINT_CLOSED: _("Point %(point)s is closed by your opponent’s checkers."),
    Reason.NOT_HOME: _(
        "You can bear off once all your checkers are home: there is still one on point %(point)s."
    ),
    Reason.HIGHER_CHECKER: _(
        "This number is larger than that checker needs, and you have another one farther back, on "
        "point %(point)s."
    ),
}


def reason_sentence(reason: Reason, points: Sequence[int] = ()) -> str:
    """Return why a play is refused; `points` as in `IllegalAction`."""
    if points and points[0] != BAR and reason in _WITH_POINT:
        return str(_WITH_POINT[reason]) % {"point": points[0]}
    return str(_SENTENCES.get(reason, ""))

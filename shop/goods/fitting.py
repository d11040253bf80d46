"""A look tried on together with one of the other kind."""

from collections.abc import Mapping

from shop.goods.contrast import LEAST, pair_contrast
from shop.goods.selectors import Look


class Fitting:
    """A `look` on the board of a page, with a look of the other kind.

    `chosen` is the code of the other look: the code passed in, or that of the look that the visitor
    wears if `others` does not contain the code passed in.
    """

    def __init__(
        self, look: Look, others: list[Look], chosen: str, worn: Mapping[str, str]
    ) -> None:
        self.look, self.others = look, others
        codes = {each.code for each in others}
        worn_code = worn[self.other_kind(look.kind)]
        self.chosen = chosen if chosen in codes else worn_code

    @staticmethod
    def other_kind(kind: str) -> str:
        return "checkers" if kind == "board" else "board"

    @property
    def board(self) -> str:
        return self.look.code if self.look.kind == "board" else self.chosen

    @property
    def checkers(self) -> str:
        return self.look.code if self.look.kind == "checkers" else self.chosen

    @property
    def contrast(self) -> float:
        return pair_contrast(self.board, self.checkers)

    @property
    def choices(self) -> list[tuple[Look, float]]:
        """Return every look of the other kind with the contrast of the two."""
        if self.look.kind == "board":
            return [(each, pair_contrast(self.look.code, each.code)) for each in self.others]
        return [(each, pair_contrast(each.code, self.look.code)) for each in self.others]

    least = LEAST  # for the page

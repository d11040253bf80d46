"""Decisions that a player makes in advance, for the running game."""

from dataclasses import asdict, dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _


class CubeAnswer(models.TextChoices):
    """The answer to every double of a game; the values are names of commands."""

    ASK = "", _("asked each time")
    TAKE = "take", _("always take")
    DROP = "drop", _("always drop")


@dataclass(frozen=True, slots=True)
class Premove:
    """`roll`: roll as soon as the turn begins, without offering the cube; `cube`: see CubeAnswer.

    A beaver is not a double: no answer to it is given in advance.
    """

    roll: bool = False
    cube: CubeAnswer = CubeAnswer.ASK

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"cube": self.cube.value or None}

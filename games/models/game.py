from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.engine.board.win_kind import WinKind
from games.engine.match.state import GameCause
from games.engine.sides import Side
from games.models.match import Match


class Game(models.Model):
    """A game of a match: created when it starts, completed with its result.

    `winner` is empty while the game runs and after a draw; `cause` is empty only while it runs.
    `kind` is that of the win.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    winner = models.CharField(
        max_length=8, blank=True, default="", choices=[(s.value, s.value) for s in Side]
    )
    kind = models.CharField(
        max_length=16, blank=True, default="", choices=[(k.value, k.value) for k in WinKind]
    )
    cause = models.CharField(
        max_length=16, blank=True, default="", choices=[(c.value, c.value) for c in GameCause]
    )
    points = models.PositiveSmallIntegerField(default=0)
    cube = models.PositiveSmallIntegerField(default=1)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["match_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="games_game_match_number"),
            models.CheckConstraint(
                name="games_game_finished_has_cause",
                condition=Q(finished_at__isnull=True, cause="")
                | Q(finished_at__isnull=False) & ~Q(cause=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}.{self.number}"

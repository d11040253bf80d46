"""The log of a match: append-only, numbered across its games."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.engine.match import actions as engine
from games.engine.match.action_codec import action_from_dict
from games.engine.sides import Side
from games.models.match import Match


class LogIsAppendOnly(Exception):
    """Raised by an attempt to change or delete a logged action."""


class ActionQuerySet(models.QuerySet["Action"]):
    def update(self, **kwargs: Any) -> int:
        raise LogIsAppendOnly

    def delete(self) -> tuple[int, dict[str, int]]:
        raise LogIsAppendOnly

    def turns_by_side(self) -> dict[str, int]:
        """Return the number of turns that each side played, passes included, in all games."""
        plays = self.filter(verb="play").order_by()
        return dict(plays.values_list("side").annotate(models.Count("id")))


class Action(models.Model):
    """One logged action; `data` is its dict as the engine's action_codec.py writes it.

    `client_id` is the id that the player's page gave to its command: a command sent twice is
    done once and acknowledged twice. `created_at` is by the database's clock, so it can be compared
    with heartbeats; the match's own time is in `data`.
    """

    match = models.ForeignKey(  # no index: the constraints below begin with this column
        Match, on_delete=models.PROTECT, related_name="actions", db_index=False
    )
    seq = models.PositiveIntegerField()
    verb = models.CharField(max_length=16)
    side = models.CharField(
        max_length=8, blank=True, default="", choices=[(s.value, s.value) for s in Side]
    )
    data = models.JSONField()
    client_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField()

    objects = ActionQuerySet.as_manager()

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["match_id", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="games_action_match_seq"),
            models.UniqueConstraint(
                fields=["match", "client_id"],
                name="games_action_match_client_id",
                condition=models.Q(client_id__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}#{self.seq} {self.verb}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise LogIsAppendOnly
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise LogIsAppendOnly

    @property
    def engine_action(self) -> engine.Action:
        return action_from_dict(self.data)

"""A member's results of the lessons; a guest's are in the session."""

from django.conf import settings
from django.db import models


class LessonResult(models.Model):
    """One exercise that the member has answered. `stars`: 0 until it is solved, at most 3."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lesson_results"
    )
    variant = models.CharField(max_length=5)
    exercise = models.CharField(max_length=24)
    stars = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "variant", "exercise"], name="games_lessonresult_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.variant} {self.exercise}"

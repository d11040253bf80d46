"""The opponents' names, as pages show them; how they play is `games.ai`'s affair."""

from django.utils.translation import pgettext_lazy

LEVELS = [
    ("beginner", pgettext_lazy("level", "Beginner")),
    ("casual", pgettext_lazy("level", "Casual")),
    ("strong", pgettext_lazy("level", "Strong")),
]

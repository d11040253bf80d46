"""Words that messages may not contain."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import languages
from accounts.shared.plain_text import comparable

MALFORMED = _("Write one word of two letters or more.")


class RefusedWord(models.Model):
    """A word that staff do not allow in typed messages; `*` at its end stands for any ending."""

    language = models.CharField(_("language"), max_length=10, choices=languages)
    word = models.CharField(
        _("word"),
        max_length=40,
        unique=True,
        help_text=_("One word; * at its end stands for any ending. Capital letters do not matter."),
        validators=[RegexValidator(r"\A\w{2,}\*?\Z", MALFORMED)],
    )

    class Meta:
        verbose_name = _("refused word")
        verbose_name_plural = _("refused words")
        ordering = ["language", "word"]

    def __str__(self) -> str:
        return self.word

    def clean(self) -> None:
        """Refuse a word of invisible letters.

        If the validators have refused the word, it is empty here.
        """
        if self.word and not comparable(self.word).rstrip("*"):
            raise ValidationError({"word": MALFORMED})

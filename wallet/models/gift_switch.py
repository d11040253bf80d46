"""The switch by which staff stop a kind of gift."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class GiftSwitch(models.Model):
    """A switch for the gifts of one cause. Gifts of a cause without a row are given."""

    cause = models.CharField(_("cause"), max_length=32, unique=True)
    is_on = models.BooleanField(_("given"), default=True)

    class Meta:
        verbose_name = _("gift that can be switched off")
        verbose_name_plural = _("gifts that can be switched off")

    def __str__(self) -> str:
        return self.cause

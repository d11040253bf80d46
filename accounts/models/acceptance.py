"""Versions of the site's terms that members accepted."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Acceptance(models.Model):
    """A member accepted a version of the terms, read in `language`.

    Kept after the account is closed: the row proves what the member agreed to, and names nobody.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="acceptances"
    )
    version = models.DateField(_("version"))
    language = models.CharField(_("language"), max_length=10)
    accepted_at = models.DateTimeField(_("accepted"))

    class Meta:
        verbose_name = _("acceptance of the terms")
        verbose_name_plural = _("acceptances of the terms")
        ordering = ["-version"]
        constraints = [
            models.UniqueConstraint(fields=["user", "version"], name="accounts_acceptance_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.version}"

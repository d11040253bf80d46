"""The user model."""

import secrets
import string
from typing import Any

from django.contrib.auth import hashers
from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _

PUBLIC_ID_ALPHABET = string.ascii_letters + string.digits
PUBLIC_ID_LENGTH = 12
_PUBLIC_ID_LETTERS = frozenset(PUBLIC_ID_ALPHABET)


def new_public_id() -> str:
    """Return twelve unguessable characters (71 bits), used in URLs and frames as the id."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


def is_public_id(text: str) -> bool:
    """Return whether the text has the form of a public id; it need not exist."""
    return len(text) == PUBLIC_ID_LENGTH and _PUBLIC_ID_LETTERS.issuperset(text)


class User(AbstractUser):
    """A person with an account. Login and email are unique regardless of case.

    `activated_at`: when the account was activated: by the emailed link, or at once by a sign-up
    through another site. `guest`: the guest who signed up, or who began to play in the same
    browser after the sign-up; the guest's matches move to the account at activation, or at a later
    sign-in from that browser. `closed_at`: when the account was closed and its personal data
    erased; the row stays for the ledger and for opponents' matches. Every user has a `profile` and
    `preferences`.
    """

    public_id = models.CharField(
        _("public ID"),
        max_length=PUBLIC_ID_LENGTH,
        unique=True,
        default=new_public_id,
        editable=False,
    )
    guest = models.UUIDField(null=True, blank=True, editable=False)
    activated_at = models.DateTimeField(_("activated"), null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("username"), name="accounts_user_username_ci"),
            # Registrations, and accounts made by staff or from another site, may have no email yet.
            models.UniqueConstraint(
                Lower("email"), name="accounts_user_email_ci", condition=~Q(email="")
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Create profile and preferences with a new user."""
        from accounts.models.preferences import Preferences
        from accounts.models.profile import Profile

        is_new = self._state.adding
        with transaction.atomic():
            super().save(*args, **kwargs)
            if is_new:
                profile = Profile.for_new(self.pk)
                profile.user = self
                profile.save()
                Preferences.objects.create(user=self)

    def check_password(self, raw_password: str | None) -> bool:
        """Compare only; Django would also renew the stored hash after a change of its rounds.

        Sessions belong to the stored hash, so a renewed one would end them all, and a slow check
        of an old password could overwrite a new one.
        """
        return hashers.check_password(raw_password, self.password)

    @property
    def is_member(self) -> bool:
        """Return whether the account is activated and neither closed nor banned."""
        return self.is_active and self.activated_at is not None and self.closed_at is None

    def has_session_hash(self, stored: str) -> bool:
        """Return whether a session's hash belongs to the present password.

        Earlier values of SECRET_KEY count too, since a session is signed with the new key only at
        its next request.
        """
        valid = (self.get_session_auth_hash(), *self.get_session_auth_fallback_hash())
        return any(constant_time_compare(stored, each) for each in valid)

"""The user. Everything else about a person is added by later parts of the site."""

import secrets
import string

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

PUBLIC_ID_ALPHABET = string.ascii_letters + string.digits
PUBLIC_ID_LENGTH = 12


def new_public_id() -> str:
    """Twelve unguessable characters (71 bits), said in URLs and frames instead of a row's key."""
    return "".join(secrets.choice(PUBLIC_ID_ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


class User(AbstractUser):
    """A person with an account. Login and email are unique whatever their letters' case."""

    public_id = models.CharField(
        _("public id"),
        max_length=PUBLIC_ID_LENGTH,
        unique=True,
        default=new_public_id,
        editable=False,
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("username"), name="accounts_user_username_ci"),
            # Accounts made by staff or by a social login may have no email yet.
            models.UniqueConstraint(
                Lower("email"), name="accounts_user_email_ci", condition=~Q(email="")
            ),
        ]

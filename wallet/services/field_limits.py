"""Check texts against their column lengths: PostgreSQL refuses longer ones, SQLite keeps them."""

from django.db import models

from wallet.errors import WalletError


def need_fit(model: type[models.Model], **texts: str) -> None:
    """Raise WalletError for a text that is longer than the model field of its name allows."""
    for name, text in texts.items():
        most = getattr(model._meta.get_field(name), "max_length", None)
        if most is not None and len(text) > most:
            raise WalletError(f"{name} has {len(text)} characters, {most} at most: {text}")

"""Texts that fit their columns: PostgreSQL refuses a longer one, SQLite would keep it."""

from django.db import models

from wallet.money import WalletError


def need_fit(model: type[models.Model], **texts: str) -> None:
    """Raises WalletError for a text that is longer than the model's field of that name."""
    for name, text in texts.items():
        most = getattr(model._meta.get_field(name), "max_length", None)
        if most is not None and len(text) > most:
            raise WalletError(f"{name} has {len(text)} characters, {most} at most: {text}")

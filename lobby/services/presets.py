"""Presets of the announcing form: save, rename, delete."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.people.locks import lock_people, lock_unclosed
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from lobby.models import Preset

MAX_PRESETS = 12  # for one member


def save(
    owner: User, name: str, choices: dict[str, Any], now: datetime, *, replaces: bool = False
) -> Preset:
    """Save the choices under the name. Idempotent.

    Raises Refused: `preset_name` if a preset of this name has other choices and `replaces` is
    False; `presets_full`; `not_member` if the account was closed meanwhile.
    """
    with write_transaction():
        if not lock_unclosed(owner.pk):
            raise Refused("not_member")
        own = Preset.objects.filter(owner=owner)
        same = own.filter(name=name).first()
        if same is not None and same.choices != choices and not replaces:
            raise Refused("preset_name")
        if same is None and own.count() >= MAX_PRESETS:
            raise Refused("presets_full")
        preset = same or Preset(owner=owner, name=name, created_at=now)
        preset.choices = choices
        preset.save()
    return preset


def rename(owner: User, public_id: str, name: str) -> None:
    """Rename a preset of the member. Raises Refused (`preset_name`) and Preset.DoesNotExist."""
    with write_transaction():
        own = _lock(owner)
        preset = own.get(public_id=public_id)
        if own.filter(name=name).exclude(pk=preset.pk).exists():
            raise Refused("preset_name")
        preset.name = name
        preset.save(update_fields=["name"])


def delete(owner: User, public_id: str) -> str:
    """Delete a preset of the member; return its name, "" if it is gone already.

    Raises Preset.DoesNotExist for a preset of another member.
    """
    with write_transaction():
        preset = _lock(owner).filter(public_id=public_id).first()
        if preset is None:
            if Preset.objects.filter(public_id=public_id).exists():
                raise Preset.DoesNotExist
            return ""
        preset.delete()
    return str(preset.name)


def _lock(owner: User) -> Any:
    """Lock the member, so that names stay unique and the number bounded; return the presets."""
    lock_people(owner.pk)
    return Preset.objects.filter(owner=owner)

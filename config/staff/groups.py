"""Create the groups of the roles, and correct groups whose permissions differ from ROLES."""

from dataclasses import dataclass

from django.contrib.auth.models import Group, Permission

from accounts.shared.transactions import write_transaction
from config.staff.roles import ROLES


class UnknownPermission(Exception):
    """A role names a permission that is not in the database: migrations are missing."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The permissions that a group lacks, and those that it should not have, as `app.codename`."""

    role: str
    is_new: bool
    lacks: frozenset[str]
    exceeds: frozenset[str]


def group_differences() -> list[Difference]:
    """Return the roles whose groups are missing or differ from ROLES."""
    groups = Group.objects.filter(name__in=ROLES).prefetch_related("permissions__content_type")
    held = {group.name: frozenset(map(_name, group.permissions.all())) for group in groups}
    found = [
        Difference(role, role not in held, wanted - has, has - wanted)
        for role, wanted in ROLES.items()
        for has in [held.get(role, frozenset())]
    ]
    return [each for each in found if each.is_new or each.lacks or each.exceeds]


def make_groups() -> list[Difference]:
    """Make the groups equal to ROLES; return the differences. Other groups stay unchanged."""
    with write_transaction():
        known = {_name(each): each for each in Permission.objects.select_related("content_type")}
        differences = group_differences()
        for each in differences:
            missing = ROLES[each.role] - known.keys()
            if missing:
                raise UnknownPermission(", ".join(sorted(missing)))
            group, _ = Group.objects.get_or_create(name=each.role)
            group.permissions.set([known[name] for name in ROLES[each.role]])
    return differences


def _name(permission: Permission) -> str:
    return f"{permission.content_type.app_label}.{permission.codename}"

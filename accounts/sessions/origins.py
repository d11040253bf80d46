"""Remember for a month from which networks and devices a member came, to compare two members.

Only keyed hashes are stored. A network is an IPv4 address or an IPv6 /64 (`address_group`). A
device is a random id in a cookie, which the browser keeps after a sign-out.
"""

import re
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from ipaddress import ip_address

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from accounts.models import Origin
from accounts.people.locks import lock_unclosed
from accounts.shared.client_address import address_group, known_address
from accounts.shared.transactions import write_transaction

KEPT_FOR = timedelta(days=30)
# Least time before a known origin is written again.
NOTED_EVERY = timedelta(hours=1)
# Most origins of one kind kept for a member; one more replaces the oldest.
MAX_ORIGINS = 20
COOKIE_LIVES = timedelta(days=365)


def note_request(request: HttpRequest, response: HttpResponse, user_id: int, now: datetime) -> None:
    """Note the network and the device; give the browser a cookie if it has none."""
    device = request.COOKIES.get(settings.ORIGIN_COOKIE_NAME, "")
    if not re.fullmatch("[0-9a-f]{32}", device):
        device = secrets.token_hex(16)
        response.set_cookie(
            settings.ORIGIN_COOKIE_NAME,
            device,
            max_age=COOKIE_LIVES,
            secure=not settings.PLAIN_HTTP,
            httponly=True,
            samesite="Lax",
        )
    note(user_id, Origin.Kind.DEVICE, device, now)
    address = known_address(request)
    # The address of a proxy of ours or of a local network identifies nobody.
    if ip_address(address).is_global:
        note(user_id, Origin.Kind.NETWORK, address_group(address), now)


def note(user_id: int, kind: str, name: str, now: datetime) -> None:
    """Note an origin, at most every NOTED_EVERY; delete the oldest beyond MAX_ORIGINS.

    Store nothing for a closed account.
    """
    mine = Origin.objects.filter(user_id=user_id, kind=kind)
    digest = _digest(kind, name)
    # Read first: a read does not occupy SQLite's only writer.
    if mine.filter(digest=digest, seen_at__gt=now - NOTED_EVERY).exists():
        return
    with write_transaction():
        if not lock_unclosed(user_id):
            return
        Origin.objects.update_or_create(
            user_id=user_id, kind=kind, digest=digest, defaults={"seen_at": now}
        )
        kept = list(mine.order_by("-seen_at", "-pk").values_list("pk", flat=True)[:MAX_ORIGINS])
        mine.exclude(pk__in=kept).delete()


def are_together(one_id: int, other_id: int, now: datetime, *kinds: str) -> bool:
    """Return whether two members shared an origin of these kinds within KEPT_FOR."""
    recent = Origin.objects.filter(kind__in=kinds, seen_at__gt=now - KEPT_FOR)
    others = recent.filter(user_id=other_id).values("digest")
    return recent.filter(user_id=one_id, digest__in=others).exists()


def companions(user_id: int, other_ids: Collection[int], now: datetime, kind: str) -> list[int]:
    """Return those of the others who shared an origin of this kind with the member."""
    recent = Origin.objects.filter(kind=kind, seen_at__gt=now - KEPT_FOR)
    own = recent.filter(user_id=user_id).values("digest")
    found = recent.filter(user_id__in=other_ids, digest__in=own).exclude(user_id=user_id)
    return list(found.values_list("user_id", flat=True).distinct())


def groups(now: datetime, kind: str, user_ids: Collection[int] | None = None) -> list[set[int]]:
    """Return, for each origin of this kind that members shared within KEPT_FOR, those members.

    With `user_ids`, use only the origins that at least one of these members had; a set still holds
    all members who shared the origin.
    """
    recent = Origin.objects.filter(kind=kind, seen_at__gt=now - KEPT_FOR)
    shared = recent
    if user_ids is not None:
        theirs = recent.filter(user_id__in=user_ids).values("digest")
        shared = recent.filter(digest__in=theirs)
    many = shared.order_by().values("digest").annotate(members=Count("user")).filter(members__gt=1)
    found: dict[str, set[int]] = {}
    for digest, user_id in recent.filter(digest__in=many.values("digest")).values_list(
        "digest", "user_id"
    ):
        found.setdefault(digest, set()).add(user_id)
    return list(found.values())


def forget(before: datetime) -> int:
    """Delete origins last seen before a time; return their number."""
    return Origin.objects.filter(seen_at__lt=before).delete()[0]


def _digest(kind: str, name: str) -> str:
    key = settings.IDENTITY_KEYS[0]
    hashed = salted_hmac("accounts.origin", f"{kind}:{name}", secret=key, algorithm="sha256")
    return hashed.hexdigest()

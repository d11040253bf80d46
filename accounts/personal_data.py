"""The accounts' part of a member's data export."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import Q
from django.forms.models import model_to_dict

from accounts.models import (
    Acceptance,
    EmailWish,
    Fingerprint,
    Friendship,
    Notice,
    Origin,
    OutgoingEmail,
    Picture,
    Preferences,
    Presence,
    Profile,
    PushSubscription,
    User,
)
from accounts.second_factor.selectors import state_of
from accounts.selectors import blocked_by, friendships_of, notes_of


def of(user: User) -> dict[str, Any]:
    return {
        "login": user.username,
        "public_id": user.public_id,
        "signed_up_at": user.date_joined,
        "activated_at": user.activated_at,
        "last_sign_in_at": user.last_login,
        "last_seen_at": _last_seen_at(user),
        "emails": list(
            EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
        ),
        "accepted_terms": list(
            Acceptance.objects.filter(user=user)
            .order_by("version")
            .values("version", "language", "accepted_at")
        ),
        "profile": _profile(Profile.objects.get(user=user)),
        "preferences": _without_keys(Preferences.objects.get(user=user)),
        "blocked": [
            {"login": other.username, "public_id": other.public_id} for other in blocked_by(user.pk)
        ],
        "friends": [_of_friendship(row, user) for row in friendships_of(user)],
        "notes": [
            {
                "login": note.about.username,
                "public_id": note.about.public_id,
                "text": note.text,
                "updated_at": note.updated_at,
            }
            for note in notes_of(user)
        ],
        "sessions": list(
            UserSession.objects.filter(user=user)
            .order_by("created_at")
            .values("created_at", "last_seen_at", "ip", "user_agent")
        ),
        "connections": list(
            SocialAccount.objects.filter(user=user).values("provider", "uid", "date_joined")
        ),
        "two_step_sign_in": _second_factor(user),
        "fingerprints": list(
            Fingerprint.objects.filter(user=user).order_by("pk").values("created_at", "digest")
        ),
        "origins": list(
            Origin.objects.filter(user=user).order_by("pk").values("kind", "digest", "seen_at")
        ),
        "pictures": list(
            Picture.objects.filter(user=user)
            .order_by("pk")
            .values("uploaded_at", "checked_at", "taken_at", "reason")
        ),
        **_notices(user),
    }


def _notices(user: User) -> dict[str, Any]:
    return {
        "notices": list(
            Notice.objects.filter(user=user)
            .order_by("pk")
            .values("created_at", "kind", "path", "state", "sent_at")
        ),
        # Leave out the URL at the push service, which is secret like a password.
        "push_devices": list(
            PushSubscription.objects.filter(user=user)
            .order_by("pk")
            .values("created_at", "user_agent", "kinds")
        ),
        "notices_by_email": list(
            EmailWish.objects.filter(user=user).order_by("kind").values_list("kind", flat=True)
        ),
        "outgoing_emails": list(
            OutgoingEmail.objects.filter(_emails_of(user))
            .order_by("created_at")
            .values("created_at", "sent_at", "subject")
        ),
    }


def _last_seen_at(user: User) -> datetime | None:
    return Presence.objects.filter(user=user).values_list("seen_at", flat=True).first()


def _second_factor(user: User) -> dict[str, Any] | None:
    """Return when two-step sign-in was switched on and last used, without its secrets."""
    state = state_of(user.pk)
    if state is None:
        return None
    return {
        "since": state.since,
        "last_used_at": state.used_at,
        "recovery_codes_left": state.codes_left,
    }


def _of_friendship(row: Friendship, user: User) -> dict[str, Any]:
    """Return a friendship or request, but not who ended it: that may have been the other member."""
    other = row.second if row.first_id == user.pk else row.first
    return {
        "login": other.username,
        "public_id": other.public_id,
        "asked_by_me": row.asker_id == user.pk,
        "state": row.state,
        "asked_at": row.asked_at,
        "accepted_at": row.accepted_at,
    }


def _emails_of(user: User) -> Q:
    return Q(user=user) | Q(to__iexact=user.email) if user.email else Q(user=user)


def _profile(profile: Profile) -> dict[str, Any]:
    return _without_keys(profile) | {
        "country": str(profile.country),
        "avatar_file": str(profile.avatar_file.name or ""),
    }


def _without_keys(row: Profile | Preferences) -> dict[str, Any]:
    return model_to_dict(row, exclude=["id", "user"])

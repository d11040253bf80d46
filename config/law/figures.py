"""Values that the terms name: the manual's figures, the operator, the days of retention."""

from typing import Any

from django.conf import settings

from accounts.law.versions import current_version
from accounts.management.commands import forgetemails, forgetnotices
from accounts.sessions import origins
from accounts.sessions.services import BRIEF_SESSION
from accounts.signup.selectors import KEPT_FOR as REGISTRATION_KEPT_FOR
from chat.management.commands import forgetreports, forgettickets
from config.manual.figures import figures
from games.management.commands import forgetchats, forgetguests
from lobby.management.commands import forgetinvitations
from shop.management.commands import forgetpayments
from wallet.limits import exclusions


def law_figures() -> dict[str, Any]:
    return {
        **figures(),
        "operator": settings.OPERATOR,
        "support_email": settings.SUPPORT_EMAIL,
        "asks_to_accept": settings.ASK_TO_ACCEPT_TERMS,
        "version": current_version(),
        "kept_days": kept_days(),
    }


def kept_days() -> dict[str, int]:
    """Return the days for which nightly commands keep what the privacy page names."""
    return {
        "registrations": REGISTRATION_KEPT_FOR.days,
        "emails": forgetemails.DAYS,
        "notices": forgetnotices.DAYS,
        "origins": origins.KEPT_FOR.days,
        "sessions": forgetguests.SESSION_DAYS,
        "brief_sessions": BRIEF_SESSION.days,
        "support": forgettickets.DAYS,
        "payments": forgetpayments.DAYS,
        "breaks": exclusions.KEPT_FOR.days,
        "invitations": forgetinvitations.DAYS,
        "seeks": forgetinvitations.SEEK_DAYS,
        "challenges": forgetinvitations.SEEK_DAYS + forgetinvitations.DAYS,
        "chats": forgetchats.DAYS,
        "reports": forgetreports.DAYS,
    }

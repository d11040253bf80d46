"""The wallet's part of a user's data export."""

from typing import Any

from wallet import causes, statement
from wallet.limits.overview import choices_of
from wallet.models import Exclusion, Hold, Limit, LimitChange, WelcomeGift
from wallet.selectors import account_of, funds_in


def of(user_id: int) -> dict[str, Any]:
    """Return the wallet's data in whole credits; entries and holds come oldest first."""
    account = account_of(user_id)
    funds = funds_in(account)
    gift = WelcomeGift.objects.filter(user_id=user_id).first()
    holds = Hold.objects.filter(account=account) if account else Hold.objects.none()
    return {
        "available": funds.available,
        "reserved": funds.reserved,
        "welcome": {"total": gift.total_credits, "given": gift.given_credits} if gift else None,
        "entries": [
            {
                "at": line.transfer.created_at,
                "credits": line.credits,
                "balance": line.balance,
                "cause": line.transfer.cause,
                "text": line.text,
                "reference": line.transfer.reference,
                "reason": line.transfer.reason,
            }
            for line in statement.movements(
                statement.entries_of(account, statement.MovementFilter()).reverse()
            )
        ],
        "limits": _limits_of(user_id),
        "waiting": [
            {"at": line.payment.created_at, "credits": line.credits, "text": line.text}
            for line in (statement.waiting_of(account) if account else [])
        ],
        "holds": [
            {
                "at": hold.created_at,
                "credits": hold.amount_credits,
                "state": hold.state,
                "resolved_at": hold.resolved_at,
                "cause": hold.cause,
                "text": causes.describe(hold)[0],
                "reference": hold.reference,
            }
            for hold in holds.order_by("id")
        ],
    }


def _limits_of(user_id: int) -> dict[str, Any]:
    """Return the member's own limits with their history, choices and breaks."""
    choices = choices_of(user_id)
    limits = Limit.objects.filter(user_id=user_id).order_by("kind")
    changes = LimitChange.objects.filter(user_id=user_id).order_by("id")
    breaks = Exclusion.objects.filter(user_id=user_id).order_by("id")
    return {
        "age_confirmed_at": choices.adult_at,
        "reminder_minutes": choices.reminder_minutes,
        "present": list(limits.values("kind", "amount", "next_amount", "next_at")),
        "changes": list(changes.values("kind", "amount", "made_at", "holds_from")),
        "breaks": list(breaks.values("kind", "began_at", "ends_at")),
    }

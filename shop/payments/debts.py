"""Write the debts of members: credits of returned payments that they had spent already.

A debt is the sum of its parts, one for each payment. Parts are read and changed under the lock of
the debt's row. Top-ups lower a debt, the oldest part first. Staff waive it as a whole; if a payment
turns out valid after that, its waived credits are not given back, since the member has spent them.
"""

from django.db.models import F

from shop.models import Debt, DebtPart, Payment


def owed_by(user_id: int) -> int:
    """Return the member's debt in credits."""
    owed = Debt.objects.filter(user_id=user_id).values_list("credits", flat=True).first()
    return owed or 0


def locked(user_id: int) -> Debt:
    """Return the member's debt with its row locked; create it if there is none."""
    Debt.objects.get_or_create(user_id=user_id)
    return Debt.objects.select_for_update(no_key=True).get(user_id=user_id)


def add(debt: Debt, payment: Payment, credits: int) -> None:
    """Add credits of a payment that could not be taken back."""
    if credits:
        part, _ = DebtPart.objects.get_or_create(debt=debt, payment=payment)
        part.owed_credits += credits
        part.save(update_fields=["owed_credits"])
        _change(debt, credits)


def lower(debt: Debt, credits: int, first: Payment | None = None) -> int:
    """Pay off up to `credits`, beginning with the part of payment `first`; return the sum paid."""
    if not (credits and debt.credits):
        return 0
    left = credits
    parts = list(debt.parts.filter(owed_credits__gt=0))
    for part in sorted(parts, key=lambda part: first is None or part.payment_id != first.pk):
        if not left:
            break
        paid = min(part.owed_credits, left)
        part.owed_credits -= paid
        part.save(update_fields=["owed_credits"])
        left -= paid
    _change(debt, left - credits)
    return credits - left


def forget_waived(payment: Payment, credits: int) -> int:
    """Set off waived credits of a payment against `credits` to be given back; return how many."""
    part = DebtPart.objects.filter(payment=payment, waived_credits__gt=0).first()
    if part is None:
        return 0
    set_off = min(part.waived_credits, credits)
    part.waived_credits -= set_off
    part.save(update_fields=["waived_credits"])
    return set_off


def waive(user_id: int) -> bool:
    """Waive a member's debt; return False if there was none. Runs in the caller's transaction."""
    debt = locked(user_id)
    if not debt.credits:
        return False
    debt.parts.update(waived_credits=F("waived_credits") + F("owed_credits"), owed_credits=0)
    _change(debt, -debt.credits)
    return True


def _change(debt: Debt, credits: int) -> None:
    debt.credits += credits
    debt.save(update_fields=["credits"])

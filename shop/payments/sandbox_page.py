"""The page of the sandbox: pay, be declined, pay later, close."""

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.shared.database_clock import CLOCK
from accounts.shared.transactions import write_transaction
from shop.models import SandboxCheckout
from shop.payments import providers
from shop.payments.currencies import money_text
from shop.payments.providers import sandbox

State = SandboxCheckout.State
# Buttons -> the state of the checkout after them; "later" leaves it open.
ANSWERS = {"pay": State.PAID, "decline": State.DECLINED, "close": State.CLOSED}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, reference: str) -> HttpResponse:
    """Show the checkout, or take the answer of a button and redirect back to the site."""
    provider = providers.find("sandbox")
    found = SandboxCheckout.objects.filter(reference=reference).first()
    if not isinstance(provider, sandbox.Gateway) or found is None:
        raise Http404
    if request.method == "POST" and found.state == State.OPEN and found.pays_at is None:
        answer(provider, found, request, CLOCK.now())
        return redirect(found.return_url)
    context = {
        "checkout": found,
        "price": money_text(found.amount, found.currency),
        "is_open": found.state == State.OPEN and found.pays_at is None,
    }
    return render(request, "shop/payments/sandbox.html", context)


def answer(
    provider: sandbox.Gateway, found: SandboxCheckout, request: HttpRequest, now: datetime
) -> None:
    """Store the answer of the button and send the site a webhook; "later" sends none."""
    pressed = request.POST.get("answer", "")
    changes: dict[str, object] = {"pays_at": now + sandbox.LATER} if pressed == "later" else {}
    if pressed in ANSWERS:
        changes = {"state": ANSWERS[pressed]}
    with write_transaction():
        rows = SandboxCheckout.objects.filter(pk=found.pk, state=State.OPEN, pays_at=None)
        is_changed = bool(changes) and rows.update(**changes)
    if is_changed and pressed in ANSWERS:
        found.refresh_from_db()
        url = request.build_absolute_uri(reverse("shop:webhook", args=["sandbox"]))
        provider.tell(url, pressed, sandbox.facts_of(found, now))

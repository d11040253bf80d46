"""The address to which payment providers send their messages."""

import logging

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.shared.client_address import known_address
from accounts.shared.database_clock import CLOCK
from shop.payments import facts, providers
from shop.payments.providers.port import Forged, Rejected, Unavailable

logger = logging.getLogger(__name__)

# Maximum bytes of a message; Stripe's have up to some ten thousand.
MAX_BODY = 256 * 1024


@csrf_exempt
@require_POST
def receive(request: HttpRequest, provider: str) -> HttpResponse:
    """Answer 200 to an accepted message, 400 to a forged one, 503 to one to be sent again."""
    found = providers.find(provider)
    if found is None:
        raise Http404
    if _length(request) > MAX_BODY or len(request.body) > MAX_BODY:
        return HttpResponse(status=413)
    address = known_address(request)
    try:
        event = found.read(request.body, request.headers, address)
    except Forged as error:
        logger.warning("%s: refused a webhook from %s: %s", found.code, address, error)
        return HttpResponse(status=400)
    except (Unavailable, Rejected) as error:
        logger.warning("%s: a webhook has to come again: %r", found.code, error)
        return HttpResponse(status=503)
    facts.receive(found.code, event, CLOCK.now())
    return HttpResponse()  # YooKassa repeats its message after any other status


def _length(request: HttpRequest) -> int:
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isdecimal() else 0

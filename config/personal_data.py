"""Export of a member's personal data as one file. Each app adds its part."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import personal_data as accounts_part
from accounts.models import User
from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from chat import personal_data as chat_part
from games import personal_data as games_part
from games.archive.fold_slots import NoSlot, slot
from lobby import personal_data as lobby_part
from shop import personal_data as shop_part
from stats import personal_data as stats_part
from tournaments import personal_data as tournaments_part
from wallet import personal_data as wallet_part

LIMIT = "export_my_data"  # key of ACCOUNT_RATE_LIMITS


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def export_my_data(request: HttpRequest) -> HttpResponse:
    if not rate_limits.allow_reading(request, LIMIT):
        return rate_limits.refuse(request, LIMIT)
    user = current_user(request)
    try:
        # The export takes a fold slot, since it costs as much as the fold of a long match.
        with slot():
            data = data_of(user)
    except NoSlot as refused:
        return rate_limits.refuse_reading(request, refused.action, refused.seconds)
    content = {
        "site": request.build_absolute_uri("/"),
        "exported_at": timezone.now(),
        **data,
    }
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "indent": 2})
    response["Content-Disposition"] = f'attachment; filename="5stars-{user.public_id}.json"'
    return response


def data_of(user: User) -> dict[str, Any]:
    return {
        "account": accounts_part.of(user),
        "credits": wallet_part.of(user.pk),
        "matches": games_part.of(user.pk),
        "lessons": games_part.lessons_of(user.pk),
        "lobby": lobby_part.of(user.pk),
        "ratings": stats_part.of(user.pk),
        "chat": chat_part.of(user.pk),
        "shop": shop_part.of(user.pk),
        "tournaments": tournaments_part.of(user.pk),
    }

"""The statement of a member's credits."""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.shared import rate_limits
from accounts.shared.prose import reader_language
from wallet import statement, statement_csv
from wallet.forms import StatementForm
from wallet.models import Entry
from wallet.selectors import account_of, funds_in

PAGE_LENGTH = 50  # movements
# Parts of the page that htmx fetches: after a nudge, and by the filter.
MOVEMENT_TARGETS = ("movements", "statement-movements")
LIMIT = "export_statement"  # key of ACCOUNT_RATE_LIMITS


@never_cache
@login_required
@require_safe
def show_statement(request: HttpRequest) -> HttpResponse:
    """Show funds and the filtered movements, paginated."""
    account = account_of(_user_id(request))
    form = StatementForm(request.GET)
    entries = Entry.objects.none()
    if form.is_valid():
        entries = statement.entries_of(account, form.movement_filter)
    page = Paginator(entries, PAGE_LENGTH).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1),
        "movements": statement.movements(entries[(page.number - 1) * PAGE_LENGTH :][:PAGE_LENGTH]),
    }
    if request.headers.get("HX-Target") in MOVEMENT_TARGETS:
        return render(request, "wallet/_movements.html", {**context, "alone": True})
    context |= {
        "funds": funds_in(account),
        "reserved": statement.reserved_of(account) if account else [],
        "waiting": statement.waiting_of(account) if account else [],
    }
    return render(request, "wallet/statement.html", context, status=422 if form.errors else 200)


@never_cache
@login_required
@require_safe
def export_statement(request: HttpRequest) -> HttpResponseBase:
    """Stream the filtered movements as CSV; an invalid filter redirects to the page."""
    if not rate_limits.allow_reading(request, LIMIT):
        return rate_limits.refuse_reading(request, LIMIT)
    form = StatementForm(request.GET)
    if not form.is_valid():
        return redirect(f"{reverse('wallet:statement')}?{request.GET.urlencode()}")
    account = account_of(_user_id(request))
    is_head = request.method == "HEAD"
    found = iter(()) if is_head else statement.every_movement(account, form.movement_filter)
    chunks = statement_csv.csv_chunks(found, reader_language())
    response = StreamingHttpResponse(
        _in_thread(chunks) if hasattr(request, "scope") else chunks,
        content_type="text/csv; charset=utf-8",
    )
    name = f"5stars-credits-{timezone.localdate()}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _user_id(request: HttpRequest) -> int:
    assert request.user.pk is not None
    return request.user.pk


async def _in_thread(chunks: Iterator[str]) -> AsyncIterator[str]:
    """Read the chunks in a thread: under ASGI Django would collect a plain iterator in memory."""
    read = sync_to_async(lambda: next(chunks, ""))
    while chunk := await read():
        yield chunk

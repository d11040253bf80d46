"""Pages of the chats: the rules, a member's mutes and silence, reports about a member."""

from django.contrib import messages as flash_messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User, is_public_id
from accounts.people.names import shown_name
from accounts.selectors import find_member
from accounts.shared.current_user import current_user
from accounts.shared.own_urls import own_url
from accounts.shared.refusals import Refused, marked
from chat import rooms, selectors
from chat.forms import AppealForm, PlayerReportForm
from chat.services import messages, moderation, player_reports


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "chat/rules.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def silence(request: HttpRequest) -> HttpResponse:
    """Show until when and why the member may not chat; POST `appeal` asks staff to review it."""
    now, user = timezone.now(), current_user(request)
    form = AppealForm(request.POST if request.method == "POST" else None)
    refusal = ""
    if form.is_valid():
        try:
            moderation.appeal(user.pk, form.cleaned_data["appeal"], now)
        except Refused as error:
            refusal = error.code
        else:
            flash_messages.success(request, gettext("Your appeal is sent."))
            return HttpResponseRedirect(reverse("chat:silence"), status=303)
    latest = selectors.latest_silence(user.pk)
    context = {
        "silence": latest,
        "is_running": latest is not None and latest.until > now,
        "form": form,
        "refusal": refusal,
    }
    answer = render(request, "chat/silence.html", context, status=_status(form, refusal))
    return marked(answer, refusal) if refusal else answer


def _status(form: Form, refusal: str) -> int:
    if refusal:
        return 409
    return 422 if form.errors else 200


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_player(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask for the cause, then report a member; `match`: public id of the match in question."""
    reporter, other = current_user(request), find_member(public_id)
    if other is None or other.closed_at or other == reporter:
        raise Http404
    match = _match_of(request, other)
    room = f"match:{match}" if match else ""
    form = PlayerReportForm(request.POST if request.method == "POST" else None)
    refusal = ""
    if form.is_valid():
        given = form.cleaned_data
        try:
            player_reports.report(
                reporter, other, given["cause"], given["text"], room, timezone.now()
            )
        except Refused as error:
            refusal = error.code
        else:
            flash_messages.success(request, gettext("Thank you. Our team will look at it."))
            return HttpResponseRedirect(reverse("people:player", args=[public_id]), status=303)
    context = {
        "other": other,
        "form": form,
        "match": match,
        "room": room,
        "error": _REFUSALS[refusal]() if refusal else "",
    }
    page = "chat/report_player.html"
    answer = render(request, page, context, status=_status(form, refusal))
    return marked(answer, refusal) if refusal else answer


def _match_of(request: HttpRequest, about: User) -> str:
    """Return the public id of the match that the request names, or "" if it is not kept.

    The id is kept only if the reporter may see the match and the reported member took part in it,
    since staff read the report in the match's case file.
    """
    match = request.POST.get("match") or request.GET.get("match", "")
    room = f"match:{match}"
    is_kept = (
        is_public_id(match) and rooms.is_visible(room, request) and rooms.took_part(room, about.pk)
    )
    return match if is_kept else ""


_REFUSALS = {
    "not_member": lambda: gettext("Activate your account first: the link is in our email."),
    "too_fast": lambda: gettext("You have sent too many reports today."),
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def muted(request: HttpRequest) -> HttpResponse:
    """Show the list; POST a public id as `player` to unmute that member, and go on to `next`."""
    owner = current_user(request)
    if request.method != "POST":
        context = {
            "muted": selectors.muted_by(owner.pk),
            "silence": selectors.silence_of(owner.pk, timezone.now()),
        }
        return render(request, "chat/muted.html", context)
    player = find_member(request.POST.get("player", ""))
    if player is None:
        raise Http404
    messages.unmute(owner, player.pk)
    text = gettext("You see messages from %(player)s again.") % {"player": shown_name(player)}
    flash_messages.success(request, text)
    back = own_url(request, request.POST.get("next", ""), reverse("chat:muted"))
    return HttpResponseRedirect(back, status=303)

"""Pages of messages between two members."""

from dataclasses import dataclass
from uuid import UUID, uuid4, uuid5

from django.contrib import messages as flash_messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.people.names import shown_name
from accounts.selectors import find_member
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.rate_limits import limited
from accounts.shared.refusals import Refused, marked
from chat.direct import selectors, services
from chat.direct.forms import FindForm, PeopleForm, ReachForm
from chat.models import Message, Reach
from chat.selectors import silence_of
from chat.services import messages

PEOPLE = 30  # people on a page of the list


@never_cache
@require_safe
@login_required
@limited("list_pages")
def conversations(request: HttpRequest) -> HttpResponse:
    """List the member's conversations, or the people of the chosen filter or login."""
    owner, now, form = current_user(request), CLOCK.now(), PeopleForm(request.GET)
    rows = selectors.people(owner, form.shown, form.wanted_login, now)
    page = Paginator(rows, PEOPLE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "shown": "" if form.wanted_login else form.shown,
        "page": page,
        "listed": selectors.listed_people(owner, page, now),
        "reach": ReachForm(initial={"accepts": selectors.accepts(owner.pk)}),
    }
    is_list = _target(request) == "people-list"
    return render(request, "chat/_people.html" if is_list else "chat/conversations.html", context)


@require_POST
@login_required
def choose_reach(request: HttpRequest) -> HttpResponse:
    form = ReachForm(request.POST)
    if not form.is_valid():
        raise Http404
    services.choose_reach(current_user(request), Reach.From(form.cleaned_data["accepts"]))
    flash_messages.success(request, gettext("Your choice is saved."))
    return redirect("chat:conversations")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def conversation(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the messages with one member; POST `text` sends that member a message."""
    owner, other = current_user(request), _find(request, public_id)
    if request.method != "POST":
        return _show(request, owner, other)
    text = request.POST.get("text", "")
    try:
        services.send(owner, other, text, CLOCK.now(), _client_id(request))
    except Refused as refusal:
        sentence = _sentence(refusal, other)
        answer = _show(request, owner, other, text=text, error=sentence, status=422)
        return marked(answer, refusal.code)
    if request.htmx:  # type: ignore[attr-defined]
        return _show(request, owner, other)
    return redirect("chat:conversation", public_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report(request: HttpRequest, public_id: str, message_id: int) -> HttpResponse:
    """Ask for confirmation, then report one of the other's messages to staff."""
    owner, other = current_user(request), _find(request, public_id)
    message = selectors.messages_of(owner, other).filter(pk=message_id, author=other).first()
    if message is None or message.hidden_at:
        raise Http404
    if request.method != "POST":
        return render(request, "chat/report.html", {"other": other, "message": message})
    try:
        messages.report(owner, message.pk, CLOCK.now())
    except Refused as refusal:
        flash_messages.error(request, gettext("You have sent too many reports today."))
        return marked(redirect("chat:conversation", public_id), refusal.code)
    flash_messages.success(request, gettext("Thank you. We will look at the message."))
    return redirect("chat:conversation", public_id)


def _find(request: HttpRequest, public_id: str) -> User:
    found = find_member(public_id)
    if found is None or found == request.user:
        raise Http404
    return found


def _client_id(request: HttpRequest) -> UUID | None:
    """Return an id made from the form's id and its text; None if the form's id is not a UUID.

    If the response gets lost, the same form may be sent again with another text, which is another
    message. Line breaks are normalized, since scripts send other ones than the browser itself.
    """
    text = "\n".join(request.POST.get("text", "").splitlines())
    try:
        return uuid5(UUID(request.POST.get("id", "")), text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Lines:
    """Messages, oldest first; `older` is the `before` of the page with older ones, if any."""

    messages: list[Message]
    older: int | None
    is_latest: bool

    @property
    def last_id(self) -> int:
        return self.messages[-1].pk if self.messages else 0


def _lines(form: FindForm, owner: User, other: User) -> _Lines:
    before, text = form.before_id, form.text
    found = selectors.messages_of(owner, other, before, text)[: selectors.PAGE_LENGTH + 1]
    rows = list(found)
    has_more = len(rows) > selectors.PAGE_LENGTH
    rows = rows[: selectors.PAGE_LENGTH]
    is_latest = before is None and not text
    return _Lines(rows[::-1], rows[-1].pk if has_more else None, is_latest)


def _show(
    request: HttpRequest,
    owner: User,
    other: User,
    text: str = "",
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    form = FindForm(request.GET)
    lines = _lines(form, owner, other)
    if lines.is_latest and lines.messages and _is_seen(request):
        services.read(owner, other, lines.last_id)
    now = CLOCK.now()
    theirs = selectors.conversation_of(other.pk, owner.pk)
    refusal = selectors.refusal(owner, other)
    context = {
        "other": other,
        "lines": lines,
        "find": form.text,
        "read_id": theirs.read_id if theirs else 0,
        "refusal": _sentence(Refused(refusal), other) if refusal else "",
        "is_blocked": refusal == "blocked",
        "is_muted": selectors.mutes(owner.pk, other.pk),
        "silence": silence_of(owner.pk, now),
        "text": text,
        "error": error,
        "client_id": uuid4(),
        "max_text": services.MAX_TEXT,
    }
    return render(request, _template(request), context, status=status)


def _is_seen(request: HttpRequest) -> bool:
    """Return whether the reader sees the answer; the page's script sends `away` in a hidden tab."""
    return request.method != "HEAD" and "away" not in request.GET


def _template(request: HttpRequest) -> str:
    return {
        "conversation-lines": "chat/_lines.html",
        "conversation": "chat/_conversation.html",
    }.get(_target(request), "chat/conversation.html")


def _target(request: HttpRequest) -> str:
    """Return the id of the part that the page's script asks for; "" for a whole page."""
    return (request.htmx.target or "") if request.htmx else ""  # type: ignore[attr-defined]


def _sentence(refusal: Refused, other: User) -> str:
    names = {"player": shown_name(other), "most": services.MAX_TEXT}
    if refusal.code == "unanswered":
        number = services.UNANSWERED
        return ngettext(
            "You have written %(number)d message. Wait until %(player)s answers.",
            "You have written %(number)d messages. Wait until %(player)s answers.",
            number,
        ) % {"number": number, **names}
    return {
        "not_member": gettext("Activate your account first: the link is in our email."),
        "closed_account": gettext("This account is closed. You can still read the messages."),
        "blocked": gettext("You have blocked %(player)s. Unblock them to write again."),
        "not_accepted": gettext("%(player)s does not accept messages from you."),
        "many_strangers": gettext(
            "You have started many conversations today. Write to people you have played with, or "
            "come back tomorrow."
        ),
        "silenced": gettext("Chat is turned off for you."),
        "refused_word": gettext(
            "Your message has a word that is not allowed here. Change it and send it again."
        ),
        "too_fast": gettext("You are writing too fast. Wait a moment and send it again."),
        "unreadable": gettext("Write something, in up to %(most)d characters."),
    }[refusal.code] % names

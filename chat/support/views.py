"""Pages of support for senders: questions, the form, their requests."""

from dataclasses import replace

from django.conf import settings
from django.contrib import messages as flash_messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.mail.mailboxes import one_mailbox
from accounts.models import User
from accounts.sessions.devices import describe
from accounts.shared.current_user import current_user
from accounts.shared.prose import reader_language
from accounts.shared.rate_limits import allow, from_network, refuse
from accounts.shared.refusals import Refused, marked
from chat.models import Ticket
from chat.support import selectors, services
from chat.support.came_from import CameFrom, came_from, details_of
from chat.support.forms import QuestionForm, ReplyForm
from chat.support.topics import TOPICS, TopicPage, find_topic

LATEST, PER_PAGE = 3, 20  # requests on the first page, and on a page of the list


@never_cache
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Ask for the topic; a member sees their latest requests too."""
    member = _member(request)
    context = {
        "topics": TOPICS,
        "came": came_from(request),
        "tickets": selectors.tickets_of(member.pk)[:LATEST] if member else [],
        "email": settings.SUPPORT_EMAIL,
        "facebook": settings.SUPPORT_FACEBOOK,
    }
    return render(request, "support/start.html", context)


@never_cache
@require_safe
def questions(request: HttpRequest, topic: str) -> HttpResponse:
    """Show answers to the topic's usual questions; the form is the next step."""
    page, came = _topic(topic), came_from(request)
    if not page.has_questions:
        address = reverse("support:write", args=[page.slug])
        return HttpResponseRedirect(address + came.query)
    context = {"page": page, "came": came, "answers": f"support/questions/{page.slug}.html"}
    return render(request, "support/questions.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def write(request: HttpRequest, topic: str) -> HttpResponse:
    """Show the form and the details that are sent with it; POST sends it."""
    page, came, member = _topic(topic), came_from(request), _member(request)
    data = request.POST if request.method == "POST" else None
    form = QuestionForm(data, is_member=member is not None)
    refusal = ""
    if form.is_valid():
        try:
            return _send(request, page, came, member, form)
        except Refused as error:
            refusal = error.code
    details = details_of(request, came)
    context = {
        "page": page,
        "came": came,
        "form": form,
        "details": details,
        "device": describe(details.device) if details.device else "",
        "member": member,
        "error": _REFUSALS[refusal]() if refusal else "",
    }
    return _answer(request, "support/write.html", context, form, refusal)


@never_cache
@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    """Tell a sender without an account to expect an email with the link."""
    return render(request, "support/sent.html")


@never_cache
@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    rows = selectors.tickets_of(current_user(request).pk)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "support/mine.html", {"page": page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def ticket(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a member's request with its messages; POST adds one, or closes it with `solved`.

    A merged request leads to the one that it joined, which also gets a message that is sent here.
    """
    found = selectors.find_own(current_user(request).pk, public_id)
    if found is None:
        raise Http404
    if found.merged_into is not None and "text" not in request.POST:
        return HttpResponseRedirect(selectors.address_of(found.merged_into))
    return _thread(request, found.merged_into or found)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the request of an emailed link, whether the visitor is signed in or not.

    A banned member's link leads to their own page once they can sign in again.
    """
    found = selectors.find_by_token(token)
    if found is None:
        raise Http404
    if selectors.may_sign_in(found):
        return _lead_to_own_page(request, found)
    if "solved" in request.POST and not selectors.is_link_of(token, found):
        # The sender has not seen the conversation that their request joined.
        return HttpResponseRedirect(selectors.address_of(found))
    return _thread(request, found)


def _thread(request: HttpRequest, found: Ticket) -> HttpResponse:
    if "solved" in request.POST:
        _settle(found)
        flash_messages.success(request, gettext("Your request is closed."))
        return HttpResponseRedirect(selectors.address_of(found), status=303)
    form = ReplyForm(request.POST if request.method == "POST" else None)
    refusal = ""
    if form.is_valid():
        try:
            _reply(request, found, form)
        except Refused as error:
            refusal = error.code
        else:
            return HttpResponseRedirect(selectors.address_of(found) + "#last", status=303)
    if request.method != "HEAD":
        services.read(found)
    context = {
        "ticket": found,
        "lines": selectors.messages_of(found),
        "form": form,
        "device": describe(found.device) if found.device else "",
        "error": _REFUSALS[refusal]() if refusal else "",
    }
    return _answer(request, "support/ticket.html", context, form, refusal)


def _lead_to_own_page(request: HttpRequest, found: Ticket) -> HttpResponse:
    """Redirect a member who may sign in; store a message that they wrote while they were banned.

    The link needs no sign-in, so it shows nothing of the request any more.
    """
    form = ReplyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            _reply(request, found, form)
        except Refused:
            return refuse(request, "support")
    return HttpResponseRedirect(selectors.address_of(found))


def _send(
    request: HttpRequest,
    page: TopicPage,
    came: CameFrom,
    member: User | None,
    form: QuestionForm,
) -> HttpResponse:
    given = form.cleaned_data
    question = services.Question(page.topic, given["text"], reader_language(), given["once"])
    if given["attaches"]:
        question = replace(question, room=came.room, details=details_of(request, came))
    if not selectors.has_request(given["once"]):
        _count_message(request, given.get("email"))
    made = services.ask(member or given["email"], question, timezone.now())
    if member is None:
        return HttpResponseRedirect(reverse("support:sent"), status=303)
    flash_messages.success(request, gettext("Your message is sent. You will find our answer here."))
    return HttpResponseRedirect(selectors.address_of(made), status=303)


def _settle(found: Ticket) -> None:
    try:
        services.settle(found)
    except Refused as error:
        raise Http404 from error


def _reply(request: HttpRequest, found: Ticket, form: ReplyForm) -> None:
    """Store a message; raise Refused, or Http404 if the request was deleted meanwhile."""
    given = form.cleaned_data
    if not selectors.has_message(given["once"]):
        _count_message(request)
    try:
        services.reply(found, given["text"], given["once"], timezone.now())
    except Refused as error:
        if error.code == "gone":
            raise Http404 from error
        raise
    flash_messages.success(request, gettext("Your message is sent."))


def _count_message(request: HttpRequest, email: str | None = None) -> None:
    """Count a message for the network and the mailbox; raise Refused("too_fast") at the limit.

    A mailbox is counted together with the network, so that strangers elsewhere cannot keep its
    owner from writing. All networks together have a higher limit.
    """
    if not allow(request, "support"):
        raise Refused("too_fast")
    if email:
        mailbox = one_mailbox(email)
        here = from_network(request, mailbox)
        limits = (("support_mailbox", here), ("support_mailbox_anywhere", mailbox))
        if not all(allow(request, action, key) for action, key in limits):
            raise Refused("too_fast")


def _answer(
    request: HttpRequest, template: str, context: dict[str, object], form: Form, refusal: str
) -> HttpResponse:
    status = 429 if refusal == "too_fast" else 422 if form.errors else 200
    answer = render(request, template, context, status=status)
    return marked(answer, refusal) if refusal else answer


def _topic(slug: str) -> TopicPage:
    found = find_topic(slug)
    if found is None:
        raise Http404
    return found


def _member(request: HttpRequest) -> User | None:
    """Return the member; None for an account that is not activated, as for no account."""
    user = request.user
    return user if isinstance(user, User) and user.is_member else None


_REFUSALS = {
    "too_fast": lambda: gettext(
        "You have sent us many messages in a short time. Yours is still in the form: send it again "
        "later."
    ),
    "not_member": lambda: gettext("This account is closed."),
}

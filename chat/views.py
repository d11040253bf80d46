"""The page with the members whom a member has muted."""

from django.contrib import messages as flash_messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.people.names import shown_name
from accounts.selectors import find_member
from accounts.shared.current_user import current_user
from chat import selectors
from chat.services import messages


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def muted(request: HttpRequest) -> HttpResponse:
    """Show the list; POST a public id as `player` to unmute that member."""
    owner = current_user(request)
    if request.method != "POST":
        return render(request, "chat/muted.html", {"muted": selectors.muted_by(owner.pk)})
    player = find_member(request.POST.get("player", ""))
    if player is None:
        raise Http404
    messages.unmute(owner, player.pk)
    text = gettext("You see messages from %(player)s again.") % {"player": shown_name(player)}
    flash_messages.success(request, text)
    return HttpResponseRedirect(reverse("chat:muted"), status=303)

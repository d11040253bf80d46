"""Upload an avatar, remove it, serve it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST, require_safe

from accounts import selectors
from accounts.models.profile import AVATAR_FOLDER
from accounts.profile import avatars, picture_checks
from accounts.profile.avatar_images import MAX_BYTES, MAX_SIDE, BadPicture, Fault
from accounts.profile.forms import ProfileForm, TableForm
from accounts.profile.views import show_page
from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from accounts.shared.refusals import Refused

YEAR_S = 365 * 24 * 3600
LIMIT = "avatar_upload"  # key of ACCOUNT_RATE_LIMITS


class StopAtLimit(FileUploadHandler):
    """Stop reading an upload above MAX_BYTES; `request.FILES` is empty then."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self._read = 0
        self.was_too_large = False

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self._read += len(raw_data)
        if self._read > MAX_BYTES:
            self.was_too_large = True
            raise StopUpload(connection_reset=True)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None  # leave the file to the next handlers


@csrf_exempt  # the token is in the body, which must not be read before its limit is set
@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """Store the file `picture` of the form as the avatar; answer 422 with the reason if refused."""
    limit = StopAtLimit(request)
    request.upload_handlers.insert(0, limit)
    return _upload(request, limit)


@csrf_protect
@login_required
def _upload(request: HttpRequest, limit: StopAtLimit) -> HttpResponse:
    if not rate_limits.allow(request, LIMIT):
        return _refused(
            request, gettext("You have changed this too often. Please try again later.")
        )
    file = request.FILES.get("picture")
    if limit.was_too_large:
        return _refused(request, sentence(Fault.TOO_LARGE))
    if not isinstance(file, UploadedFile):
        return _refused(request, gettext("Choose a picture first."))
    try:
        avatars.replace(current_user(request).pk, file)
    except BadPicture as error:
        return _refused(request, sentence(error.fault))
    except Refused:
        return _refused(request, gettext("This account is closed."))
    return _done(request, gettext("Your picture is set."))


@require_POST
@login_required
def remove(request: HttpRequest) -> HttpResponse:
    avatars.remove(current_user(request).pk)
    return _done(request, gettext("Your picture is removed."))


@require_POST
@login_required
def acknowledge(request: HttpRequest) -> HttpResponse:
    """Stop showing the message that staff took the picture away."""
    picture_checks.note_seen(current_user(request).pk, timezone.now())
    return HttpResponseRedirect(reverse("people:profile"), status=303)


@require_safe
def show(request: HttpRequest, name: str) -> HttpResponse:
    """Serve a stored file; each upload gets a new random name, so a file never changes."""
    path = f"{AVATAR_FOLDER}/{name}.webp"
    if not default_storage.exists(path):
        raise Http404
    with default_storage.open(path) as file:
        response = HttpResponse(file.read(), content_type="image/webp")
    response["Cache-Control"] = f"public, max-age={YEAR_S}, immutable"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def sentence(fault: Fault) -> str:
    """Return the sentence for the player: why the picture is refused and what to do."""
    return {
        Fault.TOO_LARGE: gettext("This file is larger than 2 MB. Please choose a smaller one."),
        Fault.TOO_MANY_PIXELS: gettext(
            "This picture is more than %(side)d pixels wide or high. Please choose a smaller one."
        )
        % {"side": MAX_SIDE},
        Fault.UNKNOWN_FORMAT: gettext(
            "We cannot read this picture. Please choose a JPEG, PNG or WebP file."
        ),
        Fault.DAMAGED: gettext("This picture is damaged. Please choose another one."),
        Fault.BUSY: gettext(
            "Many pictures are being uploaded at the moment. Please try again in a minute."
        ),
    }[fault]


def _refused(request: HttpRequest, error: str) -> HttpResponse:
    return _picker(request, 422, error=error)


def _done(request: HttpRequest, message: str) -> HttpResponse:
    return _picker(request, 200, message=message)


def _picker(request: HttpRequest, status: int, error: str = "", message: str = "") -> HttpResponse:
    """Answer htmx with the avatar part of the page.

    Without a script: an error renders the whole page, success redirects to it.
    """
    profile = selectors.profile_of(current_user(request).pk)
    preferences = selectors.preferences_of(profile.user)
    form = ProfileForm(profile=profile, preferences=preferences)
    if request.htmx:  # type: ignore[attr-defined]
        context = {"form": form, "profile": profile, "upload_error": error, "upload_done": message}
        return render(request, "profile/_avatar_picker.html", context, status=status)
    if error:
        return show_page(request, form, TableForm(preferences=preferences), upload_error=error)
    messages.success(request, message)
    return HttpResponseRedirect(reverse("people:profile") + "#avatar-picker", status=303)

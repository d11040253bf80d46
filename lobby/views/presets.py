"""Presets of the announcing form: save the form's settings, list, rename and delete them."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from lobby import labels
from lobby.forms import AnnounceForm, PresetNameForm
from lobby.models import Preset
from lobby.services import presets

SAVE = "preset"  # name of the buttons that save; their value REPLACE allows overwriting
REPLACE = "replace"
FORM = "announcement"  # id of the announcing form on its page
LAST_CHOICES = "announced"  # session key


def form_context(owner: User, form: AnnounceForm, **more: Any) -> dict[str, Any]:
    """Return the context of the page with the announcing form."""
    return {
        "form": form,
        "presets": Preset.objects.filter(owner=owner),
        # The answer to a POST may have a URL that accepts no GET.
        "presets_page": way_back(form) if form.is_bound else "",
        "name_form": PresetNameForm(of=FORM),
        **more,
    }


def keep_choices(request: HttpRequest, form: AnnounceForm) -> str:
    """Keep the choices while the owner gets the missing credits; return the URL to come back to."""
    request.session[LAST_CHOICES] = form.choices  # only valid ones, so not the stake
    return way_back(form, stake=form.available + form.missing)


def way_back(form: AnnounceForm, **query: int) -> str:
    """Return the URL of the page that fills in the form, with the challenged person if any."""
    if form.invited is None:
        return reverse("lobby:announce", query=query)
    return reverse("lobby:challenge", args=[form.invited.public_id], query=query)


def save_from_form(request: HttpRequest, owner: User, form: AnnounceForm) -> HttpResponse:
    """Save the form's settings under the name given with them, and show the form again."""
    name_form = PresetNameForm(request.POST, of=FORM)
    context: dict[str, Any] = {"name_form": name_form}
    code = "invalid"
    if form.may_be_saved and name_form.is_valid():
        form.errors.pop("opponent", None)
        name = name_form.cleaned_data["preset_name"]
        replaces = request.POST[SAVE] == REPLACE
        try:
            saved = presets.save(owner, name, form.choices, CLOCK.now(), replaces=replaces)
            context = {"saved": saved}
        except Refused as refusal:
            code = refusal.code
            name_form.add_error("preset_name", labels.of_error(refusal))
            context["taken"] = name if code == "preset_name" else ""
    elif not form.may_be_saved:
        context["unsaved"] = True
    is_saved = "saved" in context
    if form.missing:
        context["back"] = keep_choices(request, form)
    context = form_context(owner, form, **context)
    page = render(request, "lobby/announce.html", context, status=200 if is_saved else 422)
    return page if is_saved else marked(page, code)


def choices_of(request: HttpRequest, owner: User) -> dict[str, Any]:
    """Return the choices of the preset that a link names."""
    public_id = request.GET.get("preset", "")
    preset = Preset.objects.filter(owner=owner, public_id=public_id).first()
    return dict(preset.choices) if preset else {}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def manage(request: HttpRequest) -> HttpResponse:
    """List the presets; the buttons `rename` and `delete` have a preset's public id."""
    owner = current_user(request)
    if request.method != "POST":
        return _show(request, owner)
    try:
        if "delete" in request.POST:
            return _delete(request, owner, request.POST["delete"])
        return _rename(request, owner, request.POST.get("rename", ""))
    except Preset.DoesNotExist as error:
        raise Http404 from error


def _delete(request: HttpRequest, owner: User, public_id: str) -> HttpResponse:
    if name := presets.delete(owner, public_id):
        messages.success(request, _("The preset “%(name)s” is deleted.") % {"name": name})
    return redirect("lobby:presets")


def _rename(request: HttpRequest, owner: User, public_id: str) -> HttpResponse:
    form = PresetNameForm(request.POST)
    code = "invalid"
    if form.is_valid():
        try:
            presets.rename(owner, public_id, form.cleaned_data["preset_name"])
        except Refused as refusal:
            code = refusal.code
            form.add_error("preset_name", labels.of_error(refusal))
        else:
            messages.success(request, _("The preset has a new name."))
            return redirect("lobby:presets")
    return marked(_show(request, owner, public_id, form), code)


def _show(
    request: HttpRequest, owner: User, refused_id: str = "", refused: PresetNameForm | None = None
) -> HttpResponse:
    """List the presets, each with a form to rename it; `refused` is the form of `refused_id`."""
    rows = [(preset, _name_form(preset)) for preset in Preset.objects.filter(owner=owner)]
    if refused is not None:
        if refused_id not in {preset.public_id for preset, form in rows}:
            raise Http404
        refused.auto_id = f"{refused_id}_%s"
        rows = [
            (preset, refused if preset.public_id == refused_id else form) for preset, form in rows
        ]
    context = {"rows": rows, "most": presets.MAX_PRESETS}
    return render(request, "lobby/presets.html", context, status=422 if refused else 200)


def _name_form(preset: Preset) -> PresetNameForm:
    return PresetNameForm(initial={"preset_name": preset.name}, auto_id=f"{preset.public_id}_%s")

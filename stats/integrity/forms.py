"""The form by which staff open a case."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.shared.refusals import Refused
from stats.integrity import services
from stats.integrity.staff_actions import INVOLVED, REFUSALS, member_of
from stats.models import Case


class LoginsField(forms.CharField):
    """A field of logins, separated by commas or spaces, whose cleaned value is a list of users."""

    widget = AdminTextInputWidget

    def clean(self, value: Any) -> list[User]:
        logins = dict.fromkeys((super().clean(value) or "").replace(",", " ").split())
        found = [member_of(login) for login in logins]
        unknown = [login for login, user in zip(logins, found, strict=True) if user is None]
        if unknown:
            text = _("There is no member with this login: %(logins)s")
            raise ValidationError(text % {"logins": ", ".join(unknown)})
        return [user for user in found if user is not None]


class OpenForm(forms.ModelForm):  # type: ignore[type-arg]
    """`staff_id` is the opener, who cannot be in the case; each request sets it in a subclass."""

    staff_id: int | None = None
    suspects = LoginsField(
        label=gettext_lazy("Members under suspicion"),
        help_text=gettext_lazy("Logins, separated by spaces."),
    )
    victims = LoginsField(
        label=gettext_lazy("Harmed members"),
        required=False,
        help_text=gettext_lazy("Logins, separated by spaces. You can also add them later."),
    )

    class Meta:
        model = Case
        fields = ("why",)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        both = (*self.cleaned_data.get("suspects", []), *self.cleaned_data.get("victims", []))
        if own := [user.username for user in both if user.pk == self.staff_id]:
            # Checked first: the other errors would reveal a case that the opener may not see.
            raise ValidationError(INVOLVED % {"names": own[0]})
        try:
            services.need_fit(self.ids_of("suspects"), self.ids_of("victims"))
        except Refused as refusal:
            if not self.errors:
                raise ValidationError(REFUSALS[refusal.code]) from refusal
        return given

    def ids_of(self, name: str) -> Collection[int]:
        return [user.pk for user in self.cleaned_data.get(name, [])]

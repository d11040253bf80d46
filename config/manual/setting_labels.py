"""The labels of all settings of a member, by name, from the forms that the pages show.

The manual must have a line for each (tests/config/manual/test_settings.py). It writes each label
with the tag `setting`, so that manual and pages use the same names.
"""

from collections.abc import Mapping
from typing import Any

from accounts.models import NoticeKind, Preferences
from accounts.profile.forms import TABLE_LABELS, ProfileForm
from chat.direct.forms import ReachForm
from wallet.limits.forms import REMINDER_LABEL
from wallet.limits.rules import Kind


def setting_labels() -> Mapping[str, Any]:
    return {
        **{name: field.label for name, field in ProfileForm.base_fields.items()},
        **{name: TABLE_LABELS[name] for name in Preferences.TABLE_FIELDS},
        **{f"notice-{kind.value}": kind.label for kind in NoticeKind},
        **{f"limit-{kind.value}": kind.label for kind in Kind},
        "limit-reminder": REMINDER_LABEL,
        **{f"reach-{name}": field.label for name, field in ReachForm.base_fields.items()},
    }


def option_label(setting: str, value: str) -> Any:
    """Return the label of one value of a setting of `Preferences`."""
    choices = Preferences._meta.get_field(setting).flatchoices  # type: ignore[union-attr]
    return dict(choices)[value]

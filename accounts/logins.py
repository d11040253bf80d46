"""What a login may be."""

import re

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

LOGIN_VALIDATORS = [
    RegexValidator(
        re.compile(r"^[A-Za-z0-9]{5,10}\Z"),
        _("A login has 5 to 10 Latin letters and digits."),
        code="login_characters",
    ),
]

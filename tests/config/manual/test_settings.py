"""Every setting of a member has its line in the manual, in every language."""

import re
from collections import Counter

import pytest
from django.conf import settings

from config.manual.chapters import manual_in
from config.manual.setting_labels import setting_labels

LANGUAGES = [code for code, _ in settings.LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_setting_has_one_line_in_the_manual(language):
    prose = "".join(chapter.prose for chapter in manual_in(language).chapters)
    lines = re.findall(r'data-setting="([^"]+)">[^<]+</dt>\s*<dd>[^<]', prose)
    labels = set(setting_labels())
    assert labels - set(lines) == set(), "no line in the manual"
    assert set(lines) - labels == set(), "no such setting"
    assert [name for name, count in Counter(lines).items() if count > 1] == [], "several lines"

"""The site's own tag `lucide` writes icons as the tag of the package does."""

import lucide as package
import pytest
from django.template import Context, Template


def written(tag: str) -> str:
    return Template(f"{{% load lucide %}}{{% lucide {tag} %}}").render(Context({"icon": "dices"}))


def test_icon_is_written_as_by_the_package() -> None:
    expected = package._render_icon("dices", 18, aria_hidden="true", **{"class": "x"})
    assert written('icon size=18 aria_hidden="true" class="x"') == expected
    assert package._render_icon("user", 24) == written('"user"')


def test_text_of_an_attribute_is_escaped() -> None:
    assert 'class="&quot;&lt;x"' in written("""icon class='"<x'""")


def test_unknown_icon_is_an_error() -> None:
    with pytest.raises(KeyError, match="no-such-icon"):
        written('"no-such-icon"')

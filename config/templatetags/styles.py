"""Load a set of styles: one file where the static files are collected."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from config.storage import styles_of

register = template.Library()


@register.simple_tag
def styles(*bundles: str) -> SafeString:
    """Write the links of these sets of `config/style_bundles.py`, such as "board"."""
    names = [name for bundle in bundles for name in styles_of(bundle)]
    return format_html_join(
        "\n", '<link rel="stylesheet" href="{}">', ((static(name),) for name in names)
    )

"""Load a script of the page together with all its imports."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from config.storage import needed_by

register = template.Library()


@register.simple_tag
def script(*entries: str) -> SafeString:
    """Write the elements of these modules, such as "js/table/main.js", and fetch all at once."""
    needed = dict.fromkeys(name for entry in entries for name in needed_by(entry))
    modules = format_html_join(
        "\n", '<script type="module" src="{}"></script>', ((static(name),) for name in entries)
    )
    return format_html("{}{}", _preloads(needed), modules)


@register.simple_tag
def preload(*entries: str) -> SafeString:
    """Fetch modules that a script imports on demand."""
    needed = dict.fromkeys(name for entry in entries for name in (*needed_by(entry), entry))
    return _preloads(needed)


def _preloads(names: dict[str, None]) -> SafeString:
    return format_html_join(
        "", '<link rel="modulepreload" href="{}">\n', ((static(name),) for name in names)
    )

"""Write an icon of Lucide into the page.

The package's own tag opens its archive of 1,745 icons for each icon, and copies and writes the
icon's elements on each page. Here the archive is read once, and an icon is written once.
"""

from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

from django import template
from django.utils.safestring import SafeString, mark_safe

SVG = "http://www.w3.org/2000/svg"

register = template.Library()


@register.simple_tag
def lucide(name: str, *, size: int = 24, **attributes: str) -> SafeString:
    """Write the icon; raise KeyError if unknown. `_` in an attribute's name becomes a hyphen."""
    return _written(str(name), size, tuple((key, str(text)) for key, text in attributes.items()))


@lru_cache(maxsize=1024)
def _written(name: str, size: int, attributes: tuple[tuple[str, str], ...]) -> SafeString:
    icon = ElementTree.fromstring(_archive().read(f"{name}.svg"))
    icon.attrib |= {"width": str(size), "height": str(size)}
    icon.attrib |= {key.replace("_", "-"): text for key, text in attributes}
    for element in icon.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")  # SVG within HTML needs no namespace
    return mark_safe(ElementTree.tostring(icon, encoding="unicode"))


@cache
def _archive() -> ZipFile:
    # Kept in memory, because forked processes would share the position in an open file.
    return ZipFile(BytesIO((files("lucide") / "lucide.zip").read_bytes()))

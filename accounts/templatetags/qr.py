"""QR codes."""

import segno
from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag
def qr_code(address: str) -> SafeString:
    """Render the address as a QR code: one SVG path without inline style, for the CSP."""
    code = segno.make(address, micro=False)
    return mark_safe(code.svg_inline(svgclass="qr", lineclass=None, omitsize=True))

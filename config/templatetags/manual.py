"""Labels of settings for the prose of the manual, the same as on the pages of the site."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.manual.setting_labels import option_label, setting_labels

register = template.Library()


@register.simple_tag
def setting(name: str) -> SafeString:
    """Write the term of a setting's line; a description (`dd`) follows it."""
    text = '<dt id="setting-{}" data-setting="{}">{}</dt>'
    return format_html(text, name.lower(), name, setting_labels()[name])


@register.simple_tag
def option(name: str, value: str) -> str:
    """Write the label of one value of a setting."""
    return str(option_label(name, value))

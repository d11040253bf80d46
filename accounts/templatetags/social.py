"""Sign-in through other sites on pages."""

from django import template
from django.urls import reverse

from accounts.social import sites

register = template.Library()
register.filter("site_name", sites.name_of)
register.simple_tag(sites.sites_on)
register.simple_tag(sites.sites_of)


@register.simple_tag
def site_login_url(code: str) -> str:
    return reverse(f"{code}_login")

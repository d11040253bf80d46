from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class StaffAdminConfig(AdminConfig):
    default_site = "config.staff.site.StaffSite"


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = _("Operation of the site")

    def ready(self) -> None:
        from config import receivers  # noqa: F401
        from config.checks import deploy  # noqa: F401

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class StaffAdminConfig(AdminConfig):
    default_site = "config.staff.site.StaffSite"


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import receivers  # noqa: F401

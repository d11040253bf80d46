from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class ChatConfig(AppConfig):
    name = "chat"
    verbose_name = pgettext_lazy("administration", "Chat and support")

    def ready(self) -> None:
        from chat import receivers  # noqa: F401

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = _("Open games")

    def ready(self) -> None:
        from accounts.sessions.unfinished import register
        from games.stakes.causes import register_page
        from lobby import leaving, receivers  # noqa: F401

        register_page("seek", "lobby:seek")
        register(leaving.unfinished)

from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = pgettext_lazy("administration", "Matches")

    def ready(self) -> None:
        from accounts.sessions.unfinished import register
        from chat import rooms
        from games import access, leaving, receivers  # noqa: F401
        from games.services import chat
        from games.stakes import causes

        register(leaving.unfinished)
        causes.name_causes()
        rooms.register(
            chat.ROOMS, chat.staff_links, access.is_room_visible, chat.took_part, chat.closed_to
        )

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from accounts.sessions.unfinished import register
        from chat import rooms
        from games import leaving, receivers  # noqa: F401
        from games.services import talking
        from games.stakes import causes

        register(leaving.unfinished)
        causes.name_causes()
        rooms.register(talking.ROOMS, talking.staff_link)

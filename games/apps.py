from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from accounts.leaving import register
        from chat import rooms
        from games import leaving, receivers  # noqa: F401
        from games.services import talking

        register(leaving.unfinished)
        rooms.register(talking.ROOMS, talking.staff_link)

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from chat import rooms
        from games import receivers  # noqa: F401
        from games.services import talking

        rooms.register(talking.ROOMS, talking.staff_link)

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "lobby"

    def ready(self) -> None:
        from lobby import causes, receivers  # noqa: F401

        causes.name_causes()

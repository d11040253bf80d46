from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "lobby"

    def ready(self) -> None:
        from accounts.leaving import register
        from lobby import causes, leaving, receivers  # noqa: F401

        causes.name_causes()
        register(leaving.unfinished)

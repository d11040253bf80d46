from django.apps import AppConfig


class StatsConfig(AppConfig):
    name = "stats"

    def ready(self) -> None:
        from stats import receivers  # noqa: F401

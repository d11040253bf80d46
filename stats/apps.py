from django.apps import AppConfig


class StatsConfig(AppConfig):
    name = "stats"

    def ready(self) -> None:
        from chat.direct import acquaintances
        from stats import head_to_head, receivers  # noqa: F401

        acquaintances.register(head_to_head.opponent_ids)

from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class StatsConfig(AppConfig):
    name = "stats"
    verbose_name = pgettext_lazy("administration", "Ratings and integrity")

    def ready(self) -> None:
        from chat.direct import acquaintances
        from stats import head_to_head, receivers  # noqa: F401

        acquaintances.register(head_to_head.opponent_ids)

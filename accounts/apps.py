from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import receivers  # noqa: F401
        from accounts.signin import logged_steps  # noqa: F401

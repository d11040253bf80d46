"""The public profile of a member."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_countries.fields import CountryField

AVATAR_FOLDER = "avatars"  # in the storage


def avatar_name(profile: "Profile", filename: str) -> str:
    """Return a random name, so that nothing of the uploaded name remains."""
    return f"{AVATAR_FOLDER}/{secrets.token_hex(16)}.webp"


class Profile(models.Model):
    """Avatar, the color of the shield around it (crest), country, and what others may see.

    `avatar_file` is our own re-encoding of an upload; without it the ready-made `avatar` is shown.
    """

    class Crest(models.TextChoices):
        GOLD = "gold", pgettext_lazy("color", "Gold")
        FELT = "felt", pgettext_lazy("color", "Green")
        BLUE = "blue", pgettext_lazy("color", "Blue")
        RED = "red", pgettext_lazy("color", "Red")
        VIOLET = "violet", pgettext_lazy("color", "Violet")
        TEAL = "teal", pgettext_lazy("color", "Teal")
        COPPER = "copper", pgettext_lazy("color", "Copper")
        STONE = "stone", pgettext_lazy("color", "Gray")

    class Avatar(models.TextChoices):
        STAR = "star", pgettext_lazy("avatar", "Star")
        DICE = "dice", pgettext_lazy("avatar", "Dice")
        LION = "lion", pgettext_lazy("avatar", "Lion")
        OWL = "owl", pgettext_lazy("avatar", "Owl")
        FOX = "fox", pgettext_lazy("avatar", "Fox")
        CAT = "cat", pgettext_lazy("avatar", "Cat")
        BEAR = "bear", pgettext_lazy("avatar", "Bear")
        HORSE = "horse", pgettext_lazy("avatar", "Horse")
        TULIP = "tulip", pgettext_lazy("avatar", "Tulip")
        TOWER = "tower", pgettext_lazy("avatar", "Tower")
        SHIP = "ship", pgettext_lazy("avatar", "Ship")
        MOON = "moon", pgettext_lazy("avatar", "Moon")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="profile"
    )
    crest = models.CharField(max_length=8, choices=Crest, default=Crest.GOLD)
    avatar = models.CharField(max_length=8, choices=Avatar, default=Avatar.STAR)
    avatar_file = models.FileField(upload_to=avatar_name, max_length=64, blank=True)
    country = CountryField(_("country"), blank=True)
    shows_country = models.BooleanField(_("country"), default=True)
    shows_online = models.BooleanField(_("my online status"), default=True)
    shows_record = models.BooleanField(_("my matches and statistics"), default=True)
    shows_winnings = models.BooleanField(_("my net winnings"), default=True, db_default=True)

    ANIMALS = (Avatar.LION, Avatar.OWL, Avatar.FOX, Avatar.CAT, Avatar.BEAR, Avatar.HORSE)

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")

    def __str__(self) -> str:
        return str(self.user)

    @classmethod
    def for_new(cls, user_id: int) -> "Profile":
        """Return an unsaved profile whose animal and color depend on the id.

        Consecutive ids differ in both. The 48 ids from a multiple of 48 on get 48 different pairs.
        """
        animals, crests = cls.ANIMALS, cls.Crest.values
        # Both lengths are even: without the shift, only half of the pairs would occur.
        shift = user_id // (len(animals) * len(crests) // 2)
        return cls(
            user_id=user_id,
            avatar=animals[user_id % len(animals)],
            crest=crests[(user_id + shift) % len(crests)],
        )

    @property
    def hides_winnings(self) -> bool:
        """Return whether winnings are hidden; hiding the statistics hides them too."""
        return not (self.shows_record and self.shows_winnings)

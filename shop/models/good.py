"""A board or a set of checkers on sale."""

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models.looks import FREE_LOOKS, LOOK_LENGTH, Board, Checkers

TITLE_LENGTH = 60
LOOKS: dict[str, type[Board] | type[Checkers]] = {"board": Board, "checkers": Checkers}


class Good(models.Model):
    """A look that members buy once. `code` names its colors in static/css/board/.

    If a title is empty, the look has its name from the site's translations. Without times the good
    is always on sale.
    """

    class Kind(models.TextChoices):
        BOARD = "board", pgettext_lazy("kind of good", "Board")
        CHECKERS = "checkers", pgettext_lazy("kind of good", "Checkers")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    code = models.CharField(_("look"), max_length=LOOK_LENGTH)
    price_credits = models.PositiveIntegerField(
        _("price in credits"), validators=[MinValueValidator(1)]
    )
    title_en = models.CharField(_("title in English"), max_length=TITLE_LENGTH, blank=True)
    title_ru = models.CharField(_("title in Russian"), max_length=TITLE_LENGTH, blank=True)
    title_tr = models.CharField(_("title in Turkish"), max_length=TITLE_LENGTH, blank=True)
    on_sale_from = models.DateTimeField(_("on sale from"), null=True, blank=True)
    on_sale_until = models.DateTimeField(_("on sale until"), null=True, blank=True)
    order = models.PositiveSmallIntegerField(_("order in the window"), default=0)

    class Meta:
        verbose_name = _("item")
        verbose_name_plural = _("items")
        ordering = ("kind", "order", "pk")
        constraints = [
            models.UniqueConstraint(fields=["kind", "code"], name="shop_good_look"),
            models.CheckConstraint(condition=Q(price_credits__gte=1), name="shop_good_price"),
            models.CheckConstraint(
                condition=Q(on_sale_from__isnull=True)
                | Q(on_sale_until__isnull=True)
                | Q(on_sale_from__lt=F("on_sale_until")),
                name="shop_good_window",
            ),
        ]

    def __str__(self) -> str:
        return str(self.title)

    @property
    def title(self) -> Any:
        own = getattr(self, f"title_{(get_language() or 'en')[:2]}", "")
        return own or LOOKS[self.kind](self.code).label

    def is_on_sale(self, now: datetime) -> bool:
        has_begun = self.on_sale_from is None or self.on_sale_from <= now
        return has_begun and (self.on_sale_until is None or now < self.on_sale_until)

    def clean(self) -> None:
        """Refuse an unknown look, a free one, and a sale that ends before it begins."""
        begins, ends = self.on_sale_from, self.on_sale_until
        if begins is not None and ends is not None and ends <= begins:
            raise ValidationError({"on_sale_until": _("The sale has to end after it begins.")})
        if self.kind not in LOOKS:
            return
        if self.code not in LOOKS[self.kind].values:
            raise ValidationError({"code": _("No board or set of checkers has this name.")})
        if self.code in FREE_LOOKS[self.kind]:
            raise ValidationError({"code": _("This look is free for everyone.")})

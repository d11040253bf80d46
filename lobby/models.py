"""Seeks, invitations and searches for an opponent; presets, and terms that members accepted."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, new_public_id
from games.engine.rules import Rules, Variant
from games.models import GUEST_NAME_LENGTH, Match
from games.models.actor import Actor
from lobby.wish_models import NewGame, WishedGame
from wallet.models import Hold

__all__ = ["AcceptedTerms", "Invitation", "NewGame", "Preset", "Search", "Seek", "WishedGame"]


class Seek(models.Model):
    """A game announced by a member, whose stake is held while it waits.

    Joining, canceling, declining and expiry all lock this row: the first to commit wins.
    `invited` is set for access PERSON only; a game with access LINK is in no list, and a game with
    access FRIENDS exists for the owner's friends only.
    """

    class State(models.TextChoices):
        OPEN = "OPEN", _("Waiting")
        JOINED = "JOINED", _("Joined")
        CANCELED = "CANCELED", _("Canceled")
        EXPIRED = "EXPIRED", _("Expired")
        DECLINED = "DECLINED", _("Declined")
        REMOVED = "REMOVED", _("Canceled by our team")
        # Another commitment of the owner begins (games/models/commitment.py).
        BUSY = "BUSY", _("Canceled before a tournament")

    class Access(models.TextChoices):
        OPEN = "OPEN", _("Everyone")
        LINK = "LINK", _("Anyone with the link")
        PERSON = "PERSON", _("One player")
        FRIENDS = "FRIENDS", _("My friends")

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seeks"
    )
    access = models.CharField(max_length=8, choices=Access, default=Access.OPEN)
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="invitations",
        null=True,
        blank=True,
    )
    variant = models.CharField(max_length=8, choices=[(v.value, v.value) for v in Variant])
    rules = models.JSONField()
    stake_credits = models.PositiveIntegerField()
    rake_credits = models.PositiveIntegerField()
    least_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    most_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    is_public = models.BooleanField(default=True)
    hides_stake = models.BooleanField(default=False, db_default=False)
    # At `expires_at` the game waits for the same time again if its owner is online.
    is_renewed = models.BooleanField(default=False, db_default=False)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    hold = models.OneToOneField(Hold, on_delete=models.PROTECT, related_name="+")
    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, related_name="seek", null=True, blank=True
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    # The challenged member had a page open when it was announced (response_rate.py).
    reached = models.BooleanField(default=False, db_default=False)
    # The reason that staff gave, shown to the owner.
    removed_because = models.CharField(max_length=200, blank=True, default="", db_default="")

    class Meta:
        verbose_name = _("open game")
        verbose_name_plural = _("open games")
        ordering = ["-created_at"]
        indexes = [
            models.Index(
                fields=["expires_at"], name="lobby_seek_expires_at", condition=Q(state="OPEN")
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["owner"], name="lobby_seek_one_open", condition=Q(state="OPEN")
            ),
            models.CheckConstraint(
                name="lobby_seek_invited",
                condition=Q(access="PERSON", invited__isnull=False) & ~Q(invited=F("owner"))
                | ~Q(access="PERSON") & Q(invited__isnull=True),
            ),
            models.CheckConstraint(
                name="lobby_seek_closed",
                condition=Q(state="OPEN", match__isnull=True, closed_at__isnull=True)
                | Q(state="JOINED", match__isnull=False, closed_at__isnull=False)
                | Q(
                    state__in=["CANCELED", "EXPIRED", "DECLINED", "REMOVED", "BUSY"],
                    match__isnull=True,
                    closed_at__isnull=False,
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def match_rules(self) -> Rules:
        return Rules.from_dict(self.rules)


class AcceptedTerms(models.Model):
    """Terms on which a member has begun a match for credits; `digest` is made by terms.py."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="accepted_terms"
    )
    digest = models.CharField(max_length=64)
    accepted_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "digest"], name="lobby_acceptedterms_once"),
        ]

    def __str__(self) -> str:
        return f"user {self.user_id}: {self.digest}"


class Preset(models.Model):
    """A member's own settings of the announcing form, under a name.

    `choices` are values of AnnounceForm by field; the form ignores fields that it no longer has.
    """

    NAME_LENGTH = 30

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="presets"
    )
    name = models.CharField(max_length=NAME_LENGTH)
    choices = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="lobby_preset_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Invitation(models.Model):
    """A friendly match offered by a link to the first person who accepts, or to one member.

    Its maker is a member, or a guest with a name. With `invited` it is a challenge from one
    member to another. Accepting, declining and canceling lock this row. An open invitation is over
    at `expires_at`; it is set to EXPIRED when its maker makes another.
    """

    # Pages read these attributes from every kind of offered game; an invitation has no stake.
    stake_credits = 0
    hides_stake = False

    class State(models.TextChoices):
        OPEN = "OPEN", _("Waiting")
        ACCEPTED = "ACCEPTED", _("Joined")
        CANCELED = "CANCELED", _("Canceled")
        EXPIRED = "EXPIRED", _("Expired")
        DECLINED = "DECLINED", _("Declined")

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="friendly_invitations",
        null=True,
        blank=True,
    )
    guest = models.UUIDField(null=True, blank=True)
    guest_name = models.CharField(max_length=GUEST_NAME_LENGTH, blank=True)
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="friendly_challenges",
        null=True,
        blank=True,
    )
    # The challenged member had a page open when it was made (response_rate.py).
    reached = models.BooleanField(default=False, db_default=False)
    variant = models.CharField(max_length=8, choices=[(v.value, v.value) for v in Variant])
    rules = models.JSONField()
    is_public = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    # Deleted together with a match of guests (games/services/guests.py).
    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, related_name="invitation", null=True, blank=True
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["maker"], name="lobby_invitation_one_open", condition=Q(state="OPEN")
            ),
            models.UniqueConstraint(
                fields=["guest"], name="lobby_invitation_one_of_guest", condition=Q(state="OPEN")
            ),
            models.CheckConstraint(
                name="lobby_invitation_maker",
                condition=Q(maker__isnull=False, guest__isnull=True, guest_name="")
                | Q(maker__isnull=True, guest__isnull=False) & ~Q(guest_name=""),
            ),
            models.CheckConstraint(
                name="lobby_invitation_closed",
                condition=Q(state="OPEN", match__isnull=True, closed_at__isnull=True)
                | Q(state="ACCEPTED", match__isnull=False, closed_at__isnull=False)
                | Q(
                    state__in=["CANCELED", "EXPIRED", "DECLINED"],
                    match__isnull=True,
                    closed_at__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="lobby_invitation_invited",
                condition=Q(invited__isnull=True) | Q(maker__isnull=False) & ~Q(invited=F("maker")),
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def match_rules(self) -> Rules:
        return Rules.from_dict(self.rules)

    @property
    def by(self) -> Actor:
        return Actor(user_id=self.maker_id, guest=self.guest)


class Search(models.Model):
    """A person who pressed "Play now" and waits to be paired with another one.

    A search for credits has an announcement of the member (`seek`), which holds the stake and may
    also be joined from the list. When the announcement is over, the worker ends the search, if
    nothing else does so earlier. Pairing and canceling lock this row before its announcement.
    """

    class State(models.TextChoices):
        OPEN = "OPEN", _("Waiting")
        FOUND = "FOUND", _("Opponent found")
        CANCELED = "CANCELED", _("Canceled")
        # The person was not seen for two minutes, or something else ended the announcement.
        ENDED = "ENDED", _("Ended")

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="searches",
        null=True,
        blank=True,
    )
    guest = models.UUIDField(null=True, blank=True)
    guest_name = models.CharField(max_length=GUEST_NAME_LENGTH, blank=True)
    seek = models.OneToOneField(
        Seek, on_delete=models.PROTECT, related_name="search", null=True, blank=True
    )
    variant = models.CharField(max_length=8, choices=[(v.value, v.value) for v in Variant])
    rules = models.JSONField()
    stake_credits = models.PositiveIntegerField(default=0)
    # The person's rating when the search began; it is not updated while the person waits.
    rating = models.FloatField()
    has_history = models.BooleanField(default=False)
    # Keys of the last opponents, the newest first (services/searching.py).
    last_met = models.JSONField(default=list)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    # Deleted together with a match of guests (games/services/guests.py).
    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="searches", null=True, blank=True
    )
    created_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    next_try_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("search for an opponent")
        verbose_name_plural = _("searches for an opponent")
        ordering = ["-created_at"]
        indexes = [
            models.Index(
                fields=["next_try_at"], name="lobby_search_next_try_at", condition=Q(state="OPEN")
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["user"], name="lobby_search_one_open", condition=Q(state="OPEN")
            ),
            models.UniqueConstraint(
                fields=["guest"], name="lobby_search_one_of_guest", condition=Q(state="OPEN")
            ),
            models.CheckConstraint(
                name="lobby_search_person",
                condition=Q(user__isnull=False, guest__isnull=True, guest_name="")
                | Q(user__isnull=True, guest__isnull=False, seek__isnull=True) & ~Q(guest_name=""),
            ),
            models.CheckConstraint(
                name="lobby_search_stake",
                condition=Q(seek__isnull=True, stake_credits=0)
                | Q(seek__isnull=False, stake_credits__gt=0),
            ),
            models.CheckConstraint(
                name="lobby_search_closed",
                condition=Q(state="OPEN", match__isnull=True, closed_at__isnull=True)
                | Q(state="FOUND", match__isnull=False, closed_at__isnull=False)
                | Q(state__in=["CANCELED", "ENDED"], match__isnull=True, closed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def match_rules(self) -> Rules:
        return Rules.from_dict(self.rules)

    @property
    def by(self) -> Actor:
        return Actor(user_id=self.user_id, guest=self.guest)

    @property
    def is_waiting(self) -> bool:
        is_open = self.state == Search.State.OPEN
        return is_open and (self.seek is None or self.seek.state == Seek.State.OPEN)

    @property
    def found(self) -> Match | None:
        """Return the unfinished match of the pairing or of the announcement, or None."""
        match = self.match or (self.seek.match if self.seek else None)
        return match if match is not None and not match.is_finished else None

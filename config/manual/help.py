"""The part of the manual that explains a page, by the name of the page's URL."""

from types import MappingProxyType

from django.urls import reverse

# The pages by the part that explains them: a chapter, or "chapter#section".
# tests/config/manual/test_help.py compares them with all pages of the site.
_PARTS = {
    "start": (
        "home", "about", "whats_new", "rules_short", "rules_long", "lessons_short", "lessons_long",
        "lesson_short", "lesson_long",
    ),
    "account#sign-up": (
        "account_signup", "account_email_verification_sent", "account_confirm_email",
        "account_inactive",
    ),
    "account#sign-in": ("account_login", "account_reauthenticate"),
    "account#two-step": ("account_second_factor", "account_second_factor_setup", "account_code"),
    "account#password": (
        "account_reset_password", "account_reset_password_done", "account_reset_password_from_key",
        "account_reset_password_from_key_done", "account_change_password",
    ),
    "account#email": ("account_add_email", "account_confirm_added_email", "account_outbox"),
    "account#sites": (
        "socialaccount_signup", "socialaccount_connections", "socialaccount_login_cancelled",
        "socialaccount_login_error",
    ),
    "account#sessions": ("account_sessions", "account_logout"),
    "table": ("games:match",),
    "training": ("games:training",),
    "training#finished": ("games:finished",),
    "people": ("lobby:lobby",),
    "people#play-now": ("lobby:play_now",),
    "people#create": ("lobby:announce", "lobby:seek", "lobby:presets"),
    "people#friend": ("lobby:friend", "lobby:invitation"),
    "people#challenge": ("lobby:challenge",),
    "people#wishes": ("lobby:wishes",),
    "people#watch": ("lobby:running",),
    "people#conduct": ("lobby:conduct",),
    "tournaments": ("tournaments:tournaments", "tournaments:list"),
    "tournaments#enter": ("tournaments:tournament",),
    "tournaments#propose": ("tournaments:propose",),
    "tournaments#tv": ("tournaments:tv",),
    "tournaments#season": ("tournaments:season",),
    "credits#statement": ("wallet:statement",),
    "credits#gifts": ("shop:gifts",),
    "credits#buy": ("shop:top_up", "shop:payments", "shop:payment", "shop:sandbox"),
    "credits#shop": ("shop:shop", "shop:checkers", "shop:owned", "shop:good"),
    "credits#totals": ("shop:totals",),
    "credits#limits": ("wallet:limits", "wallet:help"),
    "credits#breaks": ("wallet:take_break",),
    "credits#age": ("wallet:age",),
    "settings": ("people:profile",),
    "settings#notices": ("people:notices", "people:stop_emails"),
    "community": ("people:player", "people:card"),
    "community#friends": ("people:friends",),
    "community#messages": ("chat:conversations", "chat:conversation"),
    "community#mute": ("chat:muted",),
    "community#report": ("chat:report", "chat:report_player"),
    "community#rules": ("chat:rules",),
    "community#sanctions": ("chat:silence",),
    "progress#rating": ("stats:rating",),
    "progress#leaders": ("stats:leaders",),
    "progress#statistics": ("stats:statistics", "stats:matches"),
    "progress#opponents": ("stats:opponents", "stats:opponent"),
    "progress#achievements": ("stats:achievements",),
    "progress#skill": ("stats:skill",),
    "progress#year": ("stats:recap_of_year", "stats:shared_recap"),
    "dice#count": ("stats:dice", "stats:site_dice"),
    "dice#review": ("games:review",),
    "dice#share": ("games:result",),
    "help": ("support:start", "support:questions"),
    "help#write": (
        "support:write", "support:sent", "support:mine", "support:ticket", "support:by_link",
    ),
    "help#terms": ("terms", "privacy", "fair_play", "responsible_play", "account_law"),
    "help#close": ("people:close",),
}  # fmt: skip
PART_OF_PAGE = MappingProxyType({page: part for part, pages in _PARTS.items() for page in pages})


def help_url(view_name: str) -> str:
    """Return the URL of the part that explains a page; "" if there is none."""
    chapter, _, anchor = PART_OF_PAGE.get(view_name, "").partition("#")
    if not chapter:
        return ""
    return reverse("manual_chapter", args=[chapter]) + (f"#{anchor}" if anchor else "")

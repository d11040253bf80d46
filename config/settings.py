"""All settings, in one file, read from the environment.

It is one file although it is long: later settings use earlier ones (`PLAIN_HTTP`, `TESTING`,
`SOCIALACCOUNT_PROVIDERS`), so a split would need imports whose order matters. Each subject has a
heading.

Every variable is explained in .env.example. `python3 run.py` writes a .env for a demonstration on
this machine; real environment variables take precedence. Without either, the site refuses to start:
there is no default secret that could be left in production.
"""

import hashlib
import logging
import os
import tempfile
import tomllib
from datetime import UTC, datetime
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import demonstration, payment_providers, sign_in_sites
from config.environment import Env, is_unreadable, sqlite_url
from config.i18n.languages import read_languages

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()
_project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION: str = _project["version"]

# Set by pytest itself. Tests never read .env, so that they are the same on every machine.
TESTING = "PYTEST_VERSION" in os.environ
if not TESTING:
    env.read_env(BASE_DIR / ".env")

# Not `env.switch`, which refuses unknown words: other programs read a variable of this name too,
# and a word that is meant for them must count as off here.
DEBUG = env.bool("DEBUG", default=False)
# A site for one machine, over plain http on loopback, with sample data. Never for the internet.
DEMO = env.switch("DEMO", default=TESTING)
PLAIN_HTTP = DEBUG or DEMO


def _secret(name: str) -> str:
    """Read a secret that must be set and must not be empty."""
    value = env.str(name, default="")
    if value:
        return value
    if is_unreadable(BASE_DIR / ".env"):
        raise ImproperlyConfigured(
            f"{name} is not set, and {BASE_DIR / '.env'} cannot be read: this user may not read it,"
            " or it is a link to no file. See .env.example."
        )
    raise ImproperlyConfigured(
        f"{name} is not set. `python3 run.py` writes a .env for a demonstration on this"
        " machine, unless there is one; for anything else see .env.example."
    )


SECRET_KEY = "only-for-tests" * 4 if TESTING else _secret("SECRET_KEY")
# Earlier values of SECRET_KEY, whose signatures are still accepted.
SECRET_KEY_FALLBACKS = env.keys("SECRET_KEY_FALLBACKS")


def _derived_keys(purpose: str) -> list[str]:
    secrets = (SECRET_KEY, *SECRET_KEY_FALLBACKS)
    return [hashlib.sha256(f"{purpose}:{secret}".encode()).hexdigest() for secret in secrets]


# Encrypt the dice secrets of running matches in the database: the first key encrypts, all decrypt.
# A match whose key is lost becomes void at its next roll and never reveals the secret.
DICE_SEAL_KEYS = (
    [*filter(None, [env.str("DICE_SEAL_KEY", default="")]), *_derived_keys("dice-seal")]
    if PLAIN_HTTP
    else [_secret("DICE_SEAL_KEY")]
) + env.keys("DICE_SEAL_KEY_FALLBACKS")
# When this process read the keys. A secret that was sealed after this moment and that no key
# decrypts was sealed with a newer key.
DICE_SEAL_KEYS_READ_AT = datetime.now(UTC)
# The option --lost-seal-key sets this too.
DICE_SEAL_KEY_IS_LOST = env.switch("DICE_SEAL_KEY_IS_LOST", default=False)
# Keys of the hashes that outlive an account (of its login, mailbox and accounts at other sites),
# and of the encrypted secrets of two-step sign-in. The first key hashes and encrypts; hashes of all
# keys are recognized, and all keys decrypt.
IDENTITY_KEYS = env.keys("IDENTITY_KEYS") or [SECRET_KEY, *SECRET_KEY_FALLBACKS]
# Milliseconds that a quick bot waits between roll and play, so that a person sees both.
BOT_PACE_MS = env.int("BOT_PACE_MS", default=0 if TESTING else 700)
# Turns that reviews look ahead where two plays are close: 2, or 1 for less work.
REVIEW_PLIES = env.int("REVIEW_PLIES", default=1 if TESTING else 2)
if REVIEW_PLIES not in (1, 2):
    raise ImproperlyConfigured(f"REVIEW_PLIES is {REVIEW_PLIES}: it must be 1 or 2.")

# --- Addresses -----------------------------------------------------------------------------------
ALLOWED_HOSTS = env.keys("ALLOWED_HOSTS") or (
    ["localhost", "127.0.0.1", "[::1]"] if PLAIN_HTTP else []
)
if DEMO and not TESTING and (_public := demonstration.public_names(ALLOWED_HOSTS)):
    raise ImproperlyConfigured(f"ALLOWED_HOSTS names {', '.join(_public)}. {demonstration.WHY}")
# The site's origin ("https://example.org"), with which every absolute link begins. It may be unset
# on plain http; links then have the host of their request.
SITE_URL = env.origin("SITE_URL")
if not PLAIN_HTTP and not SITE_URL.startswith("https://"):
    raise ImproperlyConfigured("SITE_URL must be set to the site's https address: .env.example.")
# The origin of links in emails while SITE_URL is unset, since an email may be written outside of a
# request. `serve` puts its own address here; the default is the address of `serve` and `runserver`
# without options.
LOCAL_URL = "http://127.0.0.1:8000" if PLAIN_HTTP and not TESTING else ""
# Full origins ("https://example.org") of forms and sockets that are trusted beside the site's own.
CSRF_TRUSTED_ORIGINS = env.keys("CSRF_TRUSTED_ORIGINS")
# Number of our proxies in front of the site; their X-Forwarded-For entries are trusted.
PROXY_COUNT = env.int("PROXY_COUNT", default=0)
SOCKETS_PER_USER = env.int("SOCKETS_PER_USER", default=10)
SOCKETS_PER_ADDRESS = env.int("SOCKETS_PER_ADDRESS", default=50)

# --- Applications --------------------------------------------------------------------------------
INSTALLED_APPS = [
    "config.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.apple",
    "allauth.socialaccount.providers.facebook",
    "allauth.socialaccount.providers.google",
    "allauth.socialaccount.providers.telegram",
    "allauth.socialaccount.providers.vk",
    "allauth.socialaccount.providers.yandex",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_countries",
    "django_htmx",
    "config.apps.ConfigConfig",
    "accounts.apps.AccountsConfig",
    "wallet.apps.WalletConfig",
    "chat.apps.ChatConfig",
    "games.apps.GamesConfig",
    "stats.apps.StatsConfig",
    "shop.apps.ShopConfig",
    # Before the lobby: the receivers of bans and breaks lock tournaments before announced games.
    "tournaments.apps.TournamentsConfig",
    "lobby.apps.LobbyConfig",
]

MIDDLEWARE = [
    "config.middleware.LogIds",
    "config.middleware.OwnPagesOnly",
    "config.middleware.RefusalCodes",
    "config.middleware.SiteAddress",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.http.compression.Compression",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "accounts.sessions.unknown_keys.UnknownKeys",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "accounts.times.middleware.ReadersZone",
    "config.middleware.LanguageCookie",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.NoNulls",
    "accounts.sessions.signed_in.SignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.MembersPages",
    "config.law.middleware.AcceptedTerms",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.sessions.middleware.SessionsSeen",
    "accounts.members.brief_sessions.BriefSessions",
    "config.http.form_urls.FormUrls",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# May be a copy of locale/, to try unfinished translations: locale/README.md.
LOCALE_DIR = Path(env.str("LOCALE_DIR", default="") or BASE_DIR / "locale")
SITE_LANGUAGES = read_languages(LOCALE_DIR)

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", LOCALE_DIR],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context.site",
            ],
        },
    },
]

# --- Members -------------------------------------------------------------------------------------
# The password rules, each with a hint of its own on the page.
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.signup.password_rules.MinimumLengthValidator"},
    {"NAME": "accounts.signup.password_rules.UpperCaseValidator"},
    {"NAME": "accounts.signup.password_rules.LowerCaseValidator"},
    {"NAME": "accounts.signup.password_rules.DigitValidator"},
    {"NAME": "accounts.signup.password_rules.CommonPasswordValidator"},
    {"NAME": "accounts.signup.password_rules.LikenessValidator"},
]
AUTHENTICATION_BACKENDS = ["accounts.signin.backend.Backend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.signin.allauth_adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.signin.forms.SignInForm",
    "reset_password": "accounts.signin.forms.AskResetForm",
    "reset_password_from_key": "accounts.signin.forms.NewPasswordForm",
    "signup": "accounts.signup.forms.SignUpForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
# A name that browsers do not fill in automatically, or people would be taken for programs.
ACCOUNT_SIGNUP_FORM_HONEYPOT_FIELD = "website"
ACCOUNT_USERNAME_VALIDATORS = "accounts.signup.login_rules.LOGIN_VALIDATORS"
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if PLAIN_HTTP else "https"
# Days for which the activation link in an email works.
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
# Seconds for which that link also signs in the browser that signed up: the link's whole life.
ACCOUNT_LOGIN_TIMEOUT = 3 * 24 * 3600
# Seconds after signing in, or reauthentication, for which ways of signing in may be changed.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 5 * 60
# Seconds for which the link to a new password works.
PASSWORD_RESET_TIMEOUT = 3600
# Each limit is number/period/unit. Units: `ip`, a network address (an IPv6 /64; its /48 may have 8
# times as much); `user`, an account; `key`, a text that the code gives, such as the typed login.
# `_anywhere`: all networks together; `_known`: devices on which the account has signed in.
ACCOUNT_RATE_LIMITS = {
    "signup": "30/h/ip",
    "signup_check": "120/m/ip",
    "resend": "60/h/ip",
    # Sign-up emails to one mailbox, from one network and in all; more are silently ignored.
    "confirm_email": "10/d/key",
    "confirm_email_anywhere": "30/d/key",
    "login": None,  # allauth's own limit, which would count known devices too
    "sign_in": "30/m/ip",
    "login_failed": "10/m/ip,60/h/ip,5/5m/key",
    "login_failed_anywhere": "100/h/key",
    "login_failed_known": "5/5m/key,30/h/key",
    "reset_password": "20/h/ip,3/10m/key",
    # Links work for an hour, so that a mailbox at this limit has a working one.
    "reset_password_anywhere": "6/h/key",
    "reset_password_known": "3/10m/key",
    "reset_password_from_key": "20/10m/ip",
    "change_password": "3/10m/user",
    "reauthenticate": "10/m/user,20/h/user",
    # Codes of the two-step sign-in, whatever network they come from.
    "second_factor": "5/5m/key,20/h/key,60/d/key",
    # Codes of the authenticator app alone: a new password resets the count above, but not this one.
    "second_factor_of_app": "100/d/key",
    # Wrong codes: the owner is warned when there are more.
    "second_factor_wrong": "10/d/key",
    # Emails to an address that a member adds; after a sign-up through another site, more are
    # silently ignored.
    "add_email": "20/h/ip,3/10m/key",
    "add_email_anywhere": "10/d/key",
    "avatar_upload": "20/h/user",
    "close_account": "10/h/user",
    "take_break": "10/h/user",
    "push_subscribe": "30/h/user",
    "export_my_data": "10/h/user",
    "export_statement": "20/h/user",
    # Friend requests, also to a player whom the member asked before: each refreshes open pages.
    "friend_request": "60/d/user",
    # Messages to support from one network; emails to one mailbox, each with the link to a request,
    # by senders of one network and by all.
    "support": "20/h/ip,60/d/ip",
    "support_mailbox": "5/d/key",
    "support_mailbox_anywhere": "20/d/key",
    "announce": "20/10m/user",
    "top_up": "10/10m/user,50/d/user",
    # Matches against the computer. Anyone can become a new guest at no cost, so guests are counted
    # by network.
    "training": "60/10m/user,500/d/user",
    "guest_training": "30/10m/ip,300/d/ip",
    # Answers to the exercises of the lessons.
    "lesson": "60/m/user",
    "guest_lesson": "120/m/ip",
    # Links to friendly matches, made and accepted.
    "friendly": "60/10m/user,500/d/user",
    "guest_friendly": "30/10m/ip,300/d/ip",
    # Requests for reviews.
    "review": "30/10m/user",
    "guest_review": "10/10m/ip,100/d/ip",
    # Playback, review and files of matches; `match_folds`: requests that have to fold a log.
    "match_pages": "120/m/ip",
    "match_folds": "12/m/ip",
    # Session cookies that belong to no session.
    "unknown_session": "60/m/ip",
    # Leaderboards, statistics, played matches, tournaments, conversations.
    "list_pages": "120/m/ip",
    # The news after a match of a tournament, which its open table asks for again and again.
    "after_match": "600/m/ip",
    # Pages and cards of players, a dozen queries each.
    "player_pages": "240/m/ip",
    # The lists of the lobby, which an open page reads every few seconds.
    "lobby_lists": "300/m/ip",
}
# Email the owner about changes that affect access to the account.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Staff reach the administration only with two-step sign-in (accounts/second_factor/).
STAFF_SECOND_FACTOR = env.switch("STAFF_SECOND_FACTOR", default=not DEMO)
# Hours after which the administration asks staff to confirm who they are; 0: never.
STAFF_SIGN_IN_HOURS = env.int("STAFF_SIGN_IN_HOURS", default=0 if TESTING else 12)
# The site uses only the table of allauth's two-step sign-in. Members with two-step sign-in may add
# an email: our own link confirms the email before it counts.
MFA_ALLOW_UNVERIFIED_EMAIL = True
SOCIALACCOUNT_ADAPTER = "accounts.social.allauth_adapter.SocialAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_STORE_TOKENS = False
# An account from another site may have no email and works without one. An email that is added is
# confirmed by a link of our own (accounts/social/added_email.py).
SOCIALACCOUNT_EMAIL_REQUIRED = False
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_FORMS = {
    "disconnect": "accounts.social.forms.DisconnectSiteForm",
    "signup": "accounts.social.forms.SocialSignUpForm",
}
# Other sites through which people sign in; a test that needs such a site sets it.
SOCIALACCOUNT_PROVIDERS = {} if TESTING else sign_in_sites.providers(env)
if TESTING:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# --- Emails --------------------------------------------------------------------------------------
# Pages only store emails; the worker sends them (accounts/mail/sender.py). A demonstration without
# EMAIL_URL sends none: staff read them on the outbox page.
EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
_email = env.mail_server(
    "EMAIL_URL", default="consolemail://" if PLAIN_HTTP else "smtp://localhost:25"
)
EMAIL_TRANSPORT = _email["EMAIL_BACKEND"]
HAS_EMAIL_URL = bool(env.str("EMAIL_URL", default=""))
SENDS_EMAILS = HAS_EMAIL_URL or not PLAIN_HTTP
EMAIL_HOST = _email["EMAIL_HOST"] or ""
EMAIL_PORT = _email["EMAIL_PORT"] or 25
EMAIL_HOST_USER = _email["EMAIL_HOST_USER"] or ""
EMAIL_HOST_PASSWORD = _email["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS = _email.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _email.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 20  # seconds
DEFAULT_FROM_EMAIL = env.str("FROM_EMAIL", default="") or "5Stars Gammon <no-reply@localhost>"

# --- Terms ---------------------------------------------------------------------------------------
# The operator's name and address, for the terms and the page about data.
OPERATOR = env.str("OPERATOR", default="")
# False: nobody is asked to accept the terms, neither at sign-up nor when they change.
ASK_TO_ACCEPT_TERMS = env.switch("ASK_TO_ACCEPT_TERMS", default=True)

# --- Support -------------------------------------------------------------------------------------
# Other ways to reach us, shown beside the form (chat/support/); each may be empty.
SUPPORT_EMAIL = env.str("SUPPORT_EMAIL", default="")
SUPPORT_FACEBOOK = env.https_url("SUPPORT_FACEBOOK")

# --- Notices -------------------------------------------------------------------------------------
# Signs requests to push services (accounts/notices/vapid.py); nothing is pushed if it is unset.
VAPID_PRIVATE_KEY = (
    ("only-for-tests-" * 3)[:43] if TESTING else env.raw_key("VAPID_PRIVATE_KEY", 32)
)
# The address at which push services can reach the site's owner.
VAPID_CONTACT = env.str("VAPID_CONTACT", default="") or f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}"
# Hosts of push services, by default those of browser makers; `*.` stands for all subdomains.
PUSH_SERVICES = env.keys("PUSH_SERVICES") or [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
    *(["push.example.net"] if TESTING else []),
]
# Push services on loopback: host and port -> file of the certificate authority. Only tests set it.
PUSH_TEST_SERVICES: dict[str, str] = {}

# --- Credits -------------------------------------------------------------------------------------
# Stake above which spectators see a match one turn late, as they see those with a hidden stake; 0:
# they see every match without delay.
WATCH_DELAY_STAKE = env.int("WATCH_DELAY_STAKE", default=500)
# Credits given once to every new member, in parts (wallet/README.md).
WELCOME_CREDITS = env.int("WELCOME_CREDITS", default=1000)
# A gift every GIFT_HOURS for members with less than GIFT_BELOW credits; the first gift of a day
# grows by GIFT_STREAK_CREDITS with each day in a row.
GIFT_CREDITS = env.int("GIFT_CREDITS", default=25)
GIFT_HOURS = env.int("GIFT_HOURS", default=4)
GIFT_BELOW = env.int("GIFT_BELOW", default=250)
GIFT_STREAK_CREDITS = env.int("GIFT_STREAK_CREDITS", default=0)
if GIFT_CREDITS < 1 or GIFT_HOURS < 1 or GIFT_STREAK_CREDITS < 0:
    raise ImproperlyConfigured(
        "GIFT_CREDITS and GIFT_HOURS must be at least 1, GIFT_STREAK_CREDITS at least 0."
    )

# Age that members confirm before the first stake or top-up, in years; 0: nobody is asked.
MINIMUM_AGE = env.int("MINIMUM_AGE", default=18)
# Countries, as two letters of ISO 3166, whose members neither stake nor top up.
COUNTRIES_WITHOUT_STAKES = env.countries("COUNTRIES_WITHOUT_STAKES")
if MINIMUM_AGE < 0:
    raise ImproperlyConfigured("MINIMUM_AGE must be at least 0.")

# --- Payments for credits ------------------------------------------------------------------------
# A provider is on if its API keys are set; the sandbox signs with a key of its own. Tests set the
# providers that they need.
SANDBOX_PAYMENTS = env.switch("SANDBOX_PAYMENTS", default=DEMO)
PAYMENT_PROVIDERS = {} if TESTING else payment_providers.providers(env)
if SANDBOX_PAYMENTS:
    if not DEMO:
        payment_providers.refuse_sandbox_beside(PAYMENT_PROVIDERS)
    PAYMENT_PROVIDERS |= payment_providers.sandbox(_derived_keys("sandbox-payments")[0])

# --- Database ------------------------------------------------------------------------------------
DATABASES = {"default": env.database("DATABASE_URL", sqlite_url(BASE_DIR / "db.sqlite3"))}
_database = DATABASES["default"]
_database["CONN_MAX_AGE"] = 0
if _database["ENGINE"] == "django.db.backends.sqlite3":
    _database["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
    # Each test process has a file: in-memory databases lock when threads of a server share them.
    _database["TEST"] = {
        "NAME": str(Path(tempfile.gettempdir()) / f"gammon-test-{os.getpid()}.sqlite3")
    }
else:
    # Tests run eight or more writing threads beside those of the site.
    _pool_size = env.int("DATABASE_POOL_SIZE", default=30 if TESTING else 12)
    if _pool_size < 2:
        raise ImproperlyConfigured(f"DATABASE_POOL_SIZE is {_pool_size}: it must be at least 2.")
    # The query of the URL, such as `sslmode=verify-full`.
    _given = _database.get("OPTIONS", {})
    _database["OPTIONS"] = {
        **_given,
        "pool": {"min_size": 2, "max_size": _pool_size, "timeout": 10},
        # Executions before a statement is prepared. Only statements with bound values can be
        # prepared (games/match_rows.py).
        "prepare_threshold": 2,
        "options": f"{_given.get('options', '')} -c lock_timeout=5s -c statement_timeout=15s"
        " -c idle_in_transaction_session_timeout=30s",
    }
    _database["TEST"] = {"NAME": f"test_gammon_{os.getpid()}"}

# --- Channel layer and cache ---------------------------------------------------------------------
REDIS_URL = env.str("REDIS_URL", default="")
if TESTING and REDIS_URL:
    # Each test process has its own Redis database, because every test empties the cache.
    REDIS_URL = f"{REDIS_URL.rpartition('/')[0]}/{os.environ.get('PYTEST_XDIST_WORKER', 'gw0')[2:]}"
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "config.sockets.redis_layer.RedisLayer",
            # Redis publishes to the listeners of all databases of a server. Our database's number
            # in the prefix separates sites, and test processes, that share a server. Database 0 has
            # the prefix of earlier versions, whose processes run beside ours during an update.
            "CONFIG": {
                "hosts": [REDIS_URL],
                "prefix": f"asgi{urlsplit(REDIS_URL).path.rstrip('/').removesuffix('/0')}",
            },
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "config.http.failover_cache.FailoverCache",
            "LOCATION": REDIS_URL,
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "config.sockets.memory_layer.MemoryLayer"}}
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            # A full cache drops entries at random, including counters of limits.
            "OPTIONS": {"MAX_ENTRIES": 20_000},
        }
    }
# Rendered parts of pages, cached separately in each process; a part has 1 to 10 KB.
CACHES["pages"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "pages",
    "OPTIONS": {"MAX_ENTRIES": 3000},
}
# Brackets and timelines of tournaments, compressed: 1 to 60 KB each.
CACHES["large_parts"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "large_parts",
    "OPTIONS": {"MAX_ENTRIES": 300},
}
# Pictures of results, about 110 KB each; in the default cache they would displace the counters.
CACHES["pictures"] = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "pictures",
    "OPTIONS": {"MAX_ENTRIES": 200},
}

# --- Languages and time --------------------------------------------------------------------------
LANGUAGE_CODE = "en"
# Each language is named in itself, so that its speakers can read it.
LANGUAGES = [(code, language.name) for code, language in SITE_LANGUAGES.items()]
LOCALE_PATHS = [LOCALE_DIR]
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- Static files --------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if TESTING
        else "config.storage.StaticStorage"
    },
}

# Uploaded avatars, re-encoded by us. Several web machines need one folder that they share.
MEDIA_ROOT = env.str("MEDIA_ROOT", default="") or str(BASE_DIR / "var" / "media")

# --- Safety --------------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        # Browsers also apply it to redirects after a form, such as to another site's page.
        "form-action": [
            SELF,
            *sign_in_sites.form_hosts(SOCIALACCOUNT_PROVIDERS),
            *payment_providers.form_hosts(PAYMENT_PROVIDERS),
        ],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "manifest-src": [SELF],
        "media-src": [SELF],
        "worker-src": [SELF],
    }
}
CSRF_FAILURE_VIEW = "config.views.csrf_failure"
# Maximum bytes of a form without its files. The longest texts that a form takes have a few
# thousand characters, and a payment provider's message up to 256 KiB (`shop/payments/webhooks.py`).
DATA_UPLOAD_MAX_MEMORY_SIZE = 512 * 1024
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
DEVICE_COOKIE_NAME = "device"  # accounts/signin/known_devices.py
ORIGIN_COOKIE_NAME = "origin"  # accounts/sessions/origins.py
VISITOR_COOKIE_NAME = "visitor"  # accounts/sessions/visitors.py
SESSION_COOKIE_AGE = 180 * 24 * 3600  # renewed by accounts/sessions/middleware.py
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
if not PLAIN_HTTP:
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    DEVICE_COOKIE_NAME = "__Host-device"
    ORIGIN_COOKIE_NAME = "__Host-origin"
    VISITOR_COOKIE_NAME = "__Host-visitor"
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = env.switch("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=365 * 24 * 3600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.switch("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=True)
    SECURE_HSTS_PRELOAD = env.switch("SECURE_HSTS_PRELOAD", default=True)
    if PROXY_COUNT:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- End of a process ----------------------------------------------------------------------------
# Seconds for which a web process that was asked to stop still serves, while /readyz answers 503: as
# long as a load balancer needs to notice. 0 in a demonstration.
DRAIN_S = env.float("DRAIN_S", default=0.0 if PLAIN_HTTP else 5.0)

# --- Nightly commands ----------------------------------------------------------------------------
# Time of day (UTC) at which a worker runs them (config/background/nightly.py); None: never.
NIGHTLY_AT = env.time_of_day("NIGHTLY_AT", default="off" if TESTING else "03:30")

# --- Metrics for Prometheus ----------------------------------------------------------------------
# Host and port on which each process serves its metrics; "" for none (config/metrics/).
METRICS_BIND = env.host_and_port("METRICS_BIND")

# --- Logs ----------------------------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "ids": {"()": "config.logs.AddIds"},
        "clients": {"()": "config.logs.ClientsFaults"},
    },
    "formatters": {
        "json": {"()": "config.logs.JsonFormatter"},
        "text": {
            "class": "config.logs.TextFormatter",
            "format": "{asctime} {levelname} {name} [{request_id} {user} {match}] {message}",
            "style": "{",
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["ids", "clients"],
            "formatter": env.choice(
                "LOG_FORMAT", ("json", "text"), default="text" if PLAIN_HTTP else "json"
            ),
        }
    },
    "root": {
        "handlers": ["console"],
        "level": env.choice("LOG_LEVEL", logging.getLevelNamesMapping(), default="INFO"),
    },
    "loggers": {
        "django": {"level": "INFO", "handlers": [], "propagate": True},
        "django.server": {"level": "INFO", "handlers": [], "propagate": True},
        "daphne": {"level": "WARNING"},
        # A missing page is not an error of the site.
        "django.request": {"level": "ERROR"},
    },
}

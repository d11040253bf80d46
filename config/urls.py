"""Every URL of the site. Public pages have their language in the URL, others do not."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path

from accounts.urls import people_urlpatterns
from config import health, personal_data, views
from config.http import crawlers, offline
from config.law import views as law_views
from config.manual import views as manual_views
from games.lessons import views as lesson_views
from games.rulebook import views as rulebook_views

urlpatterns = [
    path("admin/", admin.site.urls),
    path("settings/language/", views.set_language, name="set_language"),
    path("settings/theme/", views.set_theme, name="set_theme"),
    path("header/", views.header, name="header"),
    path("jsi18n/", views.catalog, name="jsi18n"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("sw.js", offline.service_worker, name="service_worker"),
    path("offline/", offline.offline, name="offline"),
    path("robots.txt", crawlers.robots, name="robots"),
    path("sitemap.xml", crawlers.sitemap, name="sitemap"),
    path("whats-new/", views.whats_new, name="whats_new"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("", include("games.urls")),
    path("account/", include("accounts.urls")),
    path("profile/export/", personal_data.export_my_data, name="export_my_data"),
    path("", include((people_urlpatterns, "people"))),
    path("credits/", include("wallet.urls")),
    path("shop/", include("shop.urls")),
    path("chat/", include("chat.urls")),
    path("support/", include("chat.support.urls")),
    path("play/", include("lobby.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("", include("stats.urls")),
    *i18n_patterns(
        path("", views.home, name="home"),
        path("about/", views.about, name="about"),
        path("terms/", law_views.page, {"name": "terms"}, name="terms"),
        path("privacy/", law_views.page, {"name": "privacy"}, name="privacy"),
        path("fair-play/", law_views.page, {"name": "fair_play"}, name="fair_play"),
        path(
            "responsible-play/",
            law_views.page,
            {"name": "responsible_play"},
            name="responsible_play",
        ),
        path("rules/short/", rulebook_views.rules, {"variant": "short"}, name="rules_short"),
        path("rules/long/", rulebook_views.rules, {"variant": "long"}, name="rules_long"),
        path("manual/", manual_views.contents, name="manual"),
        path("manual/<slug:slug>/", manual_views.chapter, name="manual_chapter"),
        path("lessons/short/", lesson_views.lessons, {"variant": "short"}, name="lessons_short"),
        path("lessons/long/", lesson_views.lessons, {"variant": "long"}, name="lessons_long"),
        path(
            "lessons/short/<slug:name>/",
            lesson_views.lesson,
            {"variant": "short"},
            name="lesson_short",
        ),
        path(
            "lessons/long/<slug:name>/",
            lesson_views.lesson,
            {"variant": "long"},
            name="lesson_long",
        ),
    ),
]

handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"
# Not a handler of Django: allauth calls it.
handler429 = "accounts.shared.rate_limits.too_many"

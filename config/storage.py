"""Static files under hashed names, imports between our own ES modules included."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django's switch for this rewrites every package's scripts and breaks on some of them, so its
# pattern is applied to static/js alone. The name is private: tests/config guards it.
_, MODULE_IMPORTS = ManifestStaticFilesStorage._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class StaticStorage(CompressedManifestStaticFilesStorage):
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_IMPORTS))

"""Static files under hashed names, including the imports between our own ES modules."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django's switch `support_js_module_import_aggregation` rewrites every package's scripts and breaks
# on some of them, so its pattern is applied to static/js alone. The pattern's name is private: a
# test in tests/config guards it.
_, MODULE_IMPORTS = ManifestStaticFilesStorage._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class StaticStorage(CompressedManifestStaticFilesStorage):
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_IMPORTS))

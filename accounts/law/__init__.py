"""The versions of the site's terms, and who accepted which."""

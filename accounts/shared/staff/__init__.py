"""Staff actions, read-only pages of the admin, and lines of its log, for all apps."""

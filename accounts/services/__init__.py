"""Writers of accounts; each service writes in one transaction."""

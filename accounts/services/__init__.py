"""The ledger's writers. Each refuses to run outside a transaction; the wallet is locked last."""

"""The ledger's writers. Each refuses to run outside a transaction; wallet locks come last."""

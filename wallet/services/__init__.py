"""The services that write the ledger. Each needs a transaction; wallet locks come last."""

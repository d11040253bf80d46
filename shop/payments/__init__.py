"""Top-ups: packs of credits, payments through providers, receipts, refunds and disputes."""

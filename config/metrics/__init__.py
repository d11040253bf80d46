"""Figures of a process for Prometheus, on an address of their own."""

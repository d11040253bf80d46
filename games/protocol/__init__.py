"""The table's socket protocol: frames from clients, frames to them."""

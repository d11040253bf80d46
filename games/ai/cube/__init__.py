"""The cube and resignations: decisions at any score."""

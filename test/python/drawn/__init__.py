"""Drawn calls of the mover: record lists, operands that lie anywhere, ways to run them, and what must come out."""

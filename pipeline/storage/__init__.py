"""Atomic files and folders, tables, locks and strict readers; nothing specific to IR."""

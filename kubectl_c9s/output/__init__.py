"""Printers, reports and safe text: what leaves the program."""

"""Checks of objects and of what holds between them, offline: pure, one rule file a subject."""

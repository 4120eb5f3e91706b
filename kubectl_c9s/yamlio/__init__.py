"""YAML in and out, safe for the readers of the field; pure."""

"""A start in the mind: gates, recorded stage times and chance, to a forecast; pure."""

"""Pure: recorded starts, their distributions, metrics of two moments, schedules and comparisons (measurement.md)."""

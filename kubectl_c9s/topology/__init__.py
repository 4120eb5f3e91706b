"""From a containerlab definition to standalone objects; pure."""

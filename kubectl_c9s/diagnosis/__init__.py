"""From a snapshot to findings: who blocks, who holds a slot, why, and what to do; pure."""

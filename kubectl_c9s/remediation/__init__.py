"""Pure: episodes of workloads that are stuck; attempts to help them will be decided here (remediation.md §9)."""

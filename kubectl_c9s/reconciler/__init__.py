"""The process in the cluster: watches in, decisions of the pure rooms, writes out (policy.md)."""

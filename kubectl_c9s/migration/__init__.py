"""Manifests of older releases as today's: what changes, what is lost, what a person has to decide."""

"""What pages are played with: the tool as installed, programs, and a cluster of their own."""

from __future__ import annotations

from cluster_plugin import page_bed, page_cluster
from door_kustomize import kustomize
from page_fixtures import player

__all__ = ["kustomize", "page_bed", "page_cluster", "player"]

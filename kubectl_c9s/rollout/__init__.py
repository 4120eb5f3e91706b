"""The rollout policy: gates, patches, impact of a change, simulation; pure."""

"""The shell for local files: a directory of ours is compared, and replaced in one step."""

"""What every room knows: names, schemas, findings, errors; pure, and nothing of ours below it."""

"""What the rules ask for: files, settings and the key of each step."""

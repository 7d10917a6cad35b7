"""The input check: errors and warnings about runs, labels, topics and teams."""

"""Labels met with rankings: all a measure sees."""

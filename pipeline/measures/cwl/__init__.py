"""C/W/L: measures as users who go down a ranking, declared by when they go on (config/CWL.md)."""

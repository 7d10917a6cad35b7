"""C/W/L: measures as users who read down a ranking and continue with probability C(i)."""

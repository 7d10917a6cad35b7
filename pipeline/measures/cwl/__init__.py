"""C/W/L: measures as users who read down a ranking, declared by C(i) (docs/explanations/cwl.md)."""

"""Side-by-side benchmarks: ratios measured in one interleaved run, never a timed test."""

"""What systems said: run files read and ranked once, and systems fused from them."""

"""Tables of malformed input, each with its exact sentence. In a sentence FILE is the path, URL the
address, LOW and HIGH what the test fills in."""

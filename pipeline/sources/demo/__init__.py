"""The embedded demo: what its pages say, its systems find, and its people answer, all planned."""

"""The H framework: synthetic systems, and the systems of CLEF eHealth."""

"""The embedded demo campaign: planned pages, systems, labels and user feedback."""

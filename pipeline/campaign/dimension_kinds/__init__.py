"""Where a dimension's labels come from: one declared kind a module."""

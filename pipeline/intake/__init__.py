"""What is wrong or odd with what was handed in."""

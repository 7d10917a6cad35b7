"""The C/W/L tutorial: user models as users, and their charts."""

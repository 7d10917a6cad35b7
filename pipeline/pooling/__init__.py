"""What assessors should judge, in what form they get it, and what a pool covers."""

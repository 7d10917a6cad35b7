"""What assessors said: scales, label files and tables, topics, costs of documents."""

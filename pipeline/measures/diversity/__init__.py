"""Measures of diversity: a list is worth what it holds for each of the topic's subtopics."""

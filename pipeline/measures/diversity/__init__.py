"""Measures of diversity: the value of a ranking for each of the topic's subtopics."""

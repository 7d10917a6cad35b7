"""What other judgements would have made of the results."""

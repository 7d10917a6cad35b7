"""How results depend on the judgements: agreement, sensitivity, reusability, variations."""

"""What people said of the results, against what each measure says: is the evaluation good?"""

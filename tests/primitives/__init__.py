"""The words, operators, folds and steps, one by one, against slow twins."""

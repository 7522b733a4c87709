"""What once went wrong, found by somebody who meant it: one test for each."""

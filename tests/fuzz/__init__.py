"""Files that nobody would write: mutations of every kind of file, and what may come of them.

    seeds       the files to begin with, each in the folder it is read in
    tokens      texts cut into tokens, nodes and blocks, and put together again
    mutation    a file mutated by its grammar; `odd` does it by characters and bytes
    reading     what reads a file of a kind, as the commands do
    laws        what every finding must be like, whatever was read
    shrinking   a file that breaks a law made small
    fuzzing     many mutated files, and each fault once

A fault becomes a case of `tests/regressions/test_fuzzed.py`.
"""

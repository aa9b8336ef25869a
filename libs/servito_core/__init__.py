"""The rules of poker all'italiana, pure: no I/O, clock, randomness or logging, and nothing outside the
standard library.

`cards`, `values` and `rules` are the vocabulary everybody shares; `ranking` and `openers` are the plain
definition of what a hand is worth, which the engine itself never imports (the table asks the evaluator
service).
"""

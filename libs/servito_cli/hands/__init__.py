"""`servito hand list` and `servito hand show`: the recent hands of a table.

Here: the list, and a hand as a transcript. Its sentences are those of every told hand (`servito_cli.story`).
"""

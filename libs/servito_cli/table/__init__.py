"""Tables for people: `servito tables` lists them, `servito watch` draws one and keeps it current.

Here: where a system is found (reaching.py), the list (listing.py), the drawn table (places.py, seats.py,
picture.py), what happened last (log.py), and the command that joins them with a stream (watching.py). Not
here: playing (`servito_cli.play`), sentences (`servito_cli.texts`)."""

from __future__ import annotations

"""`servito hand replay` and `servito audit export`: archived hands, folded again and written out.

Here: the archive's address, the auditor's key, files and printing. What is compared, and how, is
`servito_replay`; how an archive is read, `servito_history`.
"""

from __future__ import annotations

"""An independent witness of what is stored: reads tables, waits and the money journal, and counts the chips.

Here: reading the state server partition by partition (`stored`), the chips that are in play (`chips`), hands
that stand still (`hands`), by key names and the stored form (protos/servito/table/v1/store.proto) alone. Not
here: the code that writes any of it, which a witness must not trust. For the timers' look and for whoever
looks from outside (the local system, the doctor).
"""

from __future__ import annotations

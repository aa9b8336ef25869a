"""Whether the user of an address may use the channels of wake-ups: a new ACL user has no channel by default.

Asked of the server itself, in a script that publishes nothing: `redis.acl_check_cmd` judges by the user who
runs it. Without the right to tell or to hear, watchers learn of other processes' commits by the look around
only. Changes with keys.py (wakeups), ear.py and the table's commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from servito_platform.safety.names import Risk, Unsafe

if TYPE_CHECKING:
    import redis

    from servito_platform.keys import Keys

_REFUSED: Final = """
local refused = 0
for _, channel in ipairs(ARGV) do
  for _, command in ipairs({ 'SPUBLISH', 'SSUBSCRIBE' }) do
    local words = command == 'SPUBLISH' and { command, channel, '' } or { command, channel }
    if not redis.acl_check_cmd(unpack(words)) then
      refused = refused + 1
    end
  end
end
return refused
"""


def judge_channels(client: redis.Redis, keys: Keys, what: str) -> Iterator[Unsafe]:
    """The risk, if any partition's channel is closed to us; redis errors where the server does not answer."""
    channels = [keys.wakeups(partition) for partition in range(keys.partitions)]
    refused: Any = client.eval(_REFUSED, 0, *channels)
    if refused:
        yield Unsafe(Risk.WAKE_CLOSED, what)

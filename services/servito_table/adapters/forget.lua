#!lua
-- Drops a deadline whose wait is over, so that the timers stop naming it.
--
-- KEYS[1]  hash  {pNNN}:t:<table>    see commit.lua
-- KEYS[2]  zset  {pNNN}:deadlines    see commit.lua
-- ARGV[1]  member <table>:<name>     ARGV[2]  name of the wait
--
-- Returns 1 if the wait is over (or the table unknown), 0 if it goes on and its deadline stays.
local held = redis.call('HMGET', KEYS[1], 'member', 'waits')
if held[1] == ARGV[1] or string.find(' ' .. (held[2] or ''), ' ' .. ARGV[2] .. '=', 1, true) then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[1])
return 1

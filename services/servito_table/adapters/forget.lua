#!lua
-- Drops a deadline whose turn is over, so that the timers stop naming it.
--
-- KEYS[1]  hash  {pNNN}:t:<table>    see commit.lua
-- KEYS[2]  zset  {pNNN}:deadlines    see commit.lua
-- ARGV[1]  member <table>:<turn>
--
-- Returns 1 if the turn is over (or the table unknown), 0 if it is the current one and its deadline stays.
if redis.call('HGET', KEYS[1], 'member') == ARGV[1] then
  return 0
end
redis.call('ZREM', KEYS[2], ARGV[1])
return 1

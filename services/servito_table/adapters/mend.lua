#!lua
-- Puts deadlines back that tables wait for and the timers would not find; whatever took them away.
--
-- KEYS[1]  zset  {pNNN}:deadlines              see commit.lua
-- KEYS[2...]  hash  {pNNN}:t:<table>           see commit.lua; all of one partition
-- ARGV[i]  the table's id of KEYS[i + 1]
--
-- Returns how many were put back. One that is there is left as it is: its score may be the end of a lease.
local lost = 0
for i = 2, #KEYS do
  local held = redis.call('HMGET', KEYS[i], 'deadline', 'member', 'waits')
  if tonumber(held[1] or 0) > 0 then
    lost = lost + redis.call('ZADD', KEYS[1], 'NX', held[1], held[2])
  end
  for name, ends in string.gmatch(held[3] or '', '(%S+)=(%d+) ') do
    lost = lost + redis.call('ZADD', KEYS[1], 'NX', ends, ARGV[i - 1] .. ':' .. name)
  end
end
return lost

#!lua
-- Throws away what the history has, each entry only if it still is what was read: after a failover another one may have
-- its id. Chips that a thrown away entry of the journal moved are carried: journal and carried together always tell
-- what every table should hold.
--
-- KEYS[1]  stream  {pNNN}:audit     see take.lua
-- KEYS[2]  stream  {pNNN}:journal   see take.lua
-- KEYS[3]  string  {pNNN}:drain     given back if it is the worker's
-- KEYS[4]  hash    {pNNN}:carried   chips by table id; a table with none is not in it
-- ARGV[1]  worker                   ARGV[2]  how many of the audit; for each of these its id and '<table> <version> <lineage>'
-- then of the journal, for each: its id, its field j, table id, amount
--
-- Returns how many of both were thrown away. Safe to run again: what is gone is passed over.
local function fields(stream, id)
  local found, told = redis.call('XRANGE', stream, id, id)[1], {}
  if found then
    for i = 1, #found[2], 2 do
      told[found[2][i]] = found[2][i + 1]
    end
  end
  return told
end

local gone = 0
local journal = 3 + 2 * ARGV[2]
for i = 3, journal - 1, 2 do
  local told = fields(KEYS[1], ARGV[i])
  if told.t and told.t .. ' ' .. told.v .. ' ' .. told.l == ARGV[i + 1] then
    gone = gone + redis.call('XDEL', KEYS[1], ARGV[i])
  end
end
for i = journal, #ARGV, 4 do
  if fields(KEYS[2], ARGV[i]).j == ARGV[i + 1] then
    gone = gone + redis.call('XDEL', KEYS[2], ARGV[i])
    if redis.call('HINCRBY', KEYS[4], ARGV[i + 2], ARGV[i + 3]) == 0 then
      redis.call('HDEL', KEYS[4], ARGV[i + 2])
    end
  end
end
if redis.call('GET', KEYS[3]) == ARGV[1] then
  redis.call('DEL', KEYS[3])
end
return gone

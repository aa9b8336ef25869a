#!lua
-- Throws away what the history has, and only if it still is what was read: after a failover another entry may have the
-- id of one that was lost. Chips that a thrown away entry of the journal moved are carried: journal and carried together
-- always tell what every table should hold.
--
-- Of the audit stream only the last entry that was read is compared. A failover and a server that comes back lose the end
-- of what was written and nothing before it, a lineage is a random number, and ids of a stream only grow: where that
-- entry still stands, all that stand before it are those that were read, or came back after they had been archived.
--
-- KEYS[1]  stream  {pNNN}:audit     fields t table id, v version, l lineage, and others; see the table's commit.lua
-- KEYS[2]  stream  {pNNN}:journal   field j JournalEntry, and others
-- KEYS[3]  string  {pNNN}:drain     given back if it is the worker's
-- KEYS[4]  hash    {pNNN}:carried   chips by table id; a table with none is not in it
-- ARGV[1]  worker
-- ARGV[2]  id of the last entry of the audit, '' for none       ARGV[3]  its '<table> <version> <lineage>'
-- ARGV[4]  0: all before it goes too; otherwise so many do, because others stay, and their ids follow
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
local journal = 5 + ARGV[4]
if ARGV[2] ~= '' then
  local told = fields(KEYS[1], ARGV[2])
  if told.t and told.v and told.l and told.t .. ' ' .. told.v .. ' ' .. told.l == ARGV[3] then
    if ARGV[4] == '0' then
      gone = redis.call('XTRIM', KEYS[1], 'MINID', ARGV[2])
    end
    for i = 5, journal - 1 do
      gone = gone + redis.call('XDEL', KEYS[1], ARGV[i])
    end
    gone = gone + redis.call('XDEL', KEYS[1], ARGV[2])
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

#!lua
-- Takes what a partition has for the history, for as long as the lease lasts; takes nothing away.
--
-- KEYS[1]  stream  {pNNN}:audit     commits with events; fields t table id, v version, l lineage, p the one before, and others
-- KEYS[2]  stream  {pNNN}:journal   movements of money; fields j JournalEntry, l lineage (older entries have none)
-- KEYS[3]  string  {pNNN}:drain     who drains the partition now
-- ARGV[1]  worker    ARGV[2]  lease in ms    ARGV[3]  how many entries of each
--
-- Returns entries of both as XRANGE does; nothing where another worker drains, or nothing waits.
local holder = redis.call('GET', KEYS[3])
if holder and holder ~= ARGV[1] then
  return {}
end
local audit = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[3])
local journal = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', ARGV[3])
if #audit == 0 and #journal == 0 then
  return {}
end
redis.call('SET', KEYS[3], ARGV[1], 'PX', ARGV[2])
return { audit, journal }

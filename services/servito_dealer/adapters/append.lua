-- Appends elements to the record of a hand, all or none, if the record still ends where the caller thinks it does.
--
-- KEYS[1]  list    {pNNN}:d:<hand>   sealed elements: the seed and opening, then entry 0, entry 1, ...
-- ARGV[1]  how many elements the caller knows; 0: it means to open the hand
-- ARGV[2]  the last element that it knows; empty when it knows none. No two elements are equal, so this one stands for
--          all before it
-- ARGV[3]  ms after which the record is forgotten
-- ARGV[4]  the element to append; ARGV[5], if there is one, the next
--
-- Returns {1} when they were appended; else {0, element, element, ...}: everything that is stored ({0}: nothing is). Who
-- finds his hand opened before lengthens its life: a write, so that replicas can be asked whether they have what it found.
local length = redis.call('LLEN', KEYS[1])
if length == tonumber(ARGV[1]) and (length == 0 or redis.call('LINDEX', KEYS[1], -1) == ARGV[2]) then
  redis.call('RPUSH', KEYS[1], unpack(ARGV, 4))
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return { 1 }
end
if ARGV[1] == '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local reply = redis.call('LRANGE', KEYS[1], 0, -1)
table.insert(reply, 1, 0)
return reply

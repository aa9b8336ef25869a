#!lua
-- Writes or forgets a template, unless somebody else wrote it since it was read.
--
-- KEYS[1]  hash  templates   by template id: '<number of the write>' LF StoredTemplate
-- ARGV[1]  template id       ARGV[2]  number of the write that was read, '0' for none
-- ARGV[3]  what to store, '' to forget it
--
-- Returns 1, or 0 with nothing changed.
local held = redis.call('HGET', KEYS[1], ARGV[1])
local number = held and string.match(held, '^(%d+)\n') or '0'
if number ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1

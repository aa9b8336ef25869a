#!lua
-- Turns maintenance on or off, unless it is so already.
--
-- KEYS[1]  stream  {maintenance}:changes   an entry for each change: on ('1' or '0'), by, why; the last one holds now
-- KEYS[2]  string  {maintenance}:asked     who asked last; for a minute
-- ARGV[1]  '1' or '0'     ARGV[2]  who     ARGV[3]  why     ARGV[4]  about how many changes are kept
--
-- Returns server ms, and the entry that holds now, or false where there never was one. Something is written in any case:
-- an acknowledgement by replicas speaks of what was written.
redis.call('SET', KEYS[2], ARGV[2], 'PX', 60000)
local function last()
  return redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1] or false
end
local held = last()
if (held and held[2][2] or '0') ~= ARGV[1] then
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], '*', 'on', ARGV[1], 'by', ARGV[2], 'why', ARGV[3])
  held = last()
end
local time = redis.call('TIME')
return { time[1] * 1000 + math.floor(time[2] / 1000), held }

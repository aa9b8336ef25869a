#!lua
-- Reads the latest changes of maintenance.
--
-- KEYS[1]  stream  {maintenance}:changes   see maintenance.lua
-- ARGV[1]  how many
--
-- Returns server ms, and the entries, newest first.
local time = redis.call('TIME')
return { time[1] * 1000 + math.floor(time[2] / 1000), redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[1]) }

#!lua flags=no-writes
-- The versions of tables.
--
-- KEYS[1...]  hash  {pNNN}:t:<table>   see commit.lua; all of one partition
--
-- Returns version and lineage of each, one after the other; 0 and 0 for a table that does not exist.
local versions = {}
for i = 1, #KEYS do
  local at = redis.call('HMGET', KEYS[i], 'v', 'l')
  versions[2 * i - 1] = tonumber(at[1] or 0)
  versions[2 * i] = tonumber(at[2] or 0)
end
return versions

#!lua flags=no-writes
-- The versions of tables.
--
-- KEYS[1...]  hash  {pNNN}:t:<table>   see commit.lua; all of one partition
--
-- Returns their versions, 0 for a table that does not exist.
local versions = {}
for i = 1, #KEYS do
  versions[i] = tonumber(redis.call('HGET', KEYS[i], 'v') or 0)
end
return versions

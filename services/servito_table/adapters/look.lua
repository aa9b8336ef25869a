#!lua flags=no-writes
-- Reads a table, unless it is still at the version that the reader has, of the same lineage; a request is looked up first.
--
-- KEYS[1]  hash  {pNNN}:t:<table>   see commit.lua
-- KEYS[2], KEYS[3]  lists of the player's requests, see commit.lua; left out without a request
-- ARGV[1]  '<version> <lineage>' that the reader has, '0 0' for none
-- ARGV[2]  request id, '' for none     ARGV[3]  fingerprint
--
-- Returns {'saved', answer}; {'reused'}; {'none'} (no such table); {'same', now}; or
-- {'moved', now, version, started, deadline, state, waits, lineage, b}.
if ARGV[2] ~= '' then
  local prefix = ARGV[2] .. '\n'
  local text = #prefix
  for list = 2, 3 do
    for _, entry in ipairs(redis.call('LRANGE', KEYS[list], 0, -1)) do
      if string.sub(entry, 1, text) == prefix then
        if string.sub(entry, text + 1, text + 16) == ARGV[3] then
          return { 'saved', string.sub(entry, text + 17) }
        end
        return { 'reused' }
      end
    end
  end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = redis.call('HMGET', KEYS[1], 'v', 'l')
if not at[1] then
  return { 'none' }
end
local version, lineage = at[1], at[2] or '0'
if version .. ' ' .. lineage == ARGV[1] then
  return { 'same', now }
end
local held = redis.call('HMGET', KEYS[1], 'started', 'deadline', 's', 'waits', 'b')
return { 'moved', now, tonumber(version), tonumber(held[1]), tonumber(held[2]), held[3], held[4] or '', lineage,
  held[5] or '0' }

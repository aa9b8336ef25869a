#!lua flags=no-writes
-- Reads a table, unless it is still at the version that the reader has, of the same lineage; a request is looked up first.
--
-- KEYS[1]  hash  {pNNN}:t:<table>   see commit.lua
-- KEYS[2]  list of the player's requests, see commit.lua; left out without a request
-- ARGV[1]  '<version> <lineage>' that the reader has, '0 0' for none
-- ARGV[2]  request id, '' for none     ARGV[3]  fingerprint     ARGV[4]  field of the player's acts, see commit.lua
--
-- Returns {'saved', answer}; {'reused'}; {'none'} (no such table); {'same', now}; or
-- {'moved', now, version, started, deadline, state, waits, lineage, b}.
if ARGV[2] ~= '' then
  local acts = redis.call('HGET', KEYS[1], ARGV[4]) or ''
  local _, id = string.find(acts, '\n' .. ARGV[2] .. ' ', 1, true)
  local saved = id and string.match(acts, '^(.-)\n', id + 1)
  local prefix = ARGV[2] .. '\n'
  local text = #prefix
  for _, entry in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    if string.sub(entry, 1, text) == prefix then
      saved = string.sub(entry, text + 1)
    end
  end
  if saved then
    if string.sub(saved, 1, 16) == ARGV[3] then
      return { 'saved', string.sub(saved, 17) }
    end
    return { 'reused' }
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

#!lua
-- Whether a commit that moved money is there; if so the table is written to, so that replicas can be asked whether they
-- have it too. It is named by the request that made it, or by its version and its moment.
--
-- KEYS[1]  hash  {pNNN}:t:<table>
-- KEYS[2]  list  {pNNN}:r:<table>:<player>, with a request; without one the stream {pNNN}:e:<table>. See commit.lua
-- ARGV[1]  request id, '' for none
-- ARGV[2]  fingerprint of the request; without one the moment of the commit, in server ms
-- ARGV[3]  version that the commit made; not looked at with a request
--
-- Returns 1 or 0. The write changes nothing; it is what makes an acknowledgement mean something, because it comes after
-- the commit on the same server and on the connection that then asks for the acknowledgement.
local found = false
if ARGV[1] ~= '' then
  local entry = ARGV[1] .. '\n' .. ARGV[2]
  for _, held in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    found = found or string.sub(held, 1, #entry) == entry
  end
else
  local id = ARGV[3] .. '-0'
  for _, held in ipairs(redis.call('XRANGE', KEYS[2], id, id)) do
    for i = 1, #held[2], 2 do
      found = found or (held[2][i] == 'n' and held[2][i + 1] == ARGV[2])
    end
  end
end
local version = redis.call('HGET', KEYS[1], 'v')
if found and version then
  redis.call('HSET', KEYS[1], 'v', version)
  return 1
end
return 0

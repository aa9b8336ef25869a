#!lua
-- Makes one decision about a table true, in one step, or changes nothing and says why.
--
-- KEYS[1]  hash    {pNNN}:t:<table>     v version; l its lineage; s state; turn; b the lineage of the version that began it;
--                                       started and deadline of the turn in server ms
--                                       (deadline 0: none); member: its name in KEYS[2], '' for none; waits: those
--                                       beside the turn, each '<name>=<deadline> ' in server ms. A name is a letter and
--                                       a number, that of a turn its number. a:<player>: his latest acts, which are
--                                       requests that name their turn, newest first: for each a line feed, request id,
--                                       a blank, 16 characters of fingerprint, the answer; then another line feed, all
--                                       of it cut off at 300 bytes. They come one after the other, and would change
--                                       nothing if they were forgotten
-- KEYS[2]  zset    {pNNN}:deadlines     member <table>:<name of a wait>, score = due or claimed until, in server ms
-- KEYS[3]  stream  {pNNN}:e:<table>     one entry per commit, id <version>-0: c commit, l lineage, n now, t started,
--                                       d deadline
-- KEYS[4]  stream  {pNNN}:journal       one entry for each movement of money: j; l as in KEYS[3]
-- KEYS[5]  zset    {pNNN}:tables        every table of the partition that is not closed, scored 0
-- KEYS[6]  channel {pNNN}:wake          told "<table> <version> <origin>" after the commit
-- KEYS[7]  string  {pNNN}:sweep         when the deadlines were swept last, and the latest outage; see claim.lua
-- KEYS[8]  stream  {pNNN}:audit         one entry for each commit, in their order: t table id, v version, l lineage, p that of the version before (0: none), e what everybody
--                                       may know of it, s the rest under the auditor's seal, where there is any. It is
--                                       emptied by whoever has stored it elsewhere; nothing else trims it
-- KEYS[9]  list    {pNNN}:r:<table>:<player>  latest requests of the player but for acts, newest first: request id, a line
--                                       feed, 16 characters of fingerprint, the answer; left out without a request. The latest 64
--                                       are kept, for a quarter of an hour after the last one
-- KEYS[last] zset  {pNNN}:closed        every closed table of the partition, scored 0; given by the commit alone that
--                                       closes the table, which moves there; its stream lives for another day, its
--                                       state for a week
--
-- ARGV[1]  '<version> <lineage>' that was decided on              ARGV[2]  state         ARGV[3]  commit, for the stream
-- ARGV[4]  fence: 'none'; 'action' (the time is not up); 'expiry' (it is); 'turn' (it is, for a player's clock, and no
--          outage is to blame); 'again' (it is, and one is): see below
-- ARGV[5]  '<grace> <outage>': grace for 'action', and for how long nobody sweeps in an outage, in ms
-- ARGV[6]  name of the wait of the fence    ARGV[7]  turn from now on
-- ARGV[8]  'keep' the wait, or ms until its deadline, 0 for none   ARGV[9]  table id
-- ARGV[10] request id, '' for none          ARGV[11] fingerprint   ARGV[12] answer
-- ARGV[13] field of the player's acts, 'a:<player>'; '' without a request
-- ARGV[14] '1' where the request is an act
-- ARGV[15] origin: who commits, for the wake-up                   ARGV[16] lineage of the version that is made
-- ARGV[17] e of the audit entry, '' for none                        ARGV[18] its s, '' for none
-- ARGV[19] of how many entries the audit stream must have fewer, 0: it may have any number
-- ARGV[20] where a hand begins, who sits, each name with a blank before and behind it: others' acts are forgotten; else ''
-- ARGV[21] how many waits beside the turn begin or end; then for each: its name, ms until its deadline (0: it ends)
-- ARGV[22 + 2 * ARGV[21]...] entries for the journal
--
-- Returns {'ok', now, started, deadline, waits}; or, with nothing changed: {'saved', answer} (the request was carried
-- out before), {'reused'} (its id was, with other content), {'moved', now, version, started, deadline, state, waits,
-- lineage, b} (another version is current), {'late', now, deadline}, {'early', now, deadline}, {'spared', now, whole, left},
-- {'behind', now, entries} (of the audit stream too many wait to be stored elsewhere). Looked at in this order.
--
-- A version's lineage is a random number of the commit that made it. A failover may lose the latest commits, and versions
-- and turns are given out again: by their lineages those of before are told from those of now (0: made by a release that
-- knew none). Since each commit is made on a version of that lineage and no other, a lineage stands for all before it.
--
-- An outage is a time in which nobody swept, so that players may have been unable to act. The clock of a turn that ran
-- through one and is up is not ended ('spared'; whole, left: ms with which it began, and that it showed when the outage
-- did) but given back its time, once: that begins the clock anew, after the outage. Until then an act in that turn is
-- not late. While an outage goes on nobody's clock is ended that was not up before. A sweep is noted once a second, and
-- what the last one claimed may have come to nothing: so clocks count that were up for less than a second.
-- Numbers below 10^14, as all of these are, Lua writes out as they are.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held = redis.call('HMGET', KEYS[1], 'v', 'turn', 'started', 'deadline', 'member', 'waits', 'l', 'b', ARGV[13])

local request, acts = ARGV[10], held[9] or '\n'
if request ~= '' then
  local _, id = string.find(acts, '\n' .. request .. ' ', 1, true)
  local saved = id and string.match(acts, '^(.-)\n', id + 1)
  local prefix = request .. '\n'
  local text = #prefix
  for _, entry in ipairs(redis.call('LRANGE', KEYS[9], 0, -1)) do
    if string.sub(entry, 1, text) == prefix then
      saved = string.sub(entry, text + 1)
    end
  end
  if saved then
    if string.sub(saved, 1, 16) == ARGV[11] then
      return { 'saved', string.sub(saved, 17) }
    end
    return { 'reused' }
  end
end

local version, lineage = held[1] or '0', held[7] or '0'
local started, deadline, member = tonumber(held[3] or 0), tonumber(held[4] or 0), held[5] or ''
local waits = held[6] or ''
if version .. ' ' .. lineage ~= ARGV[1] then
  local state = redis.call('HGET', KEYS[1], 's')
  return { 'moved', now, tonumber(version), started, deadline, state, waits, lineage, held[8] or '0' }
end

-- What an outage did to the clock of the turn: nil for nothing; 'on' while it lasts; ms that were left when it began.
local function outage()
  local at, from, to = string.match(redis.call('GET', KEYS[7]) or '', '^(%d+) ?(%d*) ?(%d*)$')
  at, from, to = tonumber(at), tonumber(from), tonumber(to)
  if at and now - at > tonumber(string.match(ARGV[5], '%d+$')) and deadline > at - 1000 then
    return 'on'
  end
  if to and started < to and deadline > from - 1000 then
    return math.max(0, deadline - math.max(started, from))
  end
end

if ARGV[4] ~= 'none' then
  local of_turn, ends = held[2] == ARGV[6], deadline
  if not of_turn then
    ends = tonumber(string.match(' ' .. waits, ' ' .. ARGV[6] .. '=(%d+) ') or 0)
  end
  if ARGV[4] == 'action' then
    if ends > 0 and now > ends + string.match(ARGV[5], '%d+') and not (of_turn and outage()) then
      return { 'late', now, ends }
    end
  elseif not (ends > 0 and ends <= now) then
    return { 'early', now, ends }
  elseif ARGV[4] ~= 'expiry' then
    local left = outage()
    if left == 'on' or (ARGV[4] == 'again' and not left) then
      return { 'early', now, ends }
    end
    if left and ARGV[4] == 'turn' then
      return { 'spared', now, deadline - started, left }
    end
  end
end

if ARGV[19] ~= '0' then
  local entries = redis.call('XLEN', KEYS[8])
  if entries >= tonumber(ARGV[19]) then
    return { 'behind', now, entries }
  end
end

local over = ''
if ARGV[8] ~= 'keep' then
  over, started, deadline, member = member, now, 0, ''
  if tonumber(ARGV[8]) > 0 then
    deadline, member = now + ARGV[8], ARGV[9] .. ':' .. ARGV[7]
  end
end
local next_version = version + 1

-- The first of all writes, because it alone may be refused (what was written by then would stay): where the stream is
-- ahead of the hash, as when keys were put back from copies of different moments, nothing is changed.
redis.call('XADD', KEYS[3], next_version .. '-0',
  'c', ARGV[3], 'l', ARGV[16], 'n', now, 't', started, 'd', deadline)
-- Trimmed now and then, because that takes time too: at most three entries more stand meanwhile.
if next_version % 4 == 0 then
  redis.call('XTRIM', KEYS[3], 'MAXLEN', '~', 128)
end
if over ~= '' then
  redis.call('ZREM', KEYS[2], over)
end
if ARGV[8] ~= 'keep' and deadline > 0 then
  redis.call('ZADD', KEYS[2], deadline, member)
end

local journal = 22 + 2 * ARGV[21]
for i = 22, journal - 1, 2 do
  local name, wait = ARGV[i], tonumber(ARGV[i + 1])
  redis.call('ZREM', KEYS[2], ARGV[9] .. ':' .. name)
  waits = string.gsub(waits, name .. '=%d+ ', '')
  if wait > 0 then
    local ends = now + wait
    redis.call('ZADD', KEYS[2], ends, ARGV[9] .. ':' .. name)
    waits = waits .. name .. '=' .. ends .. ' '
  end
  redis.call('HSET', KEYS[1], 'waits', waits)
end

if ARGV[20] ~= '' then
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    local player = string.match(field, '^a:(.*)')
    if player and not string.find(ARGV[20], ' ' .. player .. ' ', 1, true) then
      redis.call('HDEL', KEYS[1], field)
    end
  end
end
local begun = held[2] == ARGV[7] and held[8] or ARGV[16]
local fields = { 'v', next_version, 'l', ARGV[16], 's', ARGV[2], 'turn', ARGV[7], 'b', begun, 'started', started,
  'deadline', deadline, 'member', member }
if ARGV[14] ~= '' then
  fields[17] = ARGV[13]
  fields[18] = string.sub('\n' .. request .. ' ' .. ARGV[11] .. ARGV[12] .. acts, 1, 300)
end
redis.call('HSET', KEYS[1], unpack(fields))
for i = journal, #ARGV do
  redis.call('XADD', KEYS[4], '*', 'j', ARGV[i], 'l', ARGV[16])
end
if ARGV[17] ~= '' then
  local entry = { 't', ARGV[9], 'v', next_version, 'l', ARGV[16], 'p', lineage, 'e', ARGV[17] }
  if ARGV[18] ~= '' then
    entry[11], entry[12] = 's', ARGV[18]
  end
  redis.call('XADD', KEYS[8], '*', unpack(entry))
end
if version == '0' then
  redis.call('ZADD', KEYS[5], 0, ARGV[9])
end
if request ~= '' and ARGV[14] == '' then
  redis.call('LPUSH', KEYS[9], request .. '\n' .. ARGV[11] .. ARGV[12])
  redis.call('LTRIM', KEYS[9], 0, 63)
  redis.call('PEXPIRE', KEYS[9], 900000)
end
if #KEYS > (request ~= '' and 9 or 8) then
  redis.call('ZREM', KEYS[5], ARGV[9])
  redis.call('ZADD', KEYS[#KEYS], 0, ARGV[9])
  redis.call('PEXPIRE', KEYS[3], 86400000)
  redis.call('PEXPIRE', KEYS[1], 604800000)
end
-- A hint only: where the user may not use the channel, what was written all the same must not be called a failure.
redis.pcall('SPUBLISH', KEYS[6], ARGV[9] .. ' ' .. next_version .. ' ' .. ARGV[15])
return { 'ok', now, started, deadline, waits }

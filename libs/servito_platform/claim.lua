-- Claims the deadlines of one partition that are due, for a while: they come back by themselves unless the commit that
-- consumes them removes them first. Notes that the partition is swept, and when it was not for long.
--
-- KEYS[1]  zset    {pNNN}:deadlines   member <table>:<wait>, score = due or claimed until, in server ms
-- KEYS[2]  string  {pNNN}:sweep       '<at>' or '<at> <from> <to>' in server ms: the latest sweep, noted when the
--                                     note is half a second old (so once a second by whoever claims twice a second); the
--                                     latest outage, in which nobody swept
-- ARGV[1]  how many members at most
-- ARGV[2]  lease in ms: how long nobody else gets them
-- ARGV[3]  after how many ms without a sweep there was an outage; 0: this sweep is not to be noted
-- ARGV[4]  for how many ms the sweeper has seen nobody carry out what it claims: the sweep counts as one of then
--
-- Returns {now, wait, from, to, member, score, member, score, ...}: server ms; ms until the next deadline or lease ends
-- (-1: there is none); the outage that is noted (0, 0: none; its end is that of the sweep that noted it, which may have
-- been one whose answer was lost); the claimed members, longest overdue first, each with the score that it had. A member
-- names its wait, so whoever carries it out cannot end a later one.
--
-- What an outage means for the clocks that ran through it is commit.lua's. Outages with less than a minute between
-- count as one: what the first one did to clocks may not be made good yet, because they still run, or because nobody
-- has carried out what was claimed. A clock that went back, as after a failover to a server with another one, leaves
-- no outage behind.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local from, to
if ARGV[3] ~= '0' then
  local at
  at, from, to = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+) ?(%d*) ?(%d*)$')
  at, from, to = tonumber(at), tonumber(from), tonumber(to)
  if to and to > now then
    to = nil
  end
  local swept = now - ARGV[4]
  if not at or at > now or swept - at >= 500 then
    if at and swept - at > tonumber(ARGV[3]) then
      if not (to and at - to < 60000) then
        from = at
      end
      to = swept
    end
    local noted = string.format('%.0f', swept)
    if to then
      noted = string.format('%.0f %.0f %.0f', swept, from, to)
    end
    redis.call('SET', KEYS[2], noted)
  end
end
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
for i = 1, #due, 2 do
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], due[i])
end
local next_due = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local wait = -1
if next_due[2] then
  wait = math.max(0, next_due[2] - now)
end
local reply = { now, wait, to and from or 0, to or 0 }
for i = 1, #due do
  reply[i + 4] = due[i]
end
return reply

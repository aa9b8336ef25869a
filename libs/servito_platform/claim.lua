-- Claims the deadlines of one partition that are due, for a while: they come back by themselves unless the commit that
-- consumes them removes them first.
--
-- KEYS[1]  zset    {pNNN}:deadlines   member <table>:<wait>, score = due or claimed until, in server ms
-- ARGV[1]  how many members at most
-- ARGV[2]  lease in ms: how long nobody else gets them
--
-- Returns {now, wait, member, score, member, score, ...}: server ms; ms until the next deadline or lease ends (-1: there
-- is none); the claimed members, longest overdue first, each with the score that it had. A member names its wait, so
-- whoever carries it out cannot end a later one.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
for i = 1, #due, 2 do
  redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], due[i])
end
local next_due = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local wait = -1
if next_due[2] then
  wait = math.max(0, next_due[2] - now)
end
local reply = { now, wait }
for i = 1, #due do
  reply[i + 2] = due[i]
end
return reply

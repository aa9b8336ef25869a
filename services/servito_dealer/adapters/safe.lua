-- Whether there is a hand; if so it is touched, so that replicas can be asked whether they have all of it.
--
-- KEYS[1]  list  {pNNN}:d:<hand>   see append.lua
-- ARGV[1]  ms after which the record is forgotten
--
-- Returns 1 or 0. The write is what makes an acknowledgement mean something: it comes after all that is stored.
return redis.call('PEXPIRE', KEYS[1], ARGV[1])

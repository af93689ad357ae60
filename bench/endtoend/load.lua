-- For wrk: sends the bytes of a file, and at the end says in JSON what came back.
--   wrk ... -s load.lua URL -- FILE
local message

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  message = file:read("*a")
  file:close()
end

function request()
  return message
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"requests": %d, "errors": %d, "status": %d}\n', summary.requests, failed, errors.status))
end

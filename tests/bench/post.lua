-- Posts a dump again and again to wrk's address, each time with another last line.
local count, dump = 0, ""

function init(args)
	local file = io.open(args[1], "rb")
	dump = file:read("*a")
	file:close()
end

function request()
	count = count + 1
	return wrk.format("POST", nil, nil, dump .. "\n" .. os.time() .. "." .. count .. "\n")
end

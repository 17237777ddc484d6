-- Posts a dump again and again to wrk's address, each time with another last line unless the second word is `same`.
local count, dump, same = 0, "", false

function init(args)
	local file = io.open(args[1], "rb")
	dump = file:read("*a")
	file:close()
	same = args[2] == "same"
end

function request()
	count = count + 1
	return wrk.format("POST", nil, nil, same and dump or dump .. "\n" .. os.time() .. "." .. count .. "\n")
end

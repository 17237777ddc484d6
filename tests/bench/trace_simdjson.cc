// The job of opcheck's trace reader on top of simdjson On-Demand, made to be as fast as that library allows: calls and times of each
// operator with its shapes and types, self times from nesting, steps. Built only by the benchmark (trace.py), with Debian's
// libsimdjson-dev: -O3 -march=native lets the compiler inline the On-Demand kernel for this very processor, the library picks its own
// for the first stage at run time, and both are printed. The file is mapped, not copied; members are taken in one pass in the order
// they come in; what does not count is left unread; keys are compared and hashed in place and copied once per distinct operator.
#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

using namespace simdjson;

struct Key {
	std::string_view name, dims, types;

	bool operator==(const Key &other) const
	{
		return name == other.name && dims == other.dims && types == other.types;
	}
};

struct Hash {
	size_t operator()(const Key &key) const
	{
		std::hash<std::string_view> hash;

		return hash(key.name) * 31 * 31 + hash(key.dims) * 31 + hash(key.types);
	}
};

struct Total {
	uint64_t calls = 0;
	double total = 0, self = 0;
	std::vector<uint32_t> steps;
};

struct Open {
	double end;
	Total *total;
};

struct Call {
	double ts, dur;
	int64_t tid;
	Total *total;
};

struct Aggregate {
	std::unordered_map<Key, Total, Hash> totals; // the mapped text holds the keys
	std::unordered_map<int64_t, std::vector<Open>> threads;
	std::vector<std::pair<double, double>> steps;
	std::vector<Call> calls;
	uint64_t events = 0;

	void add(const Key &key, double ts, double dur, int64_t tid)
	{
		calls.push_back({ ts, dur, tid, &totals[key] });
	}

	void finish()
	{
		size_t step = 0;

		for (const Call &call : calls) {
			std::vector<Open> &open = threads[call.tid];

			while (!open.empty() && open.back().end <= call.ts)
				open.pop_back();
			if (!open.empty())
				open.back().total->self -= call.dur;
			open.push_back({ call.ts + call.dur, call.total });
			call.total->calls++;
			call.total->total += call.dur;
			call.total->self += call.dur;
			while (step + 1 < steps.size() && steps[step + 1].first <= call.ts)
				step++;
			if (call.total->steps.empty() || call.total->steps.back() != step)
				call.total->steps.push_back(uint32_t(step));
		}
	}
};

static std::string_view bare(std::string_view raw)
{
	while (!raw.empty() && (raw.back() == ' ' || raw.back() == '\n'))
		raw.remove_suffix(1);
	return raw;
}

static void take_arguments(ondemand::object arguments, Key &key)
{
	for (auto argument : arguments) {
		ondemand::raw_json_string arg = argument.key();

		if (arg == "Input Dims")
			key.dims = to_json_string(argument.value().get_array());
		else if (arg == "Input type")
			key.types = to_json_string(argument.value().get_array());
	}
}

static void take(Aggregate &all, ondemand::object event)
{
	Key key;
	double ts = 0, dur = 0;
	int64_t tid = 0;

	for (auto field : event) {
		ondemand::raw_json_string member = field.key();

		if (member == "ph") {
			if (bare(field.value().raw_json_token().value()) != "\"X\"")
				return;
		} else if (member == "cat") {
			std::string_view category = bare(field.value().raw_json_token().value());

			if (category != "\"cpu_op\"" && category != "\"user_annotation\"")
				return;
		} else if (member == "name") {
			key.name = bare(field.value().raw_json_token().value());
		} else if (member == "ts") {
			ts = field.value().get_double();
		} else if (member == "dur") {
			dur = field.value().get_double();
		} else if (member == "tid") {
			auto value = field.value();

			if (value.type() == ondemand::json_type::number)
				tid = value.get_int64();
		} else if (member == "args") {
			take_arguments(field.value().get_object(), key);
		}
	}
	if (key.name.substr(0, 14) == "\"ProfilerStep#")
		all.steps.push_back({ ts, ts + dur });
	all.add(key, ts, dur, tid);
}

// The file in memory with what simdjson wants to be readable behind it, without a copy.
static padded_string_view map(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat info;
	char *space;

	if (fd < 0 || fstat(fd, &info))
		std::exit(2);
	space = static_cast<char *>(mmap(nullptr, size_t(info.st_size) + SIMDJSON_PADDING, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	if (space == MAP_FAILED || mmap(space, size_t(info.st_size), PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_POPULATE, fd, 0) == MAP_FAILED)
		std::exit(2);
	return padded_string_view(space, size_t(info.st_size), size_t(info.st_size) + SIMDJSON_PADDING);
}

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)

int main(int argc, char **argv)
{
	if (argc == 2 && std::string_view(argv[1]) == "--kernels") {
		std::printf("On-Demand inlined for %s, first stage %s\n", NAME_OF(SIMDJSON_BUILTIN_IMPLEMENTATION),
			get_active_implementation()->name().c_str());
		return 0;
	}
	if (argc != 2)
		return 2;
	padded_string_view text = map(argv[1]);
	ondemand::parser parser;
	ondemand::document document = parser.iterate(text);
	Aggregate all;

	for (auto event : document["traceEvents"].get_array()) {
		all.events++;
		take(all, event.get_object());
	}
	all.finish();
	std::printf("%llu events, %zu keys, %zu steps\n", (unsigned long long)all.events, all.totals.size(), all.steps.size());
	return 0;
}

// The job of opcheck's trace reader on top of simdjson On-Demand: calls and times of each operator with its shapes and types, self
// times from nesting, steps. Built only by the benchmark (trace.py), with Debian's libsimdjson-dev.
#include <simdjson.h>

#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

using namespace simdjson;

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
	std::unordered_map<std::string, Total> totals;
	std::map<int64_t, std::vector<Open>> threads;
	std::vector<std::pair<double, double>> steps;
	std::vector<Call> calls;
	uint64_t events = 0;

	void add(std::string_view name, std::string_view dims, std::string_view types, double ts, double dur, int64_t tid)
	{
		std::string key;

		key.reserve(name.size() + dims.size() + types.size() + 2);
		key.append(name).append("|").append(dims).append("|").append(types);
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

static void take(Aggregate &all, ondemand::object event)
{
	std::string_view ph, cat, name, dims = "", types = "";
	double ts = 0, dur = 0;
	int64_t tid = 0;

	for (auto field : event) {
		std::string_view key = field.unescaped_key();

		if (key == "ph") {
			ph = field.value().get_string();
			if (ph != "X")
				return;
		} else if (key == "cat") {
			cat = field.value().get_string();
			if (cat != "cpu_op" && cat != "user_annotation")
				return;
		} else if (key == "name") {
			name = field.value().get_string();
		} else if (key == "ts") {
			ts = field.value().get_double();
		} else if (key == "dur") {
			dur = field.value().get_double();
		} else if (key == "tid") {
			auto value = field.value();

			if (value.type() == ondemand::json_type::number)
				tid = value.get_int64();
		} else if (key == "args") {
			for (auto argument : field.value().get_object()) {
				std::string_view arg = argument.unescaped_key();

				if (arg == "Input Dims")
					dims = to_json_string(argument.value().get_array());
				else if (arg == "Input type")
					types = to_json_string(argument.value().get_array());
			}
		}
	}
	if (name.substr(0, 13) == "ProfilerStep#")
		all.steps.push_back({ ts, ts + dur });
	all.add(name, dims, types, ts, dur, tid);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	padded_string text = padded_string::load(argv[1]);
	ondemand::parser parser;
	ondemand::document document = parser.iterate(text);
	Aggregate all;

	for (auto event : document["traceEvents"].get_array()) {
		all.events++;
		take(all, event.get_object());
	}
	all.finish();
	std::printf("%llu events, %zu keys, %zu steps, %s\n", (unsigned long long)all.events, all.totals.size(), all.steps.size(),
		builtin_implementation()->name().c_str());
}

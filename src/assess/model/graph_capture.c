#include "assess/model/graph_capture.h"

#include "base/value/figure.h"

/* "cudaStreamBeginCapture", "cudaGraphInstantiate", "aclmdlRICaptureBegin" */
static bool is_capture(const struct profile_name *name)
{
	return name->name.name_class == NAME_RUNTIME &&
	       (str_has(name->text, STR("BeginCapture")) || str_has(name->text, STR("EndCapture")) ||
		       str_has(name->text, STR("CaptureBegin")) || str_has(name->text, STR("CaptureEnd")) ||
		       str_has(name->text, STR("GraphInstantiate")));
}

bool graph_captured(const struct profile *profile)
{
	size_t count;
	const struct profile_name *names = profile_names(profile, &count);

	return ANY(i, count, is_capture(&names[i]));
}

bool graph_captured_in(const struct profile *profile, size_t dump)
{
	size_t count;
	const struct profile_name *names = profile_names(profile, &count);

	return ANY(i, count, names[i].dump == dump && is_capture(&names[i]));
}

bool graph_hides_device_time(const struct profile *profile)
{
	uint64_t launches = 0, ran = 0;
	size_t name_count, use_count;
	const struct profile_name *names = profile_names(profile, &name_count);
	const struct profile_use *uses = profile_uses(profile, &use_count);

	if (!graph_captured(profile))
		return false;
	for (size_t i = 0; i < use_count; i++) {
		const struct profile_name *name = &names[uses[i].name];
		enum name_class name_class = name->name.name_class;

		if (name_class == NAME_RUNTIME && str_has(name->text, STR("LaunchKernel")))
			launches = figure_count(launches, uses[i].calls);
		else if (uses[i].self_device_ns > 0 && name_class != NAME_KERNEL && name_class != NAME_MEMORY)
			ran = figure_count(ran, uses[i].calls);
	}
	return ran < launches / 2;
}

#include "report/snippet.h"

#include "base/mem.h"

#define VERSION SNIPPET_VERSION
#define NEWEST SNIPPET_NEWEST

/*
 * The program, line by line, each for the versions that want it. What differs: use_cuda became use_device in 2.1;
 * columns can be had uncut from 1.13; overload names from 2.8; row_limit=-1 lost a row up to 1.5; traces came with
 * torch.profiler in 1.8.1.
 */
static const struct {
	int from, to;
	const char *line;
} lines[] = {
	{ 0, NEWEST, "# Profiles a few steps and writes what opcheck reads: one uncut table a step, and a trace." },
	{ 0, NEWEST, "# Call profile_steps(step) with a function that runs one training step." },
	{ 0, NEWEST, "import torch" },
	{ VERSION(2, 8), NEWEST, "from torch._C._profiler import _ExperimentalConfig" },
	{ 0, NEWEST, "" },
	{ 0, NEWEST, "" },
	{ 0, NEWEST, "def profile_steps(step, steps=4, log=\"profiler.log\", trace=\"profiler.pt.trace.json\"):" },
	{ 0, VERSION(2, 0), "    device = {\"use_cuda\": torch.cuda.is_available()}" },
	{ VERSION(2, 1), NEWEST, "    device = {\"use_device\": \"cuda\"} if torch.cuda.is_available() else {}" },
	{ VERSION(2, 8), NEWEST,
		"    device[\"experimental_config\"] = _ExperimentalConfig(capture_overload_names=True)" },
	{ 0, NEWEST, "    with open(log, \"w\", encoding=\"utf-8\") as out:" },
	{ 0, NEWEST, "        for _ in range(steps):" },
	{ 0, NEWEST, "            with torch.autograd.profiler.profile(record_shapes=True, **device) as prof:" },
	{ 0, NEWEST, "                step()" },
	{ 0, VERSION(2, 7), "            rows = prof.key_averages(group_by_input_shape=True)" },
	{ VERSION(2, 8), NEWEST,
		"            rows = prof.key_averages(group_by_input_shape=True, group_by_overload_name=True)" },
	{ 0, VERSION(1, 12),
		"            out.write(rows.table(sort_by=\"self_cpu_time_total\", row_limit=1000000) + \"\\n\")" },
	{ VERSION(1, 13), NEWEST, "            out.write(rows.table(sort_by=\"self_cpu_time_total\", row_limit=-1," },
	{ VERSION(1, 13), NEWEST,
		"                                 max_name_column_width=None, max_shapes_column_width=None) + "
		"\"\\n\")" },
	{ VERSION(1, 8), NEWEST, "    if not trace:" },
	{ VERSION(1, 8), NEWEST, "        return" },
	{ VERSION(1, 8), NEWEST, "    with torch.profiler.profile(record_shapes=True) as prof:" },
	{ VERSION(1, 8), NEWEST, "        for _ in range(steps):" },
	{ VERSION(1, 8), NEWEST, "            step()" },
	{ VERSION(1, 8), NEWEST, "            prof.step()" },
	{ VERSION(1, 8), NEWEST, "    prof.export_chrome_trace(trace)" },
};

void snippet_put(struct buf *buf, int version)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (version >= lines[i].from && version <= lines[i].to)
			buf_printf(buf, "%s\n", lines[i].line);
	}
}

/* Asks the dispatcher which kernels it has. The fragment runs with every PyTorch that has the two functions, from 1.8
   on. */
static const char *const registration_lines[] = {
	"# Writes which kernels the dispatcher of this machine has; `opcheck db import registrations` reads the file.",
	"import datetime",
	"import glob",
	"import os",
	"import re",
	"import torch",
	"",
	"",
	"def answer(function, *arguments):",
	"    try:",
	"        return str(function(*arguments) or \"\")",
	"    except Exception:",
	"        return \"\"",
	"",
	"",
	"def cann_version():",
	"    for name in (\"ASCEND_TOOLKIT_HOME\", \"ASCEND_HOME_PATH\"):",
	"        for path in sorted(glob.glob(os.environ.get(name, \"/nowhere\") + "
	"\"/*/ascend_toolkit_install.info\")):",
	"            with open(path, encoding=\"utf-8\") as file:",
	"                found = re.search(r\"^version=(\\S+)\", file.read(), re.M)",
	"            if found:",
	"                return found.group(1)",
	"    return \"\"",
	"",
	"",
	"def operators():",
	"    if hasattr(torch._C, \"_dispatch_get_all_op_names\"):",
	"        return sorted(torch._C._dispatch_get_all_op_names())",
	"    schemas = torch._C._jit_get_all_schemas()",
	"    return sorted({s.name + (\".\" if s.overload_name else \"\") + s.overload_name for s in schemas})",
	"",
	"",
	"def machine():",
	"    for target, module in ((\"npu\", \"torch_npu\"), (\"musa\", \"torch_musa\")):",
	"        try:",
	"            plugin = __import__(module)",
	"        except ImportError:",
	"            continue",
	"        old = target == \"npu\" and [int(n) for n in re.findall(r\"\\d+\", torch.__version__)[:2]] < [2, 1]",
	"        sdk = cann_version() if target == \"npu\" else str(getattr(torch.version, \"musa\", None) or \"\")",
	"        soc = answer(lambda: getattr(torch, target).get_device_name(0))",
	"        return target, plugin.__version__, sdk, soc, \"XLA\" if old else \"PrivateUse1\"",
	"    return \"cpu\", torch.__version__, \"\", \"\", \"CPU\"",
	"",
	"",
	"def write_registrations(path=\"registrations.tsv\"):",
	"    target, plugin, sdk, soc, device = machine()",
	"    has = torch._C._dispatch_has_kernel_for_dispatch_key",
	"    computed = torch._C._dispatch_has_computed_kernel_for_dispatch_key",
	"    composite = [\"CompositeImplicitAutograd\", \"CompositeExplicitAutograd\",",
	"                 \"CompositeExplicitAutogradNonFunctional\"]",
	"    prefixes = [\"\", \"Autograd\", \"Autocast\", \"Sparse\", \"SparseCsr\", \"Quantized\", \"NestedTensor\"]",
	"    keys = [prefix + device for prefix in prefixes] + [\"CPU\", \"Autograd\"] + composite",
	"    keys = [key for key in dict.fromkeys(keys) if answer(lambda: [has(\"aten::add.Tensor\", key)])]",
	"    found = {name: [key for key in keys if answer(has, name, key)] for name in operators()}",
	"    found = {name: of for name, of in found.items() if of}",
	"    own = set(composite + [device])",
	"    bare = [name for name, of in found.items() if not own & set(of) and name.startswith(\"aten::\")]",
	"    boxed = any(answer(computed, name, device) for name in bare)",
	"    words = [(\"target\", target), (\"torch\", torch.__version__), (\"plugin\", plugin), (\"sdk\", sdk),",
	"             (\"soc\", soc), (\"device\", device), (\"fallback\", int(boxed)), (\"date\", "
	"datetime.date.today())]",
	"    with open(path, \"w\", encoding=\"utf-8\") as out:",
	"        out.write(\"# opcheck registrations 1\\n\")",
	"        out.writelines(\"%s\\t%s\\n\" % word for word in words)",
	"        out.writelines(\"op\\t%s\\t%s\\n\" % (name, \" \".join(of)) for name, of in found.items())",
	"",
	"",
	"if __name__ == \"__main__\":",
	"    write_registrations()",
};

void snippet_put_registrations(struct buf *buf)
{
	for (size_t i = 0; i < ARRAY_SIZE(registration_lines); i++)
		buf_printf(buf, "%s\n", registration_lines[i]);
}

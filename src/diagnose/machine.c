#include "diagnose/machine.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "io/process.h"

enum { FILE_BYTES = 64 * 1024, VERSION_BYTES = 80, ANSWER_BYTES = 64 * 1024 };

const struct str machine_part_names[PART_COUNT] = { STR("python"), STR("torch"), STR("torch_npu"), STR("CANN"),
	STR("npu driver"), STR("npu firmware"), STR("npu chip"), STR("torch_musa"), STR("MUSA SDK"), STR("musa driver"),
	STR("musa chip") };

/* --- files */

/* The beginning of a regular file, such as one of /sys; "" when it cannot be read. */
static struct str read_head(struct arena *arena, const char *path)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(FILE_BYTES);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat info;
	char space[4096];
	ssize_t got;

	if (fd < 0)
		return STR("");
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
		while (!text.full && (got = read(fd, space, sizeof(space))) > 0)
			buf_add(&text, (struct str){ space, (size_t)got });
	}
	close(fd);
	return arena_keep(arena, buf_str(&text));
}

/* The value after a key, without signs around it: "8.0.RC2" of " = '[7.3.0.1.231:8.0.RC2]'". */
static struct str value_after(struct arena *arena, struct str rest)
{
	struct str value;
	size_t at = 0, len = 0;

	while (at < rest.len && strchr(" \t='\"[:", rest.ptr[at]))
		at++;
	value = str_skip(rest, at);
	while (len < value.len && len < VERSION_BYTES && !strchr("'\"]\r\n", value.ptr[len]))
		len++;
	value.len = len;
	return utf8_keep_printable(arena, str_trim(str_tail(value, ':')));
}

struct file_place {
	enum machine_part part;
	const char *variable; /* of the environment, whose folder the pattern is in; NULL: it is in the root */
	const char *pattern;  /* as glob(3) takes it, with braces */
	const char *section;  /* text before the key; NULL: the key begins a line */
	const char *key;
};

static struct str value_in(struct arena *arena, struct str text, const struct file_place *place)
{
	struct str key = str_from(place->key), line;
	size_t at = place->section ? str_find(text, str_from(place->section)) : STR_NONE;

	if (place->section) {
		text = at == STR_NONE ? STR("") : str_skip(text, at);
		at = str_find(text, key);
		return at == STR_NONE ? STR("") : value_after(arena, str_skip(text, at + key.len));
	}
	while (str_cut(&text, '\n', &line)) {
		if (str_starts(line, key))
			return value_after(arena, str_skip(line, key.len));
	}
	return STR("");
}

/* The root is a folder by name: nothing in it is a pattern. False when the place is nowhere. */
static bool put_pattern(struct buf *out, const char *root, const struct file_place *place)
{
	const char *folder = place->variable ? getenv(place->variable) : "";

	if (!folder || (place->variable && folder[0] != '/'))
		return false;
	for (size_t part = 0; part < 2; part++) {
		for (const char *at = part ? folder : root; *at; at++) {
			if (strchr("*?[]{},~\\", *at))
				buf_byte(out, '\\');
			buf_byte(out, *at);
		}
	}
	buf_add(out, str_from(place->pattern));
	return true;
}

/* Add the files of a pattern with alternatives "{a,b}", which musl's glob reads as plain text. */
static void glob_alternatives(const char *pattern, glob_t *files)
{
	const char *open = pattern;
	size_t len;

	while (*open && *open != '{')
		open += *open == '\\' && open[1] ? 2 : 1;
	if (!*open) {
		glob(pattern, GLOB_APPEND, NULL, files);
		return;
	}
	for (const char *part = open + 1, *rest = strchr(open, '}') + 1; part < rest; part += len + 1) {
		CLEANUP(buf_clear) struct buf one = BUF_UNLIMITED;

		len = strcspn(part, ",}");
		buf_add(&one, (struct str){ pattern, (size_t)(open - pattern) });
		buf_add(&one, (struct str){ part, len });
		buf_add(&one, str_from(rest));
		glob_alternatives(buf_text(&one), files);
	}
}

/* False if there are none; globfree(ret) in any case. */
static bool glob_place(const char *root, const struct file_place *place, glob_t *ret)
{
	CLEANUP(buf_clear) struct buf pattern = BUF_UNLIMITED;

	*ret = (glob_t){ 0 };
	if (put_pattern(&pattern, root, place))
		glob_alternatives(buf_text(&pattern), ret);
	return ret->gl_pathc;
}

static void look_at(struct machine *machine, const char *root, const struct file_place *place)
{
	glob_t files;

	if (machine->parts[place->part].version.len)
		return;
	if (glob_place(root, place, &files)) {
		for (size_t i = 0; i < files.gl_pathc && !machine->parts[place->part].version.len; i++) {
			struct str text = read_head(&machine->arena, files.gl_pathv[i]);

			machine->parts[place->part].version = value_in(&machine->arena, text, place);
			machine->parts[place->part].path = arena_keep(&machine->arena, str_from(files.gl_pathv[i]));
		}
	}
	globfree(&files);
}

/*
 * Files with versions, the better source first. CANN: get_cann_version in torch_npu/utils/collect_env.py of
 * Ascend/pytorch looks for ascend_*_install.info below ASCEND_HOME_PATH; from 8.5 on the folder is
 * /usr/local/Ascend/cann (README of cann/ops-math: "Check CANN installation"). version.cfg has
 * "toolkit_running_version=[7.3.0.1.231:8.0.RC2]" (cmake of MindIE-ATB reads it). Driver and firmware: CANN Software
 * Installation Guide, "Version=" in version.info. MUSA: docs.mthreads.com, ONNX Runtime, "Confirm the version of the
 * toolkit": musa_toolkits in version.json. Driver and chip of MUSA: /sys/module/mtgpu/version and
 * /proc/driver/musa/gpu*, as MooreThreads/ollama-musa reads them (discover/musa_linux.go).
 */
#define CANN_IN(variable, folder)                                                                                      \
	{ PART_CANN, variable, folder "/*-linux/ascend_toolkit_install.info", NULL, "version=" },                      \
		{ PART_CANN, variable, folder "/ascend_*_install.info", NULL, "version=" },                            \
	{                                                                                                              \
		PART_CANN, variable, folder "/version.cfg", NULL, "toolkit_running_version="                           \
	}
static const struct file_place sdk_places[] = {
	CANN_IN("ASCEND_HOME_PATH", ""),
	CANN_IN("ASCEND_TOOLKIT_HOME", ""),
	CANN_IN(NULL, "/usr/local/Ascend/ascend-toolkit/latest"),
	CANN_IN(NULL, "/usr/local/Ascend/cann"),
	CANN_IN("HOME", "/Ascend/ascend-toolkit/latest"),
	CANN_IN("HOME", "/Ascend/cann"),
	{ PART_NPU_DRIVER, NULL, "/usr/local/Ascend/driver/version.info", NULL, "Version=" },
	{ PART_NPU_FIRMWARE, NULL, "/usr/local/Ascend/firmware/version.info", NULL, "Version=" },
	{ PART_MUSA_SDK, "MUSA_HOME", "/version.json", "\"musa_toolkits\"", "\"version\"" },
	{ PART_MUSA_SDK, NULL, "/usr/local/musa/version.json", "\"musa_toolkits\"", "\"version\"" },
	{ PART_MUSA_DRIVER, NULL, "/sys/module/mtgpu/version", NULL, "" },
	{ PART_MUSA_CHIP, NULL, "/proc/driver/musa/gpu*/devname", NULL, "" },
};

/* Packages of a Python that is not asked: "Version:" of a dist-info (PyPA, Recording installed projects), and the
   version.py that get_torch_npu_version of the same collect_env.py reads. */
#define SITE "/{usr/lib,usr/local/lib,usr/local/python3*/lib,opt/conda/lib}/python3*/{site,dist}-packages"
#define PACKAGE(part, name)                                                                                            \
	{ part, "VIRTUAL_ENV", "/lib/python3*/site-packages/" name "-*.dist-info/METADATA", NULL, "Version:" },        \
		{ part, "CONDA_PREFIX", "/lib/python3*/site-packages/" name "-*.dist-info/METADATA", NULL,             \
			"Version:" },                                                                                  \
		{ part, NULL, SITE "/" name "-*.dist-info/METADATA", NULL, "Version:" },                               \
	{                                                                                                              \
		part, NULL, SITE "/" name "/version.py", NULL, "__version__"                                           \
	}
static const struct file_place package_places[] = {
	PACKAGE(PART_TORCH, "torch"),
	PACKAGE(PART_TORCH_NPU, "torch_npu"),
	PACKAGE(PART_TORCH_MUSA, "torch_musa"),
};

/* --- chips */

/* Devices of Huawei on the PCI bus, as the script that collects logs for its driver names them. */
static struct str chip_of_device(struct str device)
{
	static const struct {
		struct str device, chip;
	} chips[] = { { STR("0xd100"), STR("Ascend310") }, { STR("0xd500"), STR("Ascend310P") },
		{ STR("0xd801"), STR("Ascend910") }, { STR("0xd802"), STR("Ascend910B") },
		{ STR("0xd803"), STR("Ascend910_93") } };
	size_t at = STR_POSITION(chips, ARRAY_SIZE(chips), device);

	return at == STR_NONE ? STR("") : chips[at].chip;
}

static void look_for_npus(struct machine *machine, const char *root)
{
	static const struct file_place devices = { PART_NPU_CHIP, NULL, "/sys/bus/pci/devices/*/vendor", NULL, "" };
	glob_t files;

	if (glob_place(root, &devices, &files)) {
		for (size_t i = 0; i < files.gl_pathc && !machine->parts[PART_NPU_CHIP].version.len; i++) {
			struct str path = str_from(files.gl_pathv[i]), vendor = read_head(&machine->arena, path.ptr);
			CLEANUP(buf_clear) struct buf other = BUF_UNLIMITED;

			if (!str_eq(str_trim(vendor), STR("0x19e5")))
				continue;
			buf_printf(&other, "%.*sdevice", STR_ARG(str_chop(path, strlen("vendor"))));
			machine->parts[PART_NPU_CHIP].version = chip_of_device(
				str_trim(read_head(&machine->arena, buf_text(&other))));
			machine->parts[PART_NPU_CHIP].path = arena_keep(&machine->arena, buf_str(&other));
		}
	}
	globfree(&files);
}

/* --- Python */

/* Python must not import from the folder in which opcheck runs. */
static const char python_fragment[] =
	"import sys\n"
	"sys.path[:] = [path for path in sys.path if path]\n"
	"from importlib import metadata\n"
	"print('python', '.'.join(map(str, sys.version_info[:3])), sys.executable, sep='\\t')\n"
	"for name in 'torch', 'torch_npu', 'torch_musa':\n"
	"    try:\n"
	"        found = metadata.distribution(name)\n"
	"        print(name, found.version, found.locate_file(''), sep='\\t')\n"
	"    except metadata.PackageNotFoundError:\n"
	"        pass\n";

static void take_answer(struct machine *machine, struct str line)
{
	struct str name = { 0 }, version = { 0 };

	str_cut(&line, '\t', &name);
	str_cut(&line, '\t', &version);
	for (size_t i = 0; i < PART_COUNT; i++) {
		if (!str_eq(name, machine_part_names[i]))
			continue;
		machine->parts[i].version = value_after(&machine->arena, version);
		machine->parts[i].path = utf8_keep_printable(&machine->arena, str_trim(line));
	}
}

static void ask_python(struct machine *machine, const struct machine_search *search)
{
	CLEANUP(buf_clear) struct buf answer = BUF_INIT(ANSWER_BYTES);
	struct str text, line;

	machine->no_answer = process_run((const char *const[]){ search->python, "-c", python_fragment, NULL },
				     search->seconds, &answer) != 0;
	text = buf_str(&answer);
	while (str_cut(&text, '\n', &line))
		take_answer(machine, line);
}

/* --- devices */

static const struct device_tool {
	enum target_kind target;
	const char *words[3];
	void (*read)(struct arena *arena, struct str text, struct smi_answer *ret);
	enum machine_part driver, chip;
	const char *chip_head; /* of the part: "Ascend" of "Ascend910B3" */
	struct file_place nodes;
	const char *shown;
} device_tools[] = {
	{ TARGET_NPU, { "npu-smi", "info" }, smi_read_npu, PART_NPU_DRIVER, PART_NPU_CHIP, "Ascend",
		{ .pattern = "/dev/davinci[0-9]*" }, "/dev/davinci*" },
	{ TARGET_MUSA, { "mthreads-gmi" }, smi_read_musa, PART_MUSA_DRIVER, PART_MUSA_CHIP, "",
		{ .pattern = "/proc/driver/musa/gpu[0-9]*" }, "/proc/driver/musa/gpu*" },
};

static void set_part(struct machine *machine, enum machine_part part, struct str version, const char *source)
{
	if (machine->parts[part].version.len || !version.len)
		return;
	machine->parts[part].version = version;
	machine->parts[part].path = str_from(source);
}

/* Asks the program of a family. Its name of the chip is more exact than that of a file. */
static void ask_tool(struct machine *machine, const struct device_tool *tool, uint64_t seconds)
{
	CLEANUP(buf_clear) struct buf answer = BUF_INIT(ANSWER_BYTES);
	struct machine_devices *devices = &machine->devices[tool->target];
	int exit_status = process_run(tool->words, seconds, &answer);

	tool->read(&machine->arena, buf_str(&answer), &devices->smi);
	devices->no_answer = exit_status != PROCESS_NOT_STARTED && !devices->smi.devices.count;
	if (!devices->smi.devices.count)
		return;
	devices->count = devices->smi.devices.count;
	devices->source = str_from(tool->words[0]);
	machine->parts[tool->chip].version = STR("");
	set_part(machine, tool->driver, devices->smi.driver, tool->words[0]);
	set_part(machine, tool->chip,
		arena_printf(&machine->arena, "%s%.*s",
			str_starts(devices->smi.devices.items[0].name, str_from(tool->chip_head)) ? ""
												  : tool->chip_head,
			STR_ARG(devices->smi.devices.items[0].name)),
		tool->words[0]);
}

static void count_devices(struct machine *machine, const char *root, const struct device_tool *tool)
{
	struct machine_devices *devices = &machine->devices[tool->target];
	glob_t files;

	if (!devices->count && glob_place(root, &tool->nodes, &files)) {
		devices->count = files.gl_pathc;
		devices->source = str_from(tool->shown);
		globfree(&files);
	}
}

void machine_look(const struct machine_search *search, struct machine *ret)
{
	const char *root = strcmp(search->root, "/") ? search->root : "";

	*ret = (struct machine){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
	if (search->python)
		ask_python(ret, search);
	for (size_t i = 0; i < ARRAY_SIZE(package_places) && !search->python; i++)
		look_at(ret, root, &package_places[i]);
	for (size_t i = 0; i < ARRAY_SIZE(sdk_places); i++)
		look_at(ret, root, &sdk_places[i]);
	look_for_npus(ret, root);
	for (size_t i = 0; i < ARRAY_SIZE(device_tools); i++) {
		if (search->tools)
			ask_tool(ret, &device_tools[i], search->seconds);
		count_devices(ret, root, &device_tools[i]);
	}
}

void machine_clear(struct machine *machine)
{
	for (size_t i = 0; i < TARGET_COUNT; i++)
		free(machine->devices[i].smi.devices.items);
	arena_clear(&machine->arena);
}

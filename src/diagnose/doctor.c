#include "diagnose/doctor.h"

#include <stdlib.h>

#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/value/version.h"
#include "base/view/ascii.h"
#include "scan/plan/plan.h"

enum { SHOWN_BYTES = 40 };

/* The needs of a target, by the parts of a machine. */
static const struct stack {
	enum target_kind target;
	enum machine_part plugin, sdk, driver, chip;
	const char *list; /* variable with the devices that a program sees */
} stacks[] = {
	{ TARGET_NPU, PART_TORCH_NPU, PART_CANN, PART_NPU_DRIVER, PART_NPU_CHIP, "ASCEND_RT_VISIBLE_DEVICES" },
	{ TARGET_MUSA, PART_TORCH_MUSA, PART_MUSA_SDK, PART_MUSA_DRIVER, PART_MUSA_CHIP, "MUSA_VISIBLE_DEVICES" },
};

struct exam {
	struct doctor *doctor;
	const struct opdb *db;
	const struct stack *stack;
	const struct release *release; /* of the plugin; NULL: the database has none of that version */
	struct str torch, plugin, sdk; /* versions, "" for none; without what follows '+' */
};

static struct str version_of(const struct exam *exam, enum machine_part part)
{
	return str_head(exam->doctor->machine.parts[part].version, '+');
}

static void read_versions(struct exam *exam)
{
	exam->torch = version_of(exam, PART_TORCH);
	exam->plugin = version_of(exam, exam->stack->plugin);
	exam->sdk = version_of(exam, exam->stack->sdk);
}

/* "2.7.1" of "2.7.1.post2" and of "2.7.1rc1" */
static struct str first_three(struct str version)
{
	size_t len = 0, dots = 0;

	while (len < version.len && (is_digit(version.ptr[len]) || (version.ptr[len] == '.' && ++dots < 3)))
		len++;
	return str_sub(version, 0, len);
}

/* --- rows */

static struct message *add_row(
	struct exam *exam, enum doctor_kind kind, enum doctor_state state, struct str name, const char *id)
{
	struct doctor *doctor = exam->doctor;
	struct doctor_row row = { .kind = kind, .state = state, .name = name, .text = message_of(id) };

	if (kind == DOCTOR_FIT && state == DOCTOR_WRONG)
		doctor->verdict = VERDICT_DOES_NOT_FIT;
	MEM_PUSH(&doctor->rows, row);
	return &doctor->rows.items[doctor->rows.count - 1].text;
}

static struct message *add_fit(struct exam *exam, enum doctor_state state, enum machine_part part, const char *id)
{
	struct message *text = add_row(exam, DOCTOR_FIT, state, machine_part_names[part], id);

	message_add(text, "plugin", target_plugin_name(exam->stack->target));
	message_add(text, "version", exam->plugin);
	message_add(text, "found", version_of(exam, part));
	return text;
}

static void add_parts(struct doctor *doctor)
{
	for (size_t i = 0; i < PART_COUNT; i++) {
		struct doctor_row row = { .kind = DOCTOR_PART,
			.name = machine_part_names[i],
			.value = doctor->machine.parts[i].version,
			.place = doctor->machine.parts[i].path };

		if (row.place.len)
			MEM_PUSH(&doctor->rows, row);
	}
	if (doctor->machine.no_answer)
		MEM_PUSH(&doctor->rows, ((struct doctor_row){ .kind = DOCTOR_PART,
						.state = DOCTOR_CHECK,
						.name = machine_part_names[PART_PYTHON],
						.text = message_of("doctor.no-answer") }));
}

/* --- releases */

/* Returns whether a list such as "8.0.RC2, 8.0.0" has a version, or one that extends it: 8.5.0.alpha1. */
static bool list_has(struct str list, struct str version, bool parts)
{
	struct str one;

	while (str_cut(&list, ',', &one)) {
		one = str_trim(one);
		if (one.len && (str_eq(one, version) || (parts && str_starts(version, one) && version.len > one.len &&
								version.ptr[one.len] == '.')))
			return true;
	}
	return false;
}

static bool is_of_plugin(const struct release *release, struct str version)
{
	return release->target == TARGET_NPU ? list_has(release->pip, version, false)
					     : str_eq(release->plugin, version);
}

static const struct release *release_of_plugin(const struct exam *exam)
{
	const struct release *found = NULL;
	size_t count;
	const struct release *releases = opdb_target_releases(exam->db, exam->stack->target, &count);

	for (size_t i = 0; i < count; i++) {
		if (is_of_plugin(&releases[i], exam->plugin) && (!found || list_has(releases[i].cann, exam->sdk, true)))
			found = &releases[i];
	}
	return found;
}

/* Returns the last final release for a version of PyTorch and one of CANN, "" for any; NULL without one. */
static const struct release *last_release(const struct exam *exam, struct str torch, struct str cann)
{
	const struct release *found = NULL;
	bool npu = exam->stack->target == TARGET_NPU;
	size_t count;
	const struct release *releases = opdb_target_releases(exam->db, exam->stack->target, &count);

	for (size_t i = 0; i < count; i++) {
		const struct release *release = &releases[i];

		if (release->kind == RELEASE_FINAL && (!npu || release->pip.len) &&
			(!torch.len || str_eq(release->torch, torch)) &&
			(!cann.len || list_has(release->cann, cann, true)))
			found = release;
	}
	return found;
}

/* --- what fits */

/* Returns whether a version is later than every one of a list. */
static bool is_newer(struct str list, struct str version)
{
	struct str one;

	while (str_cut(&list, ',', &one)) {
		if (version_cmp(version, str_trim(one)) <= 0)
			return false;
	}
	return true;
}

/* "2.7" of "2.7.1" */
static struct str minor_of(struct str version)
{
	struct str minor = str_chop(version, str_tail(version, '.').len);

	return minor.len ? str_chop(minor, 1) : version;
}

/* PyTorch keeps its binary interface within a minor version; the vendor published the plugin for a patch of it. */
static bool is_newer_patch(struct str wanted, struct str torch)
{
	return str_eq(minor_of(wanted), minor_of(torch)) && version_cmp(torch, wanted) > 0;
}

/* A build for CUDA or ROCm ("2.7.1+cu118"): the vendors build their plugins against that for the CPU or their own. */
static void examine_build(struct exam *exam)
{
	struct str found = exam->doctor->machine.parts[PART_TORCH].version, build = str_skip(found, exam->torch.len);
	struct message *text;

	if (!str_starts(build, STR("+cu")) && !str_starts(build, STR("+rocm")))
		return;
	text = add_row(exam, DOCTOR_FIT, DOCTOR_CHECK, machine_part_names[PART_TORCH],
		exam->stack->target == TARGET_NPU ? "doctor.torch-build-npu" : "doctor.torch-build-musa");
	message_add(text, "found", found);
	message_add(text, "torch", exam->torch);
}

static void examine_torch(struct exam *exam)
{
	struct str wanted = exam->release                       ? exam->release->torch
			    : exam->stack->target == TARGET_NPU ? first_three(exam->plugin)
								: STR("");
	struct str found = first_three(exam->torch);
	bool same = str_eq(found, wanted);

	if (!exam->torch.len)
		add_fit(exam, DOCTOR_WRONG, PART_TORCH, "doctor.no-torch");
	else if (!wanted.len)
		add_fit(exam, DOCTOR_UNKNOWN, PART_TORCH, "doctor.torch-unknown");
	else if (is_newer_patch(wanted, found))
		message_add(add_fit(exam, DOCTOR_NOTE, PART_TORCH, "doctor.torch-newer"), "wanted", wanted);
	else
		message_add(add_fit(exam, same ? DOCTOR_FITS : DOCTOR_WRONG, PART_TORCH,
				    same ? "doctor.torch-fits" : "doctor.torch-differs"),
			"wanted", wanted);
}

static void examine_cann(struct exam *exam)
{
	struct str wanted = exam->release ? exam->release->cann : STR("");
	bool same = list_has(wanted, exam->sdk, true);

	if (!wanted.len)
		add_fit(exam, DOCTOR_UNKNOWN, PART_CANN, "doctor.cann-unknown");
	else if (!same && is_newer(wanted, exam->sdk))
		message_add(add_fit(exam, DOCTOR_NOTE, PART_CANN, "doctor.cann-newer"), "wanted", wanted);
	else
		message_add(add_fit(exam, same ? DOCTOR_FITS : DOCTOR_WRONG, PART_CANN,
				    same ? "doctor.cann-fits" : "doctor.cann-differs"),
			"wanted", wanted);
}

static void examine_sdk(struct exam *exam)
{
	bool npu = exam->stack->target == TARGET_NPU;

	if (!exam->sdk.len)
		add_fit(exam, DOCTOR_WRONG, exam->stack->sdk, npu ? "doctor.no-cann" : "doctor.no-musa");
	else if (!exam->plugin.len)
		return;
	else if (npu)
		examine_cann(exam);
	else
		add_fit(exam, DOCTOR_UNKNOWN, PART_MUSA_SDK, "doctor.musa-unknown");
	if (npu && exam->sdk.len && !getenv("ASCEND_HOME_PATH"))
		add_row(exam, DOCTOR_FIT, DOCTOR_CHECK, STR("ASCEND_HOME_PATH"), "doctor.no-home");
}

static void examine_driver(struct exam *exam)
{
	bool there = exam->doctor->machine.parts[exam->stack->driver].version.len > 0;

	add_fit(exam, there ? DOCTOR_UNKNOWN : DOCTOR_CHECK, exam->stack->driver,
		there ? "doctor.driver-unknown" : "doctor.no-driver");
}

/* --- devices */

static void say_devices(struct exam *exam, struct message *text)
{
	const struct machine_devices *devices = &exam->doctor->machine.devices[exam->stack->target];

	message_add_number(text, &exam->doctor->machine.arena, "count", (int64_t)devices->count);
	message_add_number(text, &exam->doctor->machine.arena, "last", (int64_t)devices->count - 1);
	message_add(text, "tool", devices->source);
}

/* Add rows for the number of devices, those that are not healthy, and processes on them. */
static void examine_devices(struct exam *exam)
{
	const struct machine_devices *devices = &exam->doctor->machine.devices[exam->stack->target];
	struct str chip = machine_part_names[exam->stack->chip];
	struct message *text;

	if (devices->no_answer)
		add_row(exam, DOCTOR_FIT, DOCTOR_CHECK, chip,
			exam->stack->target == TARGET_NPU ? "doctor.no-npu-smi" : "doctor.no-mthreads-gmi");
	if (devices->count)
		say_devices(exam, add_row(exam, DOCTOR_FIT, DOCTOR_NOTE, chip, "doctor.devices"));
	for (size_t i = 0; i < devices->smi.devices.count; i++) {
		struct str health = devices->smi.devices.items[i].health;

		if (!health.len || str_eq(health, STR("OK")))
			continue;
		text = add_row(exam, DOCTOR_FIT, DOCTOR_CHECK, chip, "doctor.unhealthy");
		message_add_number(text, &exam->doctor->machine.arena, "device", (int64_t)i);
		message_add(text, "health", health);
	}
	if (devices->smi.devices.count && devices->smi.processes) {
		text = add_row(exam, DOCTOR_FIT, DOCTOR_NOTE, chip, "doctor.processes");
		message_add_number(text, &exam->doctor->machine.arena, "count", (int64_t)devices->smi.processes);
	}
}

static void add_list_row(struct exam *exam, enum doctor_state state, const char *name, struct str item, const char *id)
{
	struct message *text = add_row(exam, DOCTOR_FIT, state, str_from(name), id);

	message_add(text, "variable", str_from(name));
	message_add(text, "device", item);
	say_devices(exam, text);
}

/* Compares the numbers in ASCEND_RT_VISIBLE_DEVICES or MUSA_VISIBLE_DEVICES with the devices. CANN reads the list up to
   the first item that is not a device, and wants it in ascending order. */
static void examine_list(struct exam *exam, const char *name)
{
	struct str list = str_from(getenv(name) ? getenv(name) : ""), item;
	size_t count = exam->doctor->machine.devices[exam->stack->target].count;
	uint64_t device, before = 0;

	for (bool first = true; list.len && str_cut(&list, ',', &item); first = false, before = device) {
		item = utf8_keep_printable(
			&exam->doctor->machine.arena, item.len > SHOWN_BYTES ? str_sub(item, 0, SHOWN_BYTES) : item);
		if (!decimal_unsigned(item, &device)) {
			add_list_row(exam, DOCTOR_CHECK, name, item, "doctor.list-item");
			return;
		}
		if (count && device >= count) {
			add_list_row(exam, DOCTOR_WRONG, name, item, "doctor.list-absent");
			return;
		}
		if (!first && device <= before)
			add_list_row(exam, DOCTOR_CHECK, name, item, "doctor.list-order");
	}
}

/* --- what to install */

static void add_install(struct exam *exam, const struct release *release, const char *id)
{
	plan_say_install(release, add_row(exam, DOCTOR_INSTALL, DOCTOR_NOTE, release->id, id));
}

/* Proposes what changes least: a plugin for both versions, else one for CANN, which a machine has once, and one for
   PyTorch, which the program needs. */
static void propose(struct exam *exam)
{
	bool npu = exam->stack->target == TARGET_NPU;
	struct str torch = first_three(exam->torch), cann = npu ? exam->sdk : STR("");
	const struct release *both = last_release(exam, torch, cann), *by_cann, *by_torch;
	const char *id = npu ? "doctor.install-npu" : "doctor.install-musa";

	if (both) {
		add_install(exam, both, id);
		return;
	}
	by_cann = cann.len ? last_release(exam, STR(""), cann) : NULL;
	by_torch = torch.len ? last_release(exam, torch, STR("")) : NULL;
	if (by_cann)
		add_install(exam, by_cann, id);
	if (by_torch)
		add_install(exam, by_torch, id);
	both = by_cann || by_torch ? NULL : opdb_newest(exam->db, exam->stack->target, STR(""));
	if (both)
		add_install(exam, both, id);
}

/* Adds nothing when no part of the target is installed. */
static void examine_stack(struct exam *exam)
{
	const enum machine_part parts[] = { exam->stack->plugin, exam->stack->sdk, exam->stack->driver,
		exam->stack->chip };
	enum doctor_verdict before = exam->doctor->verdict;
	bool there = exam->doctor->machine.devices[exam->stack->target].no_answer, misfit;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		there = there || exam->doctor->machine.parts[parts[i]].path.len;
	if (!there)
		return;
	exam->doctor->verdict = VERDICT_FITS;
	read_versions(exam);
	exam->release = exam->plugin.len ? release_of_plugin(exam) : NULL;
	if (!exam->plugin.len)
		add_fit(exam, DOCTOR_WRONG, exam->stack->plugin, "doctor.no-plugin");
	else if (!exam->release)
		add_fit(exam, DOCTOR_UNKNOWN, exam->stack->plugin, "doctor.plugin-unknown");
	if (exam->plugin.len || !exam->torch.len)
		examine_torch(exam);
	examine_build(exam);
	examine_sdk(exam);
	examine_driver(exam);
	examine_devices(exam);
	misfit = exam->doctor->verdict == VERDICT_DOES_NOT_FIT;
	examine_list(exam, exam->stack->list); /* nothing to install mends it */
	if (misfit)
		propose(exam);
	else if (before == VERDICT_DOES_NOT_FIT)
		exam->doctor->verdict = before;
}

static int add_variables(struct doctor *doctor, struct err *err)
{
	variable_list variables = { 0 };
	int status = variables_in_force(&doctor->machine.arena, &variables, err);

	for (size_t i = 0; i < variables.count; i++) {
		const struct variable *variable = &variables.items[i];
		struct doctor_row row = { .kind = DOCTOR_VARIABLE,
			.state = !variable->known       ? DOCTOR_UNKNOWN
				 : variable->look_again ? DOCTOR_CHECK
							: DOCTOR_NOTE,
			.name = variable->name,
			.value = variable->value,
			.place = variable->sources,
			.text = message_of(variable->known ? NULL : "doctor.variable-unknown"),
			.said = { variable->meaning[0], variable->meaning[1] } };

		MEM_PUSH(&doctor->rows, row);
	}
	free(variables.items);
	return status;
}

int doctor_examine(const struct machine_search *search, const struct opdb *db, struct doctor *ret, struct err *err)
{
	*ret = (struct doctor){ .verdict = VERDICT_NOTHING_FOUND };
	machine_look(search, &ret->machine);
	add_parts(ret);
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++)
		examine_stack(&(struct exam){ .doctor = ret, .db = db, .stack = &stacks[i] });
	return add_variables(ret, err);
}

void doctor_compare(struct doctor *doctor, const struct opdb *db)
{
	doctor->verdict = VERDICT_NOTHING_FOUND;
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		struct exam exam = { .doctor = doctor, .db = db, .stack = &stacks[i] };
		enum doctor_verdict before = doctor->verdict;

		read_versions(&exam);
		if (!exam.torch.len || !exam.plugin.len)
			continue;
		if (!doctor->rows.count)
			add_parts(doctor);
		doctor->verdict = VERDICT_FITS;
		exam.release = release_of_plugin(&exam);
		examine_torch(&exam);
		if (exam.sdk.len && exam.stack->target == TARGET_NPU)
			examine_cann(&exam);
		if (doctor->verdict == VERDICT_DOES_NOT_FIT)
			propose(&exam);
		else if (before == VERDICT_DOES_NOT_FIT)
			doctor->verdict = before;
	}
}

void doctor_clear(struct doctor *doctor)
{
	free(doctor->rows.items);
	machine_clear(&doctor->machine);
}

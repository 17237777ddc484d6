/* The database from a small fact text: what is stored, what is refused and where, and that the same text gives the same
   bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "tests/unit/opdb_fixture.h"
#include "tests/unit/temporary.h"

struct file {
	const char *name, *text;
};

#define SOURCES "# source\ttarget\trepository\tref\tpath\tkind\tremark\n"
#define API_CALLS "# api\tabout\tcalls\tbackward\tsource\n"
#define VERSIONS "# version\twheel\toverloads\tsource\n"
#define UNIVERSE "# op\tkind\thas\tstructured_delegate\tautogen_of\tvariants\ttags\tkeys\ttorch\n"
#define SCHEMAS "# op\tsignature\ttorch\n"
#define NPU_RELEASES                                                                                                   \
	"# "                                                                                                           \
	"release\tref\ttorch\tplugin\tkind\tdate\tcommit\top_plugin\top_plugin_branch\top_plugin_yaml\tcodegen\tkey\t" \
	"custom_ns\tfallback\tlist\trows\tdense_rows\n"
#define NPU_SUPPORT                                                                                                    \
	"# ns\top\tkey\torigin\tacl_op\top_api\tsymint\texposed_py\tinternal_format_opapi\tstatus\tnote\thost_path\t"  \
	"acl_launch\tsource\treleases\n"
#define NPU_VERSIONS "# torch\tpip\tcann\trelease\tremark\tsource\n"
#define MUSA_RELEASES "# release\tref\ttorch\tplugin\tkind\tdate\tcommit\tkey\tfallback\tlist\trows\tdense_rows\n"
#define MUSA_SUPPORT "# ns\top\tkey\torigin\tstatus\tnote\tkernel\thost_path\tsource\treleases\n"
#define REPORTED                                                                                                       \
	"# "                                                                                                           \
	"target\ttorch_version\tplugin_"                                                                               \
	"version\top\tobserved\tdetail\tsource\tdate\tchip\tdtype\tconfidence\tcondition\n"
#define APIS "# api\thardware\tsupported\tdtypes\texcluded\tremarks\tdocuments\n"
#define DOCUMENTS "# document\trelease\tref\tpath\tsource\n"
#define CHIPS "# kernel\timpl\tpath\tcondition\taction\tsource\treleases\n"
#define AUTOCAST "# op\tlist\tpath\tsource\treleases\n"
#define DTYPE_RULES "# rule\ttarget\tchips\tkernels\trefused\tuntil\treason\tsource\n"
#define KERNEL_TYPES "# op\tsays\tdtypes\tdetail\tsource\n"
#define CHIP_PEAKS "# chip\ttarget\tfamily\tfp32\ttf32\tfp16\tbf16\tint8\tbandwidth\tfloor\tassumed\tmeasured\tsource\n"
#define RATIOS "# class\tfamily\tbin\tp10\tp50\tp90\tcalls\tworkloads\n"
#define CANN "# cann\tplugin\tsource\n"
#define CASTS "# op\tkernel\targument\tdtypes\tbecomes\tpath\tplugin\tsource\tcann\n"
#define ARGUMENTS "# op\ttest\tchips\ten\tzh\tpath\tref\tsource\tcann\n"
#define UNITS "# op\tunit\tdtypes\tchips\tkernels\tnote\tcann\n"
#define LIMITS "# op\targument\ttakes\trefuses\tother\thost\tpath\tsource\treleases\n"
#define COLLECTIVES "# collective\treduce_op\tdtypes\tsupported\tnote\tpath\tsource\treleases\n"
#define COLLECTIVE_NAMES "# name\tcollective\tsource\n"
#define PACKAGE_OPS "# op\ttarget\tpackage\targument\tsince\tlast\ttakes\trefuses\thow\tnote\tskips\tpath\n"
#define GRADIENTS "# node\tforward\tcalls\ttorch\n"
#define IMPLIED "# rule\tseen\tneeds\ttarget\ttorch\tcalls\tsource\n"
#define RULES "# rule\tspecific_to\tmode\tnpu\tmusa\treached_from\treason\tsources\n"
#define RECIPES                                                                                                        \
	"# recipe\toperators\twhen\tnpu\tmusa\teffort\ttorch\tstatic\ttolerance\tsources\tcost_en\tcost_zh\ten\tzh\n"
#define RECIPE(name, when, npu, musa, tolerance, sources)                                                              \
	name "\taten::add aten::_foreach_*\t" when "\t" npu "\t" musa "\trecipe\t1.13\t1\t" tolerance "\t" sources     \
	     "\tc\tc\ta\ta\n"
#define NPU_ROW(release, torch, plugin, rows)                                                                          \
	release "\tv" release "\t" torch "\t" plugin                                                                   \
		"\tfinal\t2025-04-25\tabc\t.\t.\t.\tcodegen\tPrivateUse1\tnpu\tboxed\tlist\t" rows "\t1\n"
#define ADD "aten\tadd\tPrivateUse1\tx\t1\t1\t0\t0\t0\tnative\t.\t.\t.\tlist\t2.1.0-6.0.0..2.3.1-6.0.0\n"
#define FUSED "npu\tfused\tPrivateUse1\tx\t.\t1\t0\t0\t0\tnative\t.\t.\t.\tlist\t2.3.1-6.0.0\n"

/* In the order in which files are created; directories end in '/'. */
static const struct file text[] = {
	{ "torch/", NULL },
	{ "npu/", NULL },
	{ "musa/", NULL },
	{ "rules/", NULL },
	{ "recipes/", NULL },
	{ "cost/", NULL },
	{ "cost/chips.tsv", CHIP_PEAKS "910B2\tnpu\tnpu\t99.5\t.\t376\t.\t.\t1759\t1.2\t.\t1\tsheet\n" },
	{ "cost/ratios.tsv", RATIOS "matmul\tall\t*\t1.2\t2.5\t4\t9\t3\n" },
	{ "sources.tsv", SOURCES "list\tany\thttps://example.org/plugin\t{ref}\tlist.yaml\tsource\t.\n" },
	{ "fallbacks.tsv", "# fallback\tboxed\ttext\tsource\nboxed\t1\truns on the CPU\tlist\n" },
	{ "torch/versions.tsv", VERSIONS "2.1.0\t2.1.2\t2\tlist\n2.3.1\t2.3.1\t1\tlist\n" },
	{ "torch/universe.tsv", UNIVERSE "add\tfunctional\tcpu\t.\t.\tfunction\t.\tCPU\t2.1.0..2.3.1\n"
					 "old\tfunctional\timplicit\t.\t.\tfunction\t.\t.\t2.1.0\n" },
	{ "torch/schemas.tsv", SCHEMAS "add\t(Tensor self) -> Tensor\t2.1.0..2.3.1\n" },
	{ "torch/gradients.tsv", GRADIENTS "OldBackward0\told\told_backward\t2.1.0\n" },
	{ "npu/releases.tsv", NPU_RELEASES NPU_ROW("2.1.0-6.0.0", "2.1.0", "6.0.0", "1")
				      NPU_ROW("2.3.1-6.0.0", "2.3.1", "6.0.0", "2") },
	{ "npu/versions.tsv", NPU_VERSIONS "2.1.0\t2.1.0.post10\t8.0.0\t2.1.0-6.0.0\t.\tlist\n" },
	{ "npu/support.tsv", NPU_SUPPORT ADD FUSED },
	{ "musa/releases.tsv",
		MUSA_RELEASES "1.0.0\tv1.0.0\t2.1.0\t1.0.0\tfinal\t2023-07-11\tabc\tPrivateUse1\tboxed\tlist\t1\t1\n" },
	{ "musa/support.tsv", MUSA_SUPPORT "aten\tadd\tPrivateUse1\tx\tnative\t.\t.\t.\tlist\t1.0.0\n" },
	{ "rules/backend_rules.tsv", RULES "onednn\tcpu\tauto\tadd\tadd\tadd\tit is so\tlist\n" },
	{ "rules/backend_names.tsv", "# base\trule\nold\tonednn\n" },
	{ "rules/bodies.tsv", "# base\tbody\treason\tsource\nold\tbound\tit is so\tlist\n" },
	{ "rules/operators.tsv",
		"# rule\toperator\treached\treason\tsource\ntraining-only\taten::add\t.\tit is so\tlist\n" },
	{ "rules/renamed.tsv", "# base\tinstead\treason\tsource\nold\tadd\tit is so\tlist\n" },
	{ "namespaces.tsv", "# ns\tkind\tnpu\tmusa\tremark\tsource\nnpu\tplugin\ttorch_npu\t.\t.\tlist\n" },
	{ "rules/implied.tsv", IMPLIED "drop\told\tbackward\tnpu\t2.3.1\tadd\tlist\n" },
	{ "npu/autocast.tsv", AUTOCAST "add\tpromote\tautocast.cpp\tlist\t2.1.0-6.0.0..2.3.1-6.0.0\n" },
	{ "musa/autocast.tsv", AUTOCAST "add\tpromote\tautocast.cpp\tlist\t1.0.0\n" },
	{ "rules/dtypes.tsv", DTYPE_RULES "bf16\tnpu\t910A\tany\tbf16\t.\tit is so\tlist\n" },
	{ "npu/kernel_types.tsv", KERNEL_TYPES "add\taicpu\tint16\tAdd\tlist\n" },
	{ "npu/cann.tsv", CANN "8.5.0\t7.3.0\tlist\n9.1.0\t26.1.0\tlist\n" },
	{ "npu/units.tsv", UNITS "add\taicpu\tint64\t910A 910B\tAdd\t.\t8.5.0..9.1.0\n" },
	{ "npu/units_by_hand.tsv", UNITS },
	{ "npu/custom_units.tsv", UNITS },
	{ "npu/arguments.tsv",
		ARGUMENTS "add\trank:self>8\t910B\ttoo many\ttoo many\tadd.cpp:4\t9.1.0\tlist\t8.5.0\n" },
	{ "npu/arguments_by_hand.tsv", ARGUMENTS },
	{ "npu/custom_arguments.tsv", ARGUMENTS },
	{ "npu/plugin_arguments.tsv", "# op\ttest\tchips\ten\tzh\tpath\tref\tsource\treleases\n"
				      "add\trank:self>4\t.\ttoo many\ttoo many\tadd.cpp:4\tabc\tlist\t2.1.0-6.0.0\n" },
	{ "npu/custom_calls.tsv", "# op\tcall\tpath\tplugin\tsource\n" },
	{ "musa/arguments.tsv", "# op\ttest\ten\tzh\tpath\tsource\treleases\n"
				"add\trank:self>8\ttoo many\ttoo many\tadd.cpp:4\tlist\t1.0.0\n" },
	{ "musa/arguments_by_hand.tsv", "# op\ttest\ten\tzh\tpath\tsource\treleases\n" },
	{ "npu/calls.tsv", "# op\tcall\tpath\tplugin\tsource\nadd\taclnnAdd\tadd.cpp:1\t7.3.0\tlist\n" },
	{ "npu/casts.tsv", CASTS "add\tacl_op\tself\tbool\tint32\tadd.cpp:1\t7.3.0\tlist\t8.5.0..9.1.0\n" },
	{ "npu/slow_casts.tsv", "# from\tto\tchips\tsource\tcann\nfp32\tfp64\t910A 910B\tlist\t8.5.0..9.1.0\n" },
	{ "npu/aclnn.tsv", "# call\tpath\tref\tsource\naclnnAdd\tadd.cpp:2\t9.1.0\tlist\n" },
	{ "npu/unit_conditions.tsv",
		"# kernel\tdecided\ttest\ten\tzh\tusual_ppm\tsource\nAdd\tshape\t.\tbig\tbig\t.\tlist\n" },
	{ "musa/kernel_limits.tsv", LIMITS "add\tself\tfp32\t.\tmudnn\t.\tadd.cpp:3\tlist\t1.0.0\n" },
	{ "musa/limits_by_hand.tsv", LIMITS },
	{ "musa/tested_types.tsv", "# op\ttypes\tpath\tsource\treleases\nadd\tfp32\ttest.py\tlist\t1.0.0\n" },
	{ "npu/collectives.tsv", COLLECTIVES "send\t.\tfp32\t1\t.\tp.cpp:4\tlist\t2.1.0-6.0.0..2.3.1-6.0.0\n" },
	{ "musa/collectives.tsv", COLLECTIVES "send\t.\tfp32\t1\t.\tp.cpp:4\tlist\t1.0.0\n" },
	{ "rules/collective_names.tsv", COLLECTIVE_NAMES "c10d::send\tsend\tlist\n" },
	{ "package_sources.tsv", "# package\tinstalls\tnewest\tsource\nvision_npu\tvision_npu\t2.0\t.\n" },
	{ "package_builds.tsv", "# package\tversion\tsource\ttorch\nvision_npu\t2.0\tlist\t2.1.0\n" },
	{ "package_ops.tsv",
		PACKAGE_OPS "vision::nms\tnpu\tvision_npu\t.\t1.0\t2.0\tfp32\t.\tnative kernel\t.\tfp64\tn.cpp\n" },
	{ "reported.tsv", REPORTED
		"npu\t2.1.0\t.\taten::add.out\tcpu_fallback\t.\ta user\t2025-05-01\t910B\tint64\tstrict\t.\n" },
	{ "torch/apis.tsv", API_CALLS "torch.add\tadd old\tadd=1\tadd=0.5 old=1\tlist\n" },
	{ "torch/leaves.tsv", "# op\tcalls\tsource\nold\tadd\tlist\n" },
	{ "npu/documents.tsv", DOCUMENTS "2.1.0-6.0.0\t2.1.0-6.0.0\tv2\tdocs\tlist\n"
					 "2.3.1-6.0.0\t.\tv2\tdocs\tlist\n" },
	{ "npu/apis.tsv", APIS "torch.add\tall\tyes\tfp32\t.\t.\t2.1.0-6.0.0..2.3.1-6.0.0\n" },
	{ "npu/chips.tsv", CHIPS "add\top_api\tadd.cpp\t<Ascend910B1\tacl_op path\tlist\t2.1.0-6.0.0\n" },
	{ "packages.tsv", "# target\tns\top\tkey\tpackage\tpath\tsource\tpackage_refs\n"
			  "npu\tvision\tnms\tPrivateUse1\tvision_npu\tnms.cpp\tlist\tmain\n" },
	{ "recipes/recipes.tsv", RECIPES RECIPE("bare", "off-device", "2.3.1-6.0.0", "*", "exact", "general") },
	{ "recipes/bare.py", "import torch\n" },
};

/* A directory with the text in it, and the database that is made of it. */
struct place {
	char directory[256], database[320];
};

static void write_text(const char *directory, const struct file *file, const char *contents)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);

	buf_printf(&path, "%s/%s", directory, file->name);
	if (file->text)
		file_write(buf_text(&path), str_from(contents));
	else
		assert_int_equal(mkdir(buf_text(&path), 0700), 0);
}

static int make_place(void **state)
{
	struct place *place = mem_zalloc(sizeof(*place));

	assert_non_null(mkdtemp(temporary_path(place->directory, sizeof(place->directory))));
	snprintf(place->database, sizeof(place->database), "%s/out", place->directory);
	for (size_t i = 0; i < ARRAY_SIZE(text); i++)
		write_text(place->directory, &text[i], text[i].text);
	*state = place;
	return 0;
}

static int remove_place(void **state)
{
	struct place *place = *state;

	unlink(place->database);
	for (size_t i = ARRAY_SIZE(text); i-- > 0;) {
		CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);

		buf_printf(&path, "%s/%s", place->directory, text[i].name);
		if (text[i].text)
			unlink(buf_text(&path));
		else
			rmdir(buf_text(&path));
	}
	/* fails when a temporary file was left behind */
	assert_int_equal(rmdir(place->directory), 0);
	free(place);
	return 0;
}

static void a_small_text_becomes_a_database(void **state)
{
	const struct place *place = *state;
	struct err err = { 0 };
	struct opdb *db = NULL;
	const struct opdb_info *info;

	assert_int_equal(opdb_build(place->directory, place->database, &err), 0);
	assert_int_equal(opdb_open(place->database, &db, &err), 0);
	info = opdb_info(db);
	assert_str(info->built_at, "2025-04-25T00:00:00Z");
	assert_int_equal(info->sha256.len, 64);
	assert_true(str_starts(info->sha256, info->build));
	assert_int_equal(info->releases, 3);
	assert_int_equal(info->torch_versions, 2);
	assert_int_equal(info->names, 5);
	assert_int_equal(info->facts, 3);
	opdb_close(db);
}

static void the_same_text_gives_the_same_bytes(void **state)
{
	const struct place *place = *state;
	CLEANUP(buf_clear) struct buf first = BUF_INIT(10 << 20);
	CLEANUP(buf_clear) struct buf second = BUF_INIT(10 << 20);
	struct err err = { 0 };

	assert_int_equal(opdb_build(place->directory, place->database, &err), 0);
	file_read(place->database, &first);
	assert_int_equal(opdb_build(place->directory, place->database, &err), 0);
	file_read(place->database, &second);
	assert_true(str_eq(buf_str(&first), buf_str(&second)));
}

static void source_date_epoch_says_when_it_was_built(void **state)
{
	const struct place *place = *state;
	struct err err = { 0 };
	struct opdb *db = NULL;

	setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
	assert_int_equal(opdb_build(place->directory, place->database, &err), 0);
	assert_int_equal(opdb_open(place->database, &db, &err), 0);
	assert_str(opdb_info(db)->built_at, "2023-11-14T22:13:20Z");
	opdb_close(db);
	setenv("SOURCE_DATE_EPOCH", "yesterday", 1);
	assert_int_equal(opdb_build(place->directory, place->database, &err), -ERR_VALUE);
	unsetenv("SOURCE_DATE_EPOCH");
}

static void an_error_in_the_text_has_its_line_and_leaves_the_database_alone(void **state)
{
	static const struct {
		const char *file, *contents, *where, *message;
	} cases[] = {
		{ "sources.tsv", SOURCES "list\tany\tgit://example.org\tx\ty\tsource\t.\n", "sources.tsv:2",
			"repository \"git://example.org\" is not an https address" },
		{ "sources.tsv", SOURCES "list\tcuda\thttps://example.org\tx\ty\tsource\t.\n", "sources.tsv:2",
			"CHECK constraint failed: target IN ('npu', 'musa', 'any')" },
		{ "torch/versions.tsv", VERSIONS "2.1.0\t2.1.2\t2\tnowhere\n", "torch/versions.tsv:2",
			"unknown source \"nowhere\"" },
		{ "torch/versions.tsv", VERSIONS "2.1.0\t.\t1\tlist\n2.1.0\t.\t1\tlist\n", "torch/versions.tsv:3",
			"\"2.1.0\" exists already" },
		{ "torch/versions.tsv", VERSIONS "2.1.0\t.\tmany\tlist\n", "torch/versions.tsv:2",
			"a count of rows is not a number" },
		{ "torch/versions.tsv", VERSIONS "2.1.0\t2.1.2\t2\tlist\n2.3.1\t2.3.1\t7\tlist\n",
			"torch/versions.tsv:3", "\"2.3.1\" has 7 rows (0 dense), but its facts are 1 rows (0 dense)" },
		{ "torch/universe.tsv", UNIVERSE "add\tfunctional\tgpu\t.\t.\tfunction\t.\t.\t2.1.0\n",
			"torch/universe.tsv:2",
			"\"gpu\" is not a list of cpu, cuda, implicit, explicit, nonfunctional, structured, view" },
		{ "torch/universe.tsv", UNIVERSE "add\todd\tcpu\t.\t.\tfunction\t.\t.\t2.1.0\n", "torch/universe.tsv:2",
			"CHECK constraint failed: kind IN ('functional', 'inplace', 'out', 'mutable')" },
		{ "torch/universe.tsv", UNIVERSE "add\tfunctional\tcpu\t.\t.\tfunction\t.\t.\t2.1.0..9.9.9\n",
			"torch/universe.tsv:2", "unknown release or version \"9.9.9\" in the span" },
		{ "torch/universe.tsv", UNIVERSE "add\tfunctional\tcpu\t.\t.\tfunction\t.\t.\t2.3.1..2.1.0\n",
			"torch/universe.tsv:2", "the span up to \"2.1.0\" ends before it begins" },
		{ "torch/universe.tsv",
			UNIVERSE
			"old\tfunctional\tcpu\t.\t.\t.\t.\t.\t2.1.0\nadd\tfunctional\tcpu\t.\t.\t.\t.\t.\t2.1.0\n",
			"torch/universe.tsv:3", "the row is out of order or there twice" },
		{ "torch/universe.tsv",
			UNIVERSE
			"add\tfunctional\tcpu\t.\t.\t.\t.\t.\t2.1.0..2.3.1\nadd\tout\tcpu\t.\t.\t.\t.\t.\t2.3.1\n",
			"torch/universe.tsv:3", "a row of the same key covers \"2.3.1\" too" },
		{ "torch/schemas.tsv", SCHEMAS "add\tadd(Tensor self)\t2.1.0\n", "torch/schemas.tsv:2",
			"a signature begins with \"(\"" },
		{ "torch/gradients.tsv", GRADIENTS "OldBackward0\told\t.\t9.9.9\n", "torch/gradients.tsv:2",
			"unknown release or version \"9.9.9\" in the span" },
		{ "rules/implied.tsv", IMPLIED "drop\told\tluck\tnpu\t.\tadd\tlist\n", "rules/implied.tsv:2",
			"\"luck\" is not a list of backward, optimizer, fp16" },
		{ "rules/implied.tsv", IMPLIED "drop\told\t.\tnpu\t9.9.9\tadd\tlist\n", "rules/implied.tsv:2",
			"unknown version of PyTorch \"9.9.9\"" },
		{ "npu/releases.tsv", NPU_RELEASES NPU_ROW("2.1.0-6.0.0", "2.9.9", "6.0.0", "1"), "npu/releases.tsv:2",
			"unknown version of PyTorch \"2.9.9\"" },
		{ "npu/releases.tsv",
			NPU_RELEASES NPU_ROW("2.1.0-6.0.0", "2.1.0", "6.0.0", "1")
				NPU_ROW("2.3.1-6.0.0", "2.3.1", "6.0.0", "3"),
			"npu/releases.tsv:3",
			"\"2.3.1-6.0.0\" has 3 rows (1 dense), but its facts are 2 rows (1 dense)" },
		{ "npu/versions.tsv", NPU_VERSIONS "2.1.0\t2.1.0\t8.0.0\t2.1.0-9.9.9\t.\tlist\n", "npu/versions.tsv:2",
			"unknown release \"2.1.0-9.9.9\"" },
		{ "npu/versions.tsv", NPU_VERSIONS "2.1.0\t2.1.0\t8.0.0\t2.1.0-6.0.0\tno-facts\tlist\n",
			"npu/versions.tsv:2", "release \"2.1.0-6.0.0\" has facts" },
		{ "npu/versions.tsv", NPU_VERSIONS "2.1.0\t2.1.0\t8.0.0\t2.1.0-6.0.0\tgamma\tlist\n",
			"npu/versions.tsv:2", "\"gamma\" is not a list of beta, no-facts" },
		{ "npu/support.tsv", NPU_SUPPORT ADD ADD FUSED, "npu/support.tsv:3",
			"the row is out of order or there twice" },
		{ "npu/support.tsv",
			NPU_SUPPORT "aten\tadd\tPrivateUse1\tx\t1\t1\t0\t0\t0\tfine\t.\t.\t.\tlist\t2.1.0-6.0.0\n",
			"npu/support.tsv:2",
			"CHECK constraint failed: status IN ('native', 'native-jit', 'composite', 'cpu-fallback', "
			"'blocked', "
			"'fallthrough')" },
		{ "musa/releases.tsv",
			MUSA_RELEASES "1.0.0\tv1.0.0\t2.1.0\t1.0.0\tfinal\tJuly\tabc\tPrivateUse1\tboxed\tlist\t1\t1\n",
			"musa/releases.tsv:2", "\"July\" is not a date" },
		{ "musa/releases.tsv",
			MUSA_RELEASES
			"1.0.0\tv1.0.0\t2.1.0\t1.0.0\tfinal\t2023-07-11\tabc\tPrivateUse1\tnever\tlist\t1\t1\n",
			"musa/releases.tsv:2", "unknown fallback \"never\"" },
		{ "rules/backend_rules.tsv", RULES "r\tcpu\tauto\t_foreach_*\t.\tadd\tso\tlist\n",
			"rules/backend_rules.tsv:2", "only a manual rule may name \"_foreach_*\" with a star" },
		{ "rules/backend_rules.tsv", RULES "onednn\tcpu\tauto\t.\t.\tadd\tso\tlist nothing\n",
			"rules/backend_rules.tsv:2", "unknown source \"nothing\"" },
		{ "rules/backend_names.tsv", "# base\trule\nold\tnone\n", "rules/backend_names.tsv:2",
			"unknown rule \"none\"" },
		{ "rules/backend_names.tsv", "# base\trule\nold\tonednn\nold\tonednn\n", "rules/backend_names.tsv:3",
			"UNIQUE constraint failed: rule_name.base" },
		{ "reported.tsv", REPORTED "npu\t.\t.\tadd\tnative\t.\ta user\t.\t.\t.\t.\t.\n", "reported.tsv:2",
			"an operator is written with its namespace, such as aten::add" },
		{ "reported.tsv", REPORTED "npu\t.\t.\taten::add\tnative\t.\ta user\tlast May\t.\t.\t.\t.\n",
			"reported.tsv:2", "\"last May\" is not a date" },
		{ "reported.tsv", REPORTED "npu\t.\t.\taten::add\tfine\t.\ta user\t.\t.\t.\t.\t.\n", "reported.tsv:2",
			"CHECK constraint failed: observed IN ('native', 'cpu_fallback', 'not_implemented', "
			"'dtype_limited', 'dynamic_shape', 'aicpu', 'crash', 'wrong_result')" },
		{ "npu/documents.tsv", DOCUMENTS "d\t9.9.9-6.0.0\tv2\tdocs\tlist\n", "npu/documents.tsv:2",
			"unknown release \"9.9.9-6.0.0\"" },
		{ "torch/apis.tsv", API_CALLS "torch.add\t.\tadd\t.\tlist\n", "torch/apis.tsv:2",
			"\"add\" is not an operator with its share" },
		{ "torch/apis.tsv", API_CALLS "torch.add\t.\tadd=1\tadd=1.01\tlist\n", "torch/apis.tsv:2",
			"CHECK constraint failed: share BETWEEN 1 AND 100" },
		{ "npu/apis.tsv", APIS "torch.add\tall\tmaybe\t.\t.\t.\t2.1.0-6.0.0\n", "npu/apis.tsv:2",
			"CHECK constraint failed: supported IN ('yes', 'no', 'blank')" },
		{ "npu/apis.tsv",
			APIS "torch.add\tall\tyes\tfp32\t.\t.\t2.1.0-6.0.0..2.3.1-6.0.0\n"
			     "torch.add\tall\tno\t.\t.\t.\t2.3.1-6.0.0\n",
			"npu/apis.tsv:3", "a row of the same key covers \"2.3.1-6.0.0\" too" },
		{ "npu/apis.tsv", APIS "torch.add\tall\tyes\tfp31\t.\t.\t2.1.0-6.0.0\n", "npu/apis.tsv:2",
			"\"fp31\" is not a list of data types" },
		{ "rules/dtypes.tsv", DTYPE_RULES "bf16\tnpu\t910A\tany\tbf17\t.\tit is so\tlist\n",
			"rules/dtypes.tsv:2", "\"bf17\" is not a list of data types" },
		{ "rules/dtypes.tsv", DTYPE_RULES "bf16\tmusa\t.\tany\tbf16\t2.1.0-6.0.0\tit is so\tlist\n",
			"rules/dtypes.tsv:2", "unknown release \"2.1.0-6.0.0\"" },
		{ "npu/units.tsv", UNITS "add\taicpu\tint64\t910A 911\tAdd\t.\t8.5.0\n", "npu/units.tsv:2",
			"\"911\" is not a family of NPUs" },
		{ "npu/chips.tsv", CHIPS "add\tdvm\tadd.cpp\t.\t.\tlist\t2.1.0-6.0.0\n", "npu/chips.tsv:2",
			"CHECK constraint failed: impl IN ('acl_op', 'op_api')" },
		{ "recipes/recipes.tsv", RECIPES RECIPE("../bare", "dtype", "*", "*", "exact", "general"),
			"recipes/recipes.tsv:2", "\"../bare\" is not a name of small letters, digits and hyphens" },
		{ "recipes/recipes.tsv", RECIPES RECIPE("bare", "never", "*", "*", "exact", "general"),
			"recipes/recipes.tsv:2",
			"\"never\" is none of off-device, shapes, dtype, dtype:TYPE,..., always" },
		{ "recipes/recipes.tsv", RECIPES RECIPE("bare", "shapes dtype:fp64,fp65", "*", "*", "exact", "general"),
			"recipes/recipes.tsv:2",
			"\"dtype:fp64,fp65\" is none of off-device, shapes, dtype, dtype:TYPE,..., always" },
		{ "recipes/recipes.tsv", RECIPES RECIPE("bare", "dtype", "9.9", "*", "exact", "general"),
			"recipes/recipes.tsv:2", "\"9.9\" is unknown or ends before it begins" },
		{ "recipes/recipes.tsv", RECIPES RECIPE("bare", "dtype", "*", "*", "small", "general"),
			"recipes/recipes.tsv:2", "tolerance \"small\" is neither a number nor exact" },
		{ "recipes/recipes.tsv", RECIPES RECIPE("bare", "dtype", "*", "*", "1e-5", "hearsay"),
			"recipes/recipes.tsv:2", "source \"hearsay\" is neither an https address nor \"general\"" },
		{ "recipes/recipes.tsv",
			RECIPES RECIPE("bare", "dtype", "*", "*", "1e-5", "general")
				RECIPE("bare", "dtype", "*", "*", "1e-5", "general"),
			"recipes/recipes.tsv:3", "\"bare\" exists already" },
		{ "rules/collective_names.tsv", COLLECTIVE_NAMES "c10d::\tsend\tlist\n", "rules/collective_names.tsv:2",
			"an operator is written with its namespace, such as aten::add" },
		{ "package_ops.tsv", PACKAGE_OPS "vision::nms\tnpu\tvision_npu\t.\t1.0\t2.0\tfp31\t.\t.\t.\t.\tn.cpp\n",
			"package_ops.tsv:2", "\"fp31\" is not a list of data types" },
		{ "package_builds.tsv", "# package\tversion\tsource\ttorch\nvision_npu\t2.0\tlist\t9.9\n",
			"package_builds.tsv:2", "unknown release or version \"9.9\" in the span" },
		{ "cost/chips.tsv", CHIP_PEAKS "910B2\tnpu\tnpu\t-1\t.\t376\t.\t.\t1759\t1.2\t.\t1\tsheet\n",
			"cost/chips.tsv:2", "the cell of column \"fp32\" does not fit" },
		{ "cost/chips.tsv", CHIP_PEAKS "910B2\tnpu\tnpu\t9\t.\t376\t.\t.\t.\t1.2\t.\t1\tsheet\n",
			"cost/chips.tsv:2", "the cell of column \"bandwidth\" does not fit" },
		{ "cost/ratios.tsv", RATIOS "matmul\tall\tl\t1.2\t2.5\t2.4\t9\t3\n", "cost/ratios.tsv:2",
			"the cell of column \"p90\" does not fit" },
		{ "cost/ratios.tsv", RATIOS "matmull\tall\tl\t1\t2\t3\t9\t3\n", "cost/ratios.tsv:2",
			"the cell of column \"class\" does not fit" },
		{ "namespaces.tsv", "# ns\tkind\n", "namespaces.tsv:1", "column \"npu\" is missing" },
	};
	const struct place *place = *state;

	file_write(place->database, STR("what was there before"));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct file *file = text;
		CLEANUP(buf_clear) struct buf kept = BUF_INIT(100);
		struct err err = { 0 };

		while (!str_eq(str_from(file->name), str_from(cases[i].file)))
			file++;
		write_text(place->directory, file, cases[i].contents);
		assert_int_equal(opdb_build(place->directory, place->database, &err), -ERR_FACT);
		assert_string_equal(err.text, cases[i].message);
		assert_string_equal(err.where, cases[i].where);
		write_text(place->directory, file, file->text);
		file_read(place->database, &kept);
		assert_str(buf_str(&kept), "what was there before");
	}
}

static void a_missing_file_and_a_place_that_cannot_be_written_are_errors(void **state)
{
	const struct place *place = *state;
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);
	struct err err = { 0 };

	assert_int_equal(opdb_build("/nonexistent", place->database, &err), -ERR_FACT);
	assert_int_equal(opdb_build(place->directory, "/nonexistent/opdb.sqlite", &err), -ERR_OUTPUT);
	buf_printf(&path, "%s/packages.tsv", place->directory);
	unlink(buf_text(&path));
	assert_int_equal(opdb_build(place->directory, place->database, &err), -ERR_FACT);
	assert_non_null(strstr(err.text, "packages.tsv: No such file"));
}

#define BUILD_TEST(function) cmocka_unit_test_setup_teardown(function, make_place, remove_place)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		BUILD_TEST(a_small_text_becomes_a_database),
		BUILD_TEST(the_same_text_gives_the_same_bytes),
		BUILD_TEST(source_date_epoch_says_when_it_was_built),
		BUILD_TEST(an_error_in_the_text_has_its_line_and_leaves_the_database_alone),
		BUILD_TEST(a_missing_file_and_a_place_that_cannot_be_written_are_errors),
	};

	unsetenv("SOURCE_DATE_EPOCH");
	return run_group(tests);
}

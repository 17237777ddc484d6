#include "opdb/build.h"

#include "base/mem.h"

static int add_fallback(struct build *build, const struct tsv *tsv, struct err *err)
{
	if (!axis_add(&build->fallbacks, tsv->cells[0]))
		return tsv_error(tsv, err, "fallback \"%.*s\" is there already", STR_ARG(tsv->cells[0]));
	MEM_PUSH(&build->fallback, ((struct fallback){ tsv->cells[1], tsv->cells[2], tsv->cells[3] }));
	return 0;
}

bool build_is_date(struct str text)
{
	static const struct str shape = { "0000-00-00", 10 };

	for (size_t i = 0; i < text.len && i < shape.len; i++) {
		if (shape.ptr[i] == '0' ? !is_digit(text.ptr[i]) : text.ptr[i] != shape.ptr[i])
			return false;
	}
	return text.len == shape.len;
}

/* The computed parameters that both targets share. */
static int bind_release(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str date = build_cell(build, tsv, "date"), torch = build_cell(build, tsv, "torch");
	struct str word = build_cell(build, tsv, "fallback");
	const struct fallback *fallback;
	unsigned place;
	int code;

	if (!build_is_date(date))
		return tsv_error(tsv, err, "\"%.*s\" is no date", STR_ARG(date));
	if (str_cmp(date, build->newest_date) > 0)
		build->newest_date = date;
	if (!axis_find(&build->torch.axis, torch, &place))
		return tsv_error(tsv, err, "unknown version of PyTorch \"%.*s\"", STR_ARG(torch));
	build_bind(build, ":torch", place);
	if (!axis_find(&build->fallbacks, word, &place))
		return tsv_error(tsv, err, "unknown fallback \"%.*s\"", STR_ARG(word));
	fallback = &build->fallback.items[place];
	build_bind_text(build, ":boxed", fallback->boxed);
	build_bind_text(build, ":fallback", fallback->text);
	code = build_bind_source(build, tsv, fallback->source, ":fallback_source", err);
	return code ? code : build_bind_source(build, tsv, build_cell(build, tsv, "list"), ":list", err);
}

static int add_release(struct build *build, const struct tsv *tsv, enum target_kind target, struct err *err)
{
	unsigned dense = str_eq(build_cell(build, tsv, "key"), STR("XLA")) ? DENSE_XLA : DENSE_PRIVATEUSE1;
	int code = timeline_add(&build->releases[target], tsv, tsv->cells[0], build_cell(build, tsv, "rows"),
		build_cell(build, tsv, "dense_rows"), dense, err);

	if (code)
		return code;
	build_bind(build, ":place", (int64_t)build->releases[target].count - 1);
	code = bind_release(build, tsv, err);
	return code ? code : build_insert(build, tsv, err);
}

static int add_npu_release(struct build *build, const struct tsv *tsv, struct err *err)
{
	return add_release(build, tsv, TARGET_NPU, err);
}

static int add_musa_release(struct build *build, const struct tsv *tsv, struct err *err)
{
	return add_release(build, tsv, TARGET_MUSA, err);
}

static int add_package_version(struct build *build, const struct tsv *tsv, struct err *err)
{
	struct str release = build_cell(build, tsv, "release"), remarks = build_cell(build, tsv, "remark"), remark;
	bool beta = false, known = true;
	unsigned place;
	int code;

	while (remarks.len && str_cut(&remarks, ' ', &remark)) {
		if (str_eq(remark, STR("beta")))
			beta = true;
		else if (str_eq(remark, STR("no-facts")))
			known = false;
		else
			return tsv_error(tsv, err, "unknown remark \"%.*s\"", STR_ARG(remark));
	}
	if (known != axis_find(&build->releases[TARGET_NPU].axis, release, &place))
		return tsv_error(
			tsv, err, known ? "unknown release \"%.*s\"" : "release \"%.*s\" has facts", STR_ARG(release));
	build_bind(build, ":known", known);
	build_bind(build, ":beta", beta);
	code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);
	return code ? code : build_insert(build, tsv, err);
}

/* The enum dense_key of a dispatch key in aten, or 0. */
static unsigned dense_key(struct str ns, struct str key)
{
	if (!str_eq(ns, STR("aten")))
		return 0;
	return str_eq(key, STR("XLA")) ? DENSE_XLA : str_eq(key, STR("PrivateUse1")) ? DENSE_PRIVATEUSE1 : 0;
}

static int add_support(struct build *build, const struct tsv *tsv, enum target_kind target, struct err *err)
{
	unsigned dense = dense_key(build_cell(build, tsv, "ns"), build_cell(build, tsv, "key"));
	int code = build_bind_source(build, tsv, build_cell(build, tsv, "source"), ":source", err);

	if (code)
		return code;
	build_bind_base(build, build_cell(build, tsv, "op"));
	return build_insert_spans(build, tsv, &build->releases[target], dense, err);
}

static int add_npu_support(struct build *build, const struct tsv *tsv, struct err *err)
{
	return add_support(build, tsv, TARGET_NPU, err);
}

static int add_musa_support(struct build *build, const struct tsv *tsv, struct err *err)
{
	return add_support(build, tsv, TARGET_MUSA, err);
}

static int check_npu(struct build *build, struct err *err)
{
	return timeline_check(&build->releases[TARGET_NPU], STR("npu/releases.tsv"), err);
}

static int check_musa(struct build *build, struct err *err)
{
	return timeline_check(&build->releases[TARGET_MUSA], STR("musa/releases.tsv"), err);
}

const struct fact_table release_tables[] = {
	{
		.file = "fallbacks.tsv",
		.columns = "fallback boxed text source",
		.row = add_fallback,
	},
	{
		.file = "npu/releases.tsv",
		.columns = "release ref torch plugin kind date commit op_plugin op_plugin_branch op_plugin_yaml "
			   "codegen key custom_ns"
			   " fallback list rows dense_rows",
		.insert = "INSERT INTO release VALUES ('npu', :place, :release, :ref, :torch, :plugin, :kind, :date, "
			  ":commit,"
			  " :op_plugin, :op_plugin_yaml, :codegen, :key, :boxed, :fallback, :fallback_source, :list)",
		.row = add_npu_release,
	},
	{
		.file = "npu/versions.tsv",
		.columns = "torch pip cann release remark source",
		.insert = "INSERT INTO package_version (torch, pip, cann, release, known, beta, source)"
			  " VALUES (:torch, :pip, :cann, :release, :known, :beta, :source)",
		.row = add_package_version,
	},
	{
		.file = "npu/support.tsv",
		.columns = "ns op key origin acl_op op_api symint exposed_py internal_format_opapi status note "
			   "host_path acl_launch"
			   " source releases",
		.insert = "INSERT INTO support VALUES (:ns, :base, 'npu', :op, :key, :first, :last, :status, :origin, "
			  ":acl_op,"
			  " :op_api, :acl_launch, :symint, :exposed_py, :internal_format_opapi, :host_path, '', :note, "
			  ":source)",
		.keys = 3,
		.row = add_npu_support,
		.end = check_npu,
	},
	{
		.file = "musa/releases.tsv",
		.columns = "release ref torch plugin kind date commit key fallback list rows dense_rows",
		.insert = "INSERT INTO release VALUES ('musa', :place, :release, :ref, :torch, :plugin, :kind, :date, "
			  ":commit,"
			  " '', '', '', :key, :boxed, :fallback, :fallback_source, :list)",
		.row = add_musa_release,
	},
	{
		.file = "musa/support.tsv",
		.columns = "ns op key origin status note kernel host_path source releases",
		.insert = "INSERT INTO support VALUES (:ns, :base, 'musa', :op, :key, :first, :last, :status, :origin, "
			  "'', '', '',"
			  " '', '', '', :host_path, :kernel, :note, :source)",
		.keys = 3,
		.row = add_musa_support,
		.end = check_musa,
	},
	{ .file = NULL },
};

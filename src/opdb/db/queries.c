#include "opdb/db/queries.h"

#include <sqlite3.h>

#include "opdb/db/apis.h"
#include "opdb/db/fact_rows.h"
#include "opdb/db/names.h"
#include "opdb/db/table_row.h"
#include "opdb/model/dtype.h"
#include "record/kinds.h"

ROW_WORDS(overload_kinds, STR("functional"), STR("inplace"), STR("out"), STR("mutable"));
ROW_WORDS(kernel_statuses, STR("native"), STR("native-jit"), STR("composite"), STR("cpu-fallback"), STR("blocked"),
	STR("fallthrough"));
ROW_WORDS(says_words, STR("takes"), STR("aicpu"));
ROW_WORDS(support_words, [API_NOT_SAID] = STR("blank"), [API_SUPPORTED] = STR("yes"), [API_NOT_SUPPORTED] = STR("no"));

static const struct kind kind_percent = { "percent", "integer", MEMBER_UNSIGNED, .most = 100 };

/* clang-format off */

static const struct record torch_record = { sizeof(struct torch_row), (const struct field[]){
	{ "op", &kind_text, AT(torch_row, op) },
	{ "first", &kind_torch, AT(torch_row, fact.first) },
	{ "last", &kind_torch, AT(torch_row, fact.last) },
	{ "kind", &kind_enum, AT(torch_row, fact.kind), .words = &overload_kinds },
	{ "has", &kind_text, AT(torch_row, has) },
	{ "structured_delegate", &kind_text, AT(torch_row, fact.structured_delegate) },
	{ "autogen_of", &kind_text, AT(torch_row, fact.autogen_of) },
	{ "tags", &kind_text, AT(torch_row, fact.tags) },
	{ "keys", &kind_text, AT(torch_row, fact.keys) },
	{ 0 } } };

static const struct record signature_record = { sizeof(struct signature_row), (const struct field[]){
	{ "op", &kind_text, AT(signature_row, op) },
	{ "first", &kind_torch, AT(signature_row, signature.first) },
	{ "last", &kind_torch, AT(signature_row, signature.last) },
	{ "text", &kind_text, AT(signature_row, signature.text) },
	{ 0 } } };

static const struct record kernel_record = { sizeof(struct kernel_row), (const struct field[]){
	{ "op", &kind_text, AT(kernel_row, op) },
	{ "target", &kind_enum, AT(kernel_row, kernel.target), .words = &target_words },
	{ "key", &kind_text, AT(kernel_row, key) },
	{ "first", &kind_release, AT(kernel_row, kernel.first) },
	{ "last", &kind_release, AT(kernel_row, kernel.last) },
	{ "status", &kind_enum, AT(kernel_row, kernel.status), .words = &kernel_statuses },
	{ "origin", &kind_text, AT(kernel_row, kernel.origin) },
	{ "acl_op", &kind_text, AT(kernel_row, acl_op) },
	{ "op_api", &kind_text, AT(kernel_row, op_api) },
	{ "acl_launch", &kind_text, AT(kernel_row, acl_launch) },
	{ "host_path", &kind_text, AT(kernel_row, kernel.host_path) },
	{ "note", &kind_text, AT(kernel_row, kernel.note) },
	{ "source", &kind_source, AT(kernel_row, kernel.source) },
	{ 0 } } };

static const struct record package_record = { sizeof(struct package_kernel), (const struct field[]){
	{ "target", &kind_enum, AT(package_kernel, target), .words = &target_words },
	{ "package", &kind_text, AT(package_kernel, package) },
	{ "path", &kind_text, AT(package_kernel, path) },
	{ "refs", &kind_text, AT(package_kernel, refs) },
	{ "source", &kind_source, AT(package_kernel, source) },
	{ 0 } } };

static const struct record report_record = { sizeof(struct report_row), (const struct field[]){
	{ "target", &kind_enum, AT(report_row, target), .words = &target_words },
	{ "op", &kind_text, AT(report_row, op) },
	{ "torch", &kind_text, AT(report_row, torch) },
	{ "plugin", &kind_text, AT(report_row, plugin) },
	{ "observed", &kind_enum, AT(report_row, observed), .words = &observed_words },
	{ "detail", &kind_text, AT(report_row, detail) },
	{ "source", &kind_text, AT(report_row, source) },
	{ "date", &kind_text, AT(report_row, date) },
	{ "chip", &kind_text, AT(report_row, chip) },
	{ "dtype", &kind_dtypes, AT(report_row, dtypes) },
	{ "confidence", &kind_text, AT(report_row, confidence) },
	{ "condition", &kind_text, AT(report_row, condition) },
	{ 0 } } };

static const struct record api_record = { sizeof(struct api_row), (const struct field[]){
	{ "api", &kind_text, AT(api_row, api) },
	{ "hardware", &kind_text, AT(api_row, hardware) },
	{ "first", &kind_document, AT(api_row, first) },
	{ "last", &kind_document, AT(api_row, last) },
	{ "supported", &kind_text, AT(api_row, supported) },
	{ "dtypes", &kind_dtypes, AT(api_row, dtypes) },
	{ "excluded", &kind_dtypes, AT(api_row, excluded) },
	{ "remarks", &kind_text, AT(api_row, remarks) },
	{ 0 } } };

static const struct record chip_record = { sizeof(struct chip_row), (const struct field[]){
	{ "path", &kind_text, AT(chip_row, path) },
	{ "condition", &kind_text, AT(chip_row, condition) },
	{ "first", &kind_release, AT(chip_row, first) },
	{ "last", &kind_release, AT(chip_row, last) },
	{ "action", &kind_text, AT(chip_row, action) },
	{ "source", &kind_source, AT(chip_row, source) },
	{ 0 } } };

static const struct record autocast_record = { sizeof(struct autocast_row), (const struct field[]){
	{ "op", &kind_text, AT(autocast_row, op) },
	{ "target", &kind_enum, AT(autocast_row, target), .words = &target_words },
	{ "list", &kind_text, AT(autocast_row, list) },
	{ "first", &kind_release, AT(autocast_row, first) },
	{ "last", &kind_release, AT(autocast_row, last) },
	{ "path", &kind_text, AT(autocast_row, path) },
	{ "source", &kind_source, AT(autocast_row, source) },
	{ 0 } } };

static const struct record leaf_record = { sizeof(struct leaf), (const struct field[]){
	{ "op", &kind_text, AT(leaf, op) },
	{ "calls", &kind_text, AT(leaf, calls) },
	{ 0 } } };

static const struct record gradient_record = { sizeof(struct gradient), (const struct field[]){
	{ "first", &kind_torch, AT(gradient, first) },
	{ "last", &kind_torch, AT(gradient, last) },
	{ "calls", &kind_text, AT(gradient, calls) },
	{ 0 } } };

static const struct record types_record = { sizeof(struct types_row), (const struct field[]){
	{ "says", &kind_enum, AT(types_row, says), .words = &says_words },
	{ "dtypes", &kind_dtypes, AT(types_row, dtypes) },
	{ "detail", &kind_text, AT(types_row, detail) },
	{ "source", &kind_source, AT(types_row, source) },
	{ 0 } } };

static const struct record unit_record = { sizeof(struct unit_fact), (const struct field[]){
	{ "op", &kind_text, AT(unit_fact, op) },
	{ "unit", &kind_enum, AT(unit_fact, unit), .words = &unit_words },
	{ "dtypes", &kind_dtype_bits, AT(unit_fact, dtypes) },
	{ "chips", &kind_index, AT(unit_fact, chips) },
	{ "kernels", &kind_text, AT(unit_fact, kernels) },
	{ "note", &kind_text, AT(unit_fact, note) },
	{ "first", &kind_cann, AT(unit_fact, first) },
	{ "last", &kind_cann, AT(unit_fact, last) },
	{ 0 } } };

static const struct record call_record = { sizeof(struct cann_call), (const struct field[]){
	{ "op", &kind_text, AT(cann_call, op) },
	{ "call", &kind_text, AT(cann_call, call) },
	{ "path", &kind_text, AT(cann_call, path) },
	{ "plugin", &kind_text, AT(cann_call, plugin) },
	{ "source", &kind_source, AT(cann_call, source) },
	{ "code", &kind_text, AT(cann_call, code) },
	{ "ref", &kind_text, AT(cann_call, ref) },
	{ "code_source", &kind_source, AT(cann_call, code_source) },
	{ 0 } } };

static const struct record cast_record = { sizeof(struct cast_row), (const struct field[]){
	{ "kernel", &kind_text, AT(cast_row, kernel) },
	{ "argument", &kind_text, AT(cast_row, cast.argument) },
	{ "dtypes", &kind_dtype_bits, AT(cast_row, cast.dtypes) },
	{ "becomes", &kind_text, AT(cast_row, cast.becomes) },
	{ "path", &kind_text, AT(cast_row, cast.path) },
	{ "plugin", &kind_text, AT(cast_row, cast.plugin) },
	{ "source", &kind_source, AT(cast_row, cast.source) },
	{ "first", &kind_cann, AT(cast_row, cast.first) },
	{ "last", &kind_cann, AT(cast_row, cast.last) },
	{ 0 } } };

static const struct record argument_record = { sizeof(struct argument_limit), (const struct field[]){
	{ "target", &kind_enum, AT(argument_limit, target), .words = &target_words },
	{ "op", &kind_text, AT(argument_limit, op) },
	{ "test", &kind_text, AT(argument_limit, test) },
	{ "en", &kind_text, AT(argument_limit, en) },
	{ "zh", &kind_text, AT(argument_limit, zh) },
	{ "chips", &kind_index, AT(argument_limit, chips) },
	{ "path", &kind_text, AT(argument_limit, path) },
	{ "ref", &kind_text, AT(argument_limit, ref) },
	{ "source", &kind_source, AT(argument_limit, source) },
	{ "by_release", &kind_bool, AT(argument_limit, by_release) },
	{ "first", &kind_index, AT(argument_limit, first) },
	{ "last", &kind_index, AT(argument_limit, last) },
	{ 0 } } };

static const struct record limit_record = { sizeof(struct limit_row), (const struct field[]){
	{ "op", &kind_text, AT(limit_row, op) },
	{ "argument", &kind_text, AT(limit_row, argument) },
	{ "takes", &kind_text, AT(limit_row, takes) },
	{ "refuses", &kind_dtypes, AT(limit_row, refuses) },
	{ "other", &kind_text, AT(limit_row, other) },
	{ "host", &kind_text, AT(limit_row, host) },
	{ "first", &kind_release, AT(limit_row, first) },
	{ "last", &kind_release, AT(limit_row, last) },
	{ "path", &kind_text, AT(limit_row, path) },
	{ "source", &kind_source, AT(limit_row, source) },
	{ 0 } } };

static const struct record tested_record = { sizeof(struct tested_row), (const struct field[]){
	{ "dtypes", &kind_dtypes, AT(tested_row, dtypes) },
	{ "first", &kind_release, AT(tested_row, first) },
	{ "last", &kind_release, AT(tested_row, last) },
	{ "path", &kind_text, AT(tested_row, path) },
	{ "source", &kind_source, AT(tested_row, source) },
	{ 0 } } };

static const struct record collective_record = { sizeof(struct collective_fact), (const struct field[]){
	{ "target", &kind_enum, AT(collective_fact, target), .words = &target_words },
	{ "reduce_op", &kind_text, AT(collective_fact, reduce_op) },
	{ "dtypes", &kind_dtypes, AT(collective_fact, dtypes) },
	{ "supported", &kind_bool, AT(collective_fact, supported) },
	{ "note", &kind_text, AT(collective_fact, note) },
	{ "path", &kind_text, AT(collective_fact, path) },
	{ "source", &kind_source, AT(collective_fact, source) },
	{ "first", &kind_release, AT(collective_fact, first) },
	{ "last", &kind_release, AT(collective_fact, last) },
	{ "name", &kind_text, AT(collective_fact, name) },
	{ 0 } } };

static const struct record package_fact_record = { sizeof(struct package_fact), (const struct field[]){
	{ "target", &kind_enum, AT(package_fact, target), .words = &target_words },
	{ "package", &kind_text, AT(package_fact, package) },
	{ "argument", &kind_text, AT(package_fact, argument) },
	{ "since", &kind_text, AT(package_fact, since) },
	{ "last", &kind_text, AT(package_fact, last) },
	{ "takes", &kind_dtypes, AT(package_fact, takes) },
	{ "refuses", &kind_dtypes, AT(package_fact, refuses) },
	{ "skips", &kind_dtypes, AT(package_fact, skips) },
	{ "how", &kind_text, AT(package_fact, how) },
	{ "note", &kind_text, AT(package_fact, note) },
	{ "path", &kind_text, AT(package_fact, path) },
	{ "installs", &kind_text, AT(package_fact, installs) },
	{ "removed", &kind_bool, AT(package_fact, removed) },
	{ "source", &kind_source, AT(package_fact, source) },
	{ 0 } } };

static const struct record name_record = { sizeof(struct name_row), (const struct field[]){
	{ "ns", &kind_text, AT(name_row, ns) },
	{ "base", &kind_text, AT(name_row, base) },
	{ 0 } } };

static const struct record base_record = { sizeof(struct str), (const struct field[]){
	{ "base", &kind_text, { 0, sizeof(struct str) } },
	{ 0 } } };

static const struct record api_call_record = { sizeof(struct api_call), (const struct field[]){
	{ "base", &kind_text, AT(api_call, name) },
	{ "forward", &kind_percent, AT(api_call, forward) },
	{ "backward", &kind_percent, AT(api_call, backward) },
	{ 0 } } };

static const struct record api_name_record = { sizeof(struct str), (const struct field[]){
	{ "api", &kind_text, { 0, sizeof(struct str) } },
	{ 0 } } };

static const struct record api_limit_record = { sizeof(struct api_limit), (const struct field[]){
	{ "supported", &kind_enum, AT(api_limit, says), .words = &support_words },
	{ "hardware", &kind_text, AT(api_limit, chips) },
	{ "dtypes", &kind_text, AT(api_limit, types) },
	{ "excluded", &kind_text, AT(api_limit, excluded) },
	{ "remarks", &kind_text, AT(api_limit, remarks) },
	{ 0 } } };

static const struct record code_record = { sizeof(struct str), (const struct field[]){
	{ "code", &kind_text, { 0, sizeof(struct str) } },
	{ 0 } } };

/* In the words of SQL; each field of the record has a column of its name. Without SELECT: those of its fields. */
static const struct {
	const struct record *record;
	const char *sql;
} queries[QUERY_COUNT] = {
	[QUERY_UNIVERSE] = { &torch_record, "FROM universe WHERE base = ? ORDER BY op, first" },
	[QUERY_SIGNATURES] = { &signature_record, "FROM signature WHERE base = ? ORDER BY op, first" },
	[QUERY_SUPPORT] = { &kernel_record, "FROM support WHERE ns = ? AND base = ? ORDER BY target, op, key, first" },
	[QUERY_PACKAGES] = { &package_record,
		"FROM package_kernel WHERE ns = ? AND base = ? ORDER BY target, op, key, package, path" },
	[QUERY_REPORTED] = { &report_record, "FROM reported WHERE ns = ? AND base = ? ORDER BY id" },
	/* rows in the order of the keys; in-place names that fit only as another's come last */
	[QUERY_APIS] = { &api_record,
		"SELECT a.api AS api, hardware, first, last, supported, dtypes, excluded, remarks FROM "
		"api_operator o CROSS JOIN api a USING (api) WHERE base = ?1 UNION ALL SELECT a.api, hardware, "
		"first, last, supported, dtypes, excluded, remarks FROM api_operator o CROSS JOIN api a USING "
		"(api) WHERE base = rtrim(?1, '_') AND ?1 <> rtrim(?1, '_') AND NOT EXISTS (SELECT 1 FROM "
		"api_operator WHERE base = ?1 AND api = o.api)" },
	[QUERY_CHIPS] = { &chip_record, "FROM chip_branch WHERE kernel = ? ORDER BY impl, path, condition, first" },
	[QUERY_AUTOCAST] = { &autocast_record, "FROM autocast WHERE base = ? ORDER BY target, op, list, first" },
	[QUERY_LEAVES] = { &leaf_record, "FROM leaf WHERE base = ? ORDER BY op" },
	[QUERY_GRADIENTS] = { &gradient_record, "FROM gradient WHERE base = ? ORDER BY node, forward, first" },
	[QUERY_KERNEL_TYPES] = { &types_record, "FROM kernel_types WHERE base = ? ORDER BY says, detail" },
	[QUERY_UNITS] = { &unit_record, "FROM unit WHERE base = ?" },
	[QUERY_CANN_CALLS] = { &call_record,
		"SELECT op, c.call AS call, c.path AS path, plugin, c.source AS source, a.path AS code, a.ref "
		"AS ref, a.source AS code_source FROM aclnn_call c LEFT JOIN aclnn a USING (call) WHERE base = "
		"? ORDER BY op, c.call" },
	[QUERY_CASTS] = { &cast_record, "FROM npu_cast WHERE base = ? ORDER BY kernel DESC, argument, becomes" },
	[QUERY_ARGUMENTS] = { &argument_record,
		"SELECT target, op, test, en, zh, chips, path, ref, source, spans = 'release' AS by_release, first, "
		"last FROM argument_limit WHERE base = ? ORDER BY target, op, test, chips, first" },
	[QUERY_KERNEL_LIMITS] = { &limit_record,
		"FROM kernel_limit WHERE base = ? ORDER BY op, argument, first, takes, refuses" },
	[QUERY_TESTED_TYPES] = { &tested_record, "FROM tested_types WHERE base = ? ORDER BY path" },
	[QUERY_COLLECTIVES] = { &collective_record,
		"SELECT target, reduce_op, dtypes, supported = '1' AS supported, note, path, source, first, "
		"last, name FROM collective WHERE name IN (SELECT collective FROM collective_name WHERE ns = ?1"
		" AND base = ?2 UNION SELECT ?2 WHERE ?1 = '') ORDER BY target, name, reduce_op, first" },
	[QUERY_PACKAGE_OPS] = { &package_fact_record,
		"SELECT target, package, argument, since, last, takes, refuses, skips, how, note, path, "
		"installs, last <> newest AS removed, source FROM package_op JOIN package_source USING "
		"(package) WHERE ns = ? AND base = ? ORDER BY id" },
	[QUERY_NAMES] = { &name_record, "FROM name WHERE (ns, base) >= (?, ?) ORDER BY ns, base" },
	[QUERY_API_OPERATORS] = { &base_record, "FROM api_operator WHERE api = ? ORDER BY base" },
	[QUERY_API_CALLS] = { &api_call_record,
		"SELECT base, max(share * (1 - backward)) AS forward, max(share * backward) AS backward FROM "
		"api_call WHERE api = ? GROUP BY base ORDER BY forward DESC, backward DESC, base" },
	[QUERY_API_NAMES] = { &api_name_record, "SELECT DISTINCT api FROM api_call ORDER BY api" },
	[QUERY_API_SUPPORT] = { &api_limit_record, "FROM api WHERE api = ? AND ?2 BETWEEN first AND last" },
	[QUERY_CALL_OPERATORS] = { &base_record, "SELECT DISTINCT base FROM aclnn_call WHERE call = ? ORDER BY base" },
	[QUERY_RECIPE_CODE] = { &code_record, "FROM recipe WHERE id = ?" },
};

/* clang-format on */

int queries_prepare(struct opdb *db, struct err *err)
{
	for (int i = 0; i < QUERY_COUNT; i++) {
		CLEANUP(buf_clear) struct buf sql = BUF_UNLIMITED;

		columns_sql(&sql, queries[i].record, queries[i].sql);
		if (sqlite3_prepare_v3(
			    db->sqlite, buf_text(&sql), -1, SQLITE_PREPARE_PERSISTENT, &db->queries[i], NULL))
			return db_failed(db, err);
		if (columns_match(db->queries[i], queries[i].record, &db->columns[i]))
			return db_damaged(err, "a query has other columns than its record");
	}
	return 0;
}

void queries_finish(struct opdb *db)
{
	for (int i = 0; i < QUERY_COUNT; i++)
		sqlite3_finalize(db->queries[i]);
}

void query_row_read(struct row *row, void *ret)
{
	const struct record *record = queries[row->query].record;

	memset(ret, 0, record->bytes);
	table_row_read(row, record, &row->db->columns[row->query], 0, ret);
}

#include "scan/port/launcher.h"

#include "base/memory/mem.h"
#include "base/value/shell.h"
#include "base/view/ascii.h"

struct launcher {
	const struct port *port;
	const struct script *script; /* that is started */
	struct str backend;          /* of collectives */
	struct buf arguments;        /* of the script */
	struct buf own_arguments;    /* the same of one that starts its processes itself: how, and where others are */
	bool reads_rank, spawns;     /* its rank is an argument; it starts its processes itself */
};

/* --- its arguments */

static void put_placeholder(struct buf *out, struct str name)
{
	buf_add(out, STR("\"$"));
	for (size_t i = 0; i < name.len; i++) {
		char byte = name.ptr[i];

		if (byte == '-' && i < 2)
			continue;
		buf_byte(out, byte == '-' ? '_' : is_lower(byte) ? (char)(byte - 'a' + 'A') : byte);
	}
	buf_byte(out, '"');
}

/* An argument by which a script that starts its processes itself knows of them, as examples/imagenet of PyTorch does:
   "--multiprocessing-distributed" and the place of this node among others. */
static void note_own_argument(struct launcher *launcher, uint32_t arguments, struct str name)
{
	static const struct {
		struct str names;
		const char *value;
	} places[] = {
		{ STR("--world-size --world_size"), "\"${NODES:-1}\"" },
		{ STR("--rank"), "\"${NODE_RANK:-0}\"" },
		{ STR("--dist-url --dist_url"), "\"tcp://${MASTER_ADDR:-127.0.0.1}:${MASTER_PORT:-29500}\"" },
	};
	const struct syntax *syntax = &launcher->script->syntax;
	uint32_t action = argument_named(syntax, arguments, STR("action"));
	bool is_flag = action && str_has(syntax_text(syntax, action), STR("store_true"));

	if (is_flag && str_has(name, STR("multiprocessing")) && str_has(name, STR("distributed")))
		buf_printf(&launcher->own_arguments, " %.*s", STR_ARG(name));
	for (size_t i = 0; i < ARRAY_SIZE(places) && !is_flag; i++) {
		if (str_has_word(places[i].names, name))
			buf_printf(&launcher->own_arguments, " %.*s %s", STR_ARG(name), places[i].value);
	}
}

/* Required arguments, and the backend, whose default is that of CUDA. */
static void note_argument(struct launcher *launcher, uint32_t arguments)
{
	const struct syntax *syntax = &launcher->script->syntax;
	uint32_t first = syntax_first(syntax, arguments), required;
	struct str name = first && syntax->items[first].kind == SYN_STRING ? syntax_text(syntax, first) : STR("");

	name = name.len > 2 ? str_sub(name, 1, name.len - 1) : STR("");
	required = argument_named(syntax, arguments, STR("required"));
	if (!name.len || !str_is_word(name, "-"))
		return;
	note_own_argument(launcher, arguments, name);
	if (str_has_word(STR("--local_rank --local-rank"), name)) {
		launcher->reads_rank = true;
	} else if (str_ends(name, STR("backend")) && name.ptr[0] == '-') {
		buf_printf(&launcher->arguments, " %.*s %.*s", STR_ARG(name), STR_ARG(launcher->backend));
	} else if (name.ptr[0] != '-') {
		buf_byte(&launcher->arguments, ' ');
		put_placeholder(&launcher->arguments, name);
	} else if (required && str_eq(syntax_text(syntax, required), STR("True"))) {
		buf_printf(&launcher->arguments, " %.*s ", STR_ARG(name));
		put_placeholder(&launcher->arguments, name);
	}
}

static void read_calls(struct launcher *launcher)
{
	const struct syntax *syntax = &launcher->script->syntax;

	for (uint32_t i = 1; i < syntax->count; i++) {
		uint32_t function, arguments;
		struct meanings values;

		if (syntax->items[i].kind != SYN_CALL)
			continue;
		function = syntax_child(syntax, i, SYN_AS_FUNCTION);
		arguments = syntax_child(syntax, i, SYN_AS_ARGUMENTS);
		if (function && arguments && str_ends(syntax_text(syntax, function), STR(".add_argument")))
			note_argument(launcher, arguments);
		if (!function || !str_ends(syntax_text(syntax, function), STR("spawn")))
			continue;
		resolve(&launcher->port->program.project, launcher->script, function, &values);
		for (size_t j = 0; j < values.count; j++)
			launcher->spawns |= str_starts(meaning_name(&values.items[j]), STR("torch.multiprocessing."));
	}
}

/* --- the shell script */

static void put_comment(const char *id, enum lang lang, struct buf *out)
{
	buf_add(out, STR("# "));
	buf_add(out, catalog_text(lang, str_from(id)));
	buf_byte(out, '\n');
}

static void put_command(const struct launcher *launcher, const char *options, struct buf *out)
{
	buf_add(out, launcher->spawns ? STR("python3") : STR("torchrun"));
	buf_add(out, str_from(options));
	buf_byte(out, ' ');
	shell_put_quoted(out, launcher->script->path);
	buf_add(out, buf_str(&launcher->arguments));
	if (launcher->spawns)
		buf_add(out, buf_str(&launcher->own_arguments));
	buf_add(out, STR(" \"$@\"\n"));
}

static void put_environment(const struct launcher *launcher, enum lang lang, struct buf *out)
{
	bool npu = launcher->port->target == TARGET_NPU;

	put_comment("launcher.flags", lang, out);
	put_comment("launcher.cards", lang, out);
	buf_printf(out, "CARDS=${CARDS:-8}\nexport %s=${%s:-$(seq -s, 0 $((CARDS - 1)))}\n",
		npu ? "ASCEND_RT_VISIBLE_DEVICES" : "MUSA_VISIBLE_DEVICES",
		npu ? "ASCEND_RT_VISIBLE_DEVICES" : "MUSA_VISIBLE_DEVICES");
	if (npu)
		buf_add(out, STR(". \"${ASCEND_TOOLKIT:-/usr/local/Ascend/ascend-toolkit}/set_env.sh\"\n"));
	if (launcher->reads_rank)
		put_comment("launcher.rank", lang, out);
	if (launcher->spawns)
		put_comment("launcher.spawns", lang, out);
}

/* Other nodes are reached by the address that they see of this one. */
static void put_hosts(struct buf *out)
{
	buf_add(out, STR("\texport HCCL_WHITELIST_DISABLE=1 HCCL_IF_IP=${HCCL_IF_IP:-$(hostname -I | awk "
			 "'{print $1}')}\n"));
}

/* torchrun starts the processes, on one node or with those of other nodes. */
static void put_starts(const struct launcher *launcher, enum lang lang, struct buf *out)
{
	buf_add(out, STR("if [ \"${NODES:-1}\" -eq 1 ]; then\n\t"));
	put_command(launcher, " --standalone --nproc_per_node=\"$CARDS\"", out);
	buf_add(out, STR("else\n"));
	put_comment("launcher.nodes", lang, out);
	if (launcher->port->target == TARGET_NPU)
		put_hosts(out);
	buf_byte(out, '\t');
	put_command(launcher,
		" --nnodes=\"$NODES\" --node_rank=\"$NODE_RANK\" --nproc_per_node=\"$CARDS\" "
		"--master_addr=\"$MASTER_ADDR\""
		" --master_port=\"${MASTER_PORT:-29500}\"",
		out);
	buf_add(out, STR("fi\n"));
}

/* The script starts its processes itself. */
static void put_own_start(const struct launcher *launcher, struct buf *out)
{
	if (launcher->port->target == TARGET_NPU) {
		buf_add(out, STR("if [ \"${NODES:-1}\" -ne 1 ]; then\n"));
		put_hosts(out);
		buf_add(out, STR("fi\n"));
	}
	put_command(launcher, "", out);
}

void launcher_put(const struct port *port, enum lang lang, struct buf *out)
{
	struct launcher launcher = { .port = port,
		.backend = port->target == TARGET_NPU ? STR("hccl") : STR("mccl"),
		.arguments = BUF_UNLIMITED,
		.own_arguments = BUF_UNLIMITED };

	launcher.script = program_entry(&port->program);
	if (!launcher.script)
		return;
	read_calls(&launcher);
	buf_add(out, STR("#!/bin/sh\n"));
	put_environment(&launcher, lang, out);
	if (launcher.spawns)
		put_own_start(&launcher, out);
	else
		put_starts(&launcher, lang, out);
	buf_clear(&launcher.arguments);
	buf_clear(&launcher.own_arguments);
}

#include "scan/find/shell.h"

#include "base/memory/hash.h"
#include "base/view/ascii.h"
#include "scan/find/word.h"

/* A command, as far as it was read. */
struct command_line {
	struct word_source words;
	struct str here;      /* end word of the here-document after this line; "" without one */
	uint32_t at;          /* behind the word */
	uint32_t from, to;    /* the word */
	struct str option;    /* the word before, where it is an option without a value */
	struct str tool;      /* what is called */
	struct str tested;    /* the variable that was named last */
	bool expects_command; /* the next word is one */
	bool names_variables; /* words are variables: export A=1 */
	bool installs;        /* words are packages */
	char quotes;          /* around the whole word; NUL without them */
	bool nested;          /* a text of options in a variable */
};

void shell_read(struct str text, struct syntax *ret)
{
	*ret = (struct syntax){ .text = text };
	syntax_map(ret, text, NULL);
	MEM_PUSH(ret, ((struct syntax_node){ .to = (uint32_t)text.len, .end = 1, .kind = SYN_MODULE }));
}

/* --- words */

/* Check "$NAME" and "${NAME" in a word, but not between single quotes. */
static void check_expansions(struct command_line *line)
{
	char quote = line->quotes;

	for (uint32_t i = line->from; i + 1 < line->to; i++) {
		char c = line->words.text.ptr[i];

		if (c == quote) {
			quote = '\0';
		} else if (!quote && (c == '"' || c == '\'')) {
			quote = c;
		} else if (c == '$' && quote != '\'') {
			uint32_t name = i + 1 + (line->words.text.ptr[i + 1] == '{');
			uint32_t end = word_end(line->words.text, name, line->to);

			word_variable(&line->words, name, end);
			line->tested = str_sub(line->words.text, name, end);
		}
	}
}

/* Words that a command follows, and such that set variables. */
static const struct str before_commands = STR("if then else elif do while until ! { sudo exec time nohup command which "
					      "watch RUN CMD ENTRYPOINT");
static const struct str declarations = STR("export env declare readonly local unset ENV ARG");

static void check_command(struct command_line *line, struct str word)
{
	const struct source_rule *rule = word_rule(&line->words, TEXT_TOOL, str_tail(word, '/'));

	if (str_starts(word, STR("-"))) /* an option of sudo or RUN */
		return;
	line->tool = str_tail(word, '/');
	line->expects_command = str_has_word(before_commands, word);
	line->names_variables = str_has_word(declarations, word);
	if (str_eq(word, STR("FROM")) && line->words.script->kind == SCRIPT_DOCKERFILE)
		line->tool = word;
	word_push(&line->words, line->to - (uint32_t)line->tool.len, line->to, rule);
}

static bool is_makefile(const struct command_line *line)
{
	struct str name = str_from(str_file_name(line->words.script->path.ptr));

	return str_starts(name, STR("Makefile")) || str_ends(name, STR(".mk"));
}

/* "--gres=gpu:8", "--runtime nvidia": an option with a row of its own, as a key of settings has. */
static void check_option(struct command_line *line, struct str option, uint32_t from, uint32_t to)
{
	struct str value = str_sub(line->words.text, from, to);

	if (str_starts(value, option) && value.len > option.len)
		value = str_skip(value, option.len + 1);
	word_push(&line->words, to - (uint32_t)value.len, to,
		word_setting(&line->words, STR(""), str_skip(option, 2), value));
}

/* Returns whether packages follow a word: "pip install", "conda create", "poetry add". */
static bool installs(struct str tool, struct str word)
{
	if (str_has_word(STR("conda mamba micromamba"), tool))
		return str_has_word(STR("install create"), word);
	if (str_has_word(STR("poetry uv pdm"), tool) && str_eq(word, STR("add")))
		return true;
	return str_has_word(STR("install download wheel"), word) &&
	       (str_starts(tool, STR("pip")) || str_starts(tool, STR("python")) || str_eq(tool, STR("uv")));
}

static void check_argument(struct command_line *line, struct str word)
{
	size_t sign = str_find(word, STR("="));
	struct str key = str_head(word, '=');
	bool is_container = str_has_word(STR("docker podman nvidia-docker"), line->tool);

	word_index(&line->words, line->from, line->to);
	if (str_has_word(STR("[ [[ test case"), line->tool)) /* [ "$DEVICE" = cuda ] */
		word_value(&line->words, line->tested, line->from, line->to);
	if (str_eq(line->tool, STR("FROM")) || is_container)
		word_image(&line->words, line->from, line->from + (uint32_t)(is_container ? key.len : word.len));
	if (sign != STR_NONE)
		word_value(&line->words, key, line->from + (uint32_t)sign + 1, line->to);
	else if (line->option.len)
		word_value(&line->words, line->option, line->from, line->to);
	if (str_starts(word, STR("--")) && sign != STR_NONE)
		check_option(line, key, line->from, line->to);
	else if (str_starts(line->option, STR("--")))
		check_option(line, line->option, line->from, line->to);
	if (is_makefile(line))
		word_push(&line->words, line->from, line->to, word_rule(&line->words, TEXT_TOOL, str_tail(word, '/')));
	if (is_container && str_has_word(STR("-e --env"), line->option))
		word_variable(&line->words, line->from, word_end(line->words.text, line->from, line->to));
	if (line->installs && !str_starts(word, STR("-")) && !str_has_word(STR("-n --name -p --prefix"), line->option))
		word_package(&line->words, line->from, line->to);
	line->installs |= installs(line->tool, word);
	line->option = str_starts(word, STR("-")) && sign == STR_NONE ? word : STR("");
}

static void check_commands(struct command_line *line);

/* DEVICE=cuda, DEVICE="${DEVICE:-cuda}", ARGS+=" --device cuda" */
static void check_assigned(struct command_line *line, struct str name, uint32_t from, uint32_t to)
{
	struct str text = line->words.text;
	size_t otherwise;

	if (to - from > 1 && memchr("\"'", text.ptr[from], 2) && text.ptr[to - 1] == text.ptr[from]) {
		from++;
		to--;
	}
	otherwise = str_find(str_sub(text, from, to), STR(":-"));
	if (str_starts(str_sub(text, from, to), STR("${")) && otherwise != STR_NONE && text.ptr[to - 1] == '}') {
		from += (uint32_t)otherwise + 2;
		to--;
	}
	word_value(&line->words, name, from, to);
	while (from < to && text.ptr[from] == ' ')
		from++;
	if (str_starts(str_sub(text, from, to), STR("-")) && !line->nested) {
		struct command_line inner = { .words = line->words, .at = from, .nested = true };

		inner.words.text.len = to;
		check_commands(&inner);
	}
}

static void check_word(struct command_line *line)
{
	struct str word = str_sub(line->words.text, line->from, line->to);
	uint32_t end = word_end(line->words.text, line->from, line->to);
	uint32_t sign = end + str_starts(str_sub(line->words.text, end, line->to), STR("+="));
	bool assigns = end > line->from && sign < line->to && line->words.text.ptr[sign] == '=';

	if (!line->tool.len && str_starts(word, STR("-"))) /* arguments alone: args=(--device cuda) */
		line->expects_command = false;
	check_expansions(line);
	if (line->words.script->kind == SCRIPT_REQUIREMENTS) {
		if (line->expects_command && !str_starts(word, STR("-")))
			word_package(&line->words, line->from, line->to);
		else
			word_build(&line->words, line->from, line->to);
		word_index(&line->words, line->from, line->to);
		line->expects_command = str_has_word(STR("-e --editable"), word);
	} else if ((line->names_variables || line->expects_command) && (assigns || end == line->to) &&
		   (line->names_variables || assigns)) {
		word_variable(&line->words, line->from, end);
		if (assigns && line->words.script->kind == SCRIPT_DOCKERFILE)
			word_image(&line->words, end + 1, line->to); /* ARG BASE=nvidia/cuda:12.1.0-devel */
		if (assigns)
			check_assigned(line, str_sub(line->words.text, line->from, end), sign + 1, line->to);
	} else if (line->expects_command || (line->names_variables && str_eq(line->tool, STR("env")))) {
		check_command(line, word);
	} else {
		check_argument(line, word);
	}
}

/* --- the text in words */

static void end_command(struct command_line *line)
{
	line->expects_command = true;
	line->names_variables = line->installs = false;
	line->option = line->tool = line->tested = STR("");
}

/* Passes over the lines of a here-document. */
static void pass_here(struct command_line *line)
{
	while (line->here.len && line->at < line->words.text.len) {
		struct str one = str_head(str_skip(line->words.text, line->at), '\n');

		line->at += (uint32_t)one.len;
		line->at += line->at < line->words.text.len;
		if (str_eq(str_trim(one), line->here))
			line->here = STR("");
	}
	line->here = STR("");
}

static void note_here(struct command_line *line, struct str word)
{
	struct str end = str_skip(line->words.text, line->from);

	if (!str_starts(word, STR("<<")) || str_starts(word, STR("<<<")))
		return;
	while (end.len && memchr("<-'\"\\ ", end.ptr[0], 6))
		end = str_skip(end, 1);
	line->here = str_sub(end, 0, word_end(end, 0, (uint32_t)end.len));
}

static bool ends_word(const struct command_line *line, char c)
{
	return memchr(" \t\r\n;|&()`", c, 10) || (line->words.script->kind == SCRIPT_DOCKERFILE && memchr(",[]", c, 3));
}

/* Reads a word: quotes belong to it, at its ends they do not. */
static void read_word(struct command_line *line)
{
	char quote = '\0';

	line->from = line->at;
	while (line->at < line->words.text.len && (quote || !ends_word(line, line->words.text.ptr[line->at]))) {
		char c = line->words.text.ptr[line->at];

		if (c == '\\' && quote != '\'' && line->at + 1 < line->words.text.len)
			line->at++;
		else if (c == quote)
			quote = '\0';
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		line->at++;
	}
	line->to = line->at;
	note_here(line, str_sub(line->words.text, line->from, line->to));
	line->quotes = '\0';
	if (line->to - line->from > 1 && memchr("\"'", line->words.text.ptr[line->from], 2) &&
		line->words.text.ptr[line->to - 1] == line->words.text.ptr[line->from]) {
		line->quotes = line->words.text.ptr[line->from];
		line->from++;
		line->to--;
	}
	if (line->to > line->from)
		check_word(line);
}

static void pass_comment(struct command_line *line)
{
	while (line->at < line->words.text.len && line->words.text.ptr[line->at] != '\n')
		line->at++;
}

static void check_commands(struct command_line *line)
{
	end_command(line);
	while (line->at < line->words.text.len) {
		char c = line->words.text.ptr[line->at];
		struct str rest = str_skip(line->words.text, line->at);

		if (str_starts(rest, STR("\\\n")) || str_starts(rest, STR("\\\r\n"))) {
			line->at += rest.ptr[1] == '\n' ? 2 : 3;
		} else if (str_starts(rest, STR("#SBATCH "))) {
			line->at += 7;
			line->expects_command = false;
		} else if (c == '#') {
			pass_comment(line);
		} else if (!ends_word(line, c)) {
			read_word(line);
		} else {
			line->at++;
			if (c == ';' && line->words.script->kind == SCRIPT_REQUIREMENTS)
				pass_comment(line);
			if (c == '\n')
				pass_here(line);
			if (memchr("\n;|&()`", c, 7))
				end_command(line);
		}
	}
}

void shell_check_part(struct check *check, struct script *script, uint32_t from, uint32_t to)
{
	check_commands(
		&(struct command_line){ .words = { check, script, str_sub(script->syntax.text, 0, to) }, .at = from });
}

void shell_check(struct check *check, struct script *script)
{
	struct str text = script->syntax.text;
	struct word_source words = { check, script, text };

	if (script->kind == SCRIPT_CUDA) { /* all of it is to be written again, or found as a package */
		word_push(
			&words, 0, (uint32_t)str_head(text, '\n').len, rule_exact(check->book, TEXT_NAME, STR(".cu")));
		return;
	}
	for (size_t from = 0, to; from < text.len; from = to + 1) {
		to = from + str_head(str_skip(text, from), '\0').len;
		shell_check_part(check, script, (uint32_t)from, (uint32_t)to);
	}
}

/* --- in Python */

/* Notes a text; false if it was read before. */
static bool is_new(struct check *check, const struct meaning *text)
{
	uint64_t hash = hash_mix(hash_seed(), text->node + UINT64_C(0x9e3779b97f4a7c15));
	struct map_cursor at = map_start(&check->by_command, hash);

	while (map_next(&check->by_command, &at)) {
		const struct command_text *known = &check->commands.items[at.index];

		if (known->script == text->script && known->node == text->node)
			return false;
	}
	map_add(&check->by_command, hash, (uint32_t)check->commands.count);
	MEM_PUSH(&check->commands, ((struct command_text){ text->script, text->node }));
	return true;
}

/* The text of a literal as a command; only a text of several words is one. */
static void check_text(struct check *check, const struct meaning *text)
{
	const struct syntax *syntax = &text->script->syntax;
	struct script *script = &check->project->scripts[text->script - check->project->scripts];
	struct str command = syntax_text(syntax, text->node);
	uint32_t from = syntax->items[text->node].from, to = syntax->items[text->node].to;

	while (command.len && !memchr("\"'", command.ptr[0], 2)) {
		command = str_skip(command, 1);
		from++;
	}
	while (from < to && memchr("\"'", syntax->text.ptr[from], 2))
		from++;
	while (to > from && memchr("\"'", syntax->text.ptr[to - 1], 2))
		to--;
	if (str_has(str_sub(syntax->text, from, to), STR(" ")))
		shell_check_part(check, script, from, to);
}

void shell_check_texts(struct check *check, struct script *script)
{
	static const struct str runners = STR(
		"run Popen call check_call check_output system popen getoutput getstatusoutput");
	size_t count = script->syntax.count; /* words add nodes */

	for (uint32_t i = 1; i < count; i++) {
		const struct syntax *syntax = &script->syntax;
		uint32_t arguments = syntax->items[i].kind == SYN_CALL ? syntax_child(syntax, i, SYN_AS_ARGUMENTS) : 0;
		uint32_t first = arguments ? syntax_first(syntax, arguments) : 0;
		struct meanings texts = { 0 };

		if (first && str_has_word(runners, str_tail(syntax_child_text(syntax, i, SYN_AS_FUNCTION), '.')))
			resolve(check->project, script, first, &texts);
		for (size_t j = 0; j < texts.count; j++) {
			if (texts.items[j].kind == MEANING_TEXT && is_new(check, &texts.items[j]))
				check_text(check, &texts.items[j]);
		}
	}
}

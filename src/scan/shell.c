#include "scan/shell.h"

#include "base/ascii.h"

/* A command, as far as it was read. */
struct command_line {
	struct check *check;
	struct script *script;
	struct str text, here; /* here: what ends the here-document that follows this line; "" without one */
	uint32_t at;           /* behind the word */
	uint32_t from, to;     /* the word */
	struct str option;     /* the word before, where it is an option without a value */
	struct str tool;       /* what is called */
	bool expects_command;  /* the next word is one */
	bool names_variables;  /* words are variables: export A=1 */
	bool installs;         /* words are packages */
	bool is_literal;       /* the word is between single quotes */
};

/* --- kinds of files */

enum script_kind shell_kind(struct str file_name)
{
	if (str_ends(file_name, STR(".sh")) || str_ends(file_name, STR(".bash")))
		return SCRIPT_SHELL;
	if (str_starts(file_name, STR("Dockerfile")) || str_ends(file_name, STR(".dockerfile")))
		return SCRIPT_DOCKERFILE;
	if (str_starts(file_name, STR("requirements")) && str_ends(file_name, STR(".txt")))
		return SCRIPT_REQUIREMENTS;
	return SCRIPT_PYTHON;
}

void shell_read(struct str text, struct syntax *ret)
{
	*ret = (struct syntax){ .text = text };
	syntax_map(ret, text, NULL);
	MEM_PUSH(ret, ((struct syntax_node){ .to = (uint32_t)text.len, .end = 1, .kind = SYN_MODULE }));
}

/* --- places */

static void push_word(const struct command_line *line, uint32_t from, uint32_t to, struct source_place place)
{
	struct syntax *syntax = &line->script->syntax;

	place.script = line->script;
	place.node = (uint32_t)syntax->count;
	place.from = from;
	place.to = to;
	place.name = arena_keep(&line->check->text, str_sub(line->text, from, to));
	MEM_PUSH(syntax, ((struct syntax_node){ .from = from, .to = to, .end = place.node + 1, .kind = SYN_STRING }));
	syntax->items[0].end = (uint32_t)syntax->count;
	check_place(line->check, place);
}

/* The row of that group whose pattern the text fits. */
static const struct source_rule *rule_like(const struct command_line *line, enum text_group group, struct str text)
{
	const struct rule_book *book = line->check->book;

	for (size_t i = 0; i < book->rules.count; i++) {
		if (book->rules.items[i].group == group && str_fits(book->rules.items[i].name, text))
			return &book->rules.items[i];
	}
	return NULL;
}

static void check_variable(const struct command_line *line, uint32_t from, uint32_t to)
{
	const struct source_rule *rule = rule_of_text(line->check->book, str_sub(line->text, from, to));

	if (rule && rule->group == TEXT_ENV)
		push_word(line, from, to, (struct source_place){ .rule = rule });
}

static uint32_t name_end(const struct command_line *line, uint32_t from, uint32_t to)
{
	while (from < to && is_word(line->text.ptr[from]))
		from++;
	return from;
}

/* "$NAME" and "${NAME" in a word; none counts between single quotes. */
static void check_expansions(const struct command_line *line)
{
	bool is_quoted = false;

	for (uint32_t i = line->from; i + 1 < line->to; i++) {
		char c = line->text.ptr[i];

		is_quoted ^= c == '\'';
		if (c == '$' && !is_quoted) {
			uint32_t name = i + 1 + (line->text.ptr[i + 1] == '{');

			check_variable(line, name, name_end(line, name, line->to));
		}
	}
}

/* --- packages */

/* "torch==2.1.0+cu118": the build of a package. */
static void check_build(const struct command_line *line)
{
	struct str word = str_sub(line->text, line->from, line->to);
	size_t plus = str_find(word, STR("+cu"));
	uint32_t from = line->from + (uint32_t)plus, to = from + 3;
	const struct source_rule *rule;

	if (plus == STR_NONE)
		return;
	to = name_end(line, from + 1, line->to);
	rule = rule_like(line, TEXT_BUILD, str_sub(line->text, from, to));
	if (rule)
		push_word(line, from, to, (struct source_place){ .rule = rule });
}

static void check_package(const struct command_line *line, uint32_t from)
{
	char as_distribution[SOURCE_NAME_BYTES], as_module[SOURCE_NAME_BYTES];
	const struct source_rule *rule;
	uint32_t to = from;
	size_t len;

	while (to < line->to && (is_word(line->text.ptr[to]) || memchr("-.", line->text.ptr[to], 2)))
		to++;
	len = to - from;
	if (!len || len > SOURCE_NAME_BYTES || (to < line->to && !memchr("[=<>!~@ \"';", line->text.ptr[to], 11)))
		return;
	for (size_t i = 0; i < len; i++) {
		char c = line->text.ptr[from + i];

		c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		as_distribution[i] = c == '_' || c == '.' ? '-' : c;
		as_module[i] = c == '-' || c == '.' ? '_' : c;
	}
	rule = rule_like(line, TEXT_PACKAGE, (struct str){ as_distribution, len });
	if (!rule)
		rule = rule_exact(line->check->book, TEXT_NAME, (struct str){ as_module, len });
	if (rule && (rule->group == TEXT_PACKAGE || strcmp(rule->rule, "src-package") == 0 ||
			    strcmp(rule->rule, "src-tool") == 0))
		push_word(line, from, to, (struct source_place){ .rule = rule });
}

static void check_index(const struct command_line *line, struct str word)
{
	size_t at = str_find(word, STR("://"));
	const struct source_rule *rule = at == STR_NONE ? NULL : rule_like(line, TEXT_INDEX, str_skip(word, at + 3));

	if (rule)
		push_word(line, line->from, line->to, (struct source_place){ .rule = rule });
}

/* --- words */

static bool is_one_of(struct str word, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(word, str_from(words[i])))
			return true;
	}
	return false;
}

/* Words that a command follows. */
static bool precedes_command(struct str word)
{
	static const char *const words[] = { "if", "then", "else", "elif", "do", "while", "until", "!", "{", "sudo",
		"exec", "time", "nohup", "command", "which", "watch", "RUN", "CMD", "ENTRYPOINT" };

	return is_one_of(word, words, ARRAY_SIZE(words));
}

static bool declares(struct str word)
{
	static const char *const words[] = { "export", "env", "declare", "readonly", "local", "unset", "ENV", "ARG" };

	return is_one_of(word, words, ARRAY_SIZE(words));
}

static struct str base_name(struct str path)
{
	for (size_t i = path.len; i > 0; i--) {
		if (path.ptr[i - 1] == '/')
			return str_skip(path, i);
	}
	return path;
}

static void check_command(struct command_line *line, struct str word)
{
	const struct source_rule *rule = rule_like(line, TEXT_TOOL, base_name(word));

	if (str_starts(word, STR("-"))) /* an option of sudo or RUN */
		return;
	line->tool = base_name(word);
	line->expects_command = precedes_command(word);
	line->names_variables = declares(word);
	if (str_eq(word, STR("FROM")) && line->script->kind == SCRIPT_DOCKERFILE)
		line->tool = word;
	if (rule)
		push_word(line, line->to - (uint32_t)line->tool.len, line->to, (struct source_place){ .rule = rule });
}

/* What an option for a device or a backend is given. */
static void check_value(const struct command_line *line, struct str option, uint32_t from)
{
	const struct source_rule *rule = rule_of_text(line->check->book, str_sub(line->text, from, line->to));

	if (rule && ((rule->group == TEXT_DEVICE &&
			     (str_has(option, STR("device")) || str_has(option, STR("accelerator")))) ||
			    (rule->group == TEXT_BACKEND && str_has(option, STR("backend")))))
		push_word(line, from, line->to, (struct source_place){ .rule = rule });
}

static void check_argument(struct command_line *line, struct str word)
{
	static const char *const containers[] = { "docker", "podman", "nvidia-docker" };
	size_t sign = str_find(word, STR("="));
	struct str key = sign == STR_NONE ? word : str_sub(word, 0, sign);
	bool is_container = is_one_of(line->tool, containers, ARRAY_SIZE(containers));
	const struct source_rule *rule = NULL;

	check_index(line, word);
	if (str_eq(line->tool, STR("FROM")) || is_container)
		rule = rule_like(line, TEXT_IMAGE, is_container ? key : word);
	if (rule)
		push_word(line, line->from, line->from + (uint32_t)(is_container ? key.len : word.len),
			(struct source_place){ .rule = rule });
	if (sign != STR_NONE)
		check_value(line, key, line->from + (uint32_t)sign + 1);
	else if (line->option.len)
		check_value(line, line->option, line->from);
	if (is_container && (str_eq(line->option, STR("-e")) || str_eq(line->option, STR("--env"))))
		check_variable(line, line->from, name_end(line, line->from, line->to));
	if (line->installs && !str_starts(word, STR("-"))) {
		check_package(line, line->from);
		check_build(line);
	}
	line->installs |= str_eq(word, STR("install")) &&
			  (str_starts(line->tool, STR("pip")) || str_starts(line->tool, STR("python")) ||
				  str_starts(line->tool, STR("conda")) || str_eq(line->tool, STR("uv")));
	line->option = str_starts(word, STR("-")) && sign == STR_NONE ? word : STR("");
}

static void check_word(struct command_line *line)
{
	struct str word = str_sub(line->text, line->from, line->to);
	uint32_t end = name_end(line, line->from, line->to);
	bool assigns = end > line->from && end < line->to && line->text.ptr[end] == '=';

	if (!line->is_literal)
		check_expansions(line);
	if (line->script->kind == SCRIPT_REQUIREMENTS) {
		if (line->expects_command && !str_starts(word, STR("-")))
			check_package(line, line->from);
		check_build(line);
		check_index(line, word);
		line->expects_command = false;
	} else if ((line->names_variables || line->expects_command) && (assigns || end == line->to) &&
		   (line->names_variables || assigns)) {
		check_variable(line, line->from, end);
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
	line->option = line->tool = STR("");
}

/* Passes over the lines of a here-document. */
static void pass_here(struct command_line *line)
{
	while (line->here.len && line->at < line->text.len) {
		struct str rest = str_skip(line->text, line->at);
		size_t len = str_find(rest, STR("\n"));
		struct str one = len == STR_NONE ? rest : str_sub(rest, 0, len);

		line->at += (uint32_t)(one.len + (len != STR_NONE));
		if (str_eq(str_trim(one), line->here))
			line->here = STR("");
	}
	line->here = STR("");
}

static void note_here(struct command_line *line, struct str word)
{
	struct str end = str_skip(line->text, line->from);
	size_t len = 0;

	if (!str_starts(word, STR("<<")) || str_starts(word, STR("<<<")))
		return;
	while (end.len && memchr("<-'\"\\ ", end.ptr[0], 6))
		end = str_skip(end, 1);
	while (len < end.len && is_word(end.ptr[len]))
		len++;
	line->here = str_sub(end, 0, len);
}

static bool ends_word(const struct command_line *line, char c)
{
	return memchr(" \t\r\n;|&()`", c, 10) || (line->script->kind == SCRIPT_DOCKERFILE && memchr(",[]", c, 3));
}

/* Reads a word: quotes belong to it, at its ends they do not. */
static void read_word(struct command_line *line)
{
	char quote = '\0';

	line->from = line->at;
	while (line->at < line->text.len && (quote || !ends_word(line, line->text.ptr[line->at]))) {
		char c = line->text.ptr[line->at];

		if (c == '\\' && quote != '\'' && line->at + 1 < line->text.len)
			line->at++;
		else if (c == quote)
			quote = '\0';
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
		line->at++;
	}
	line->to = line->at;
	note_here(line, str_sub(line->text, line->from, line->to));
	line->is_literal = line->text.ptr[line->from] == '\'';
	if (line->to - line->from > 1 && memchr("\"'", line->text.ptr[line->from], 2) &&
		line->text.ptr[line->to - 1] == line->text.ptr[line->from]) {
		line->from++;
		line->to--;
	}
	if (line->to > line->from)
		check_word(line);
}

static void pass_comment(struct command_line *line)
{
	while (line->at < line->text.len && line->text.ptr[line->at] != '\n')
		line->at++;
}

static void check_commands(struct command_line *line)
{
	end_command(line);
	while (line->at < line->text.len) {
		char c = line->text.ptr[line->at];
		struct str rest = str_skip(line->text, line->at);

		if (str_starts(rest, STR("\\\n")) || str_starts(rest, STR("\\\r\n"))) {
			line->at += rest.ptr[1] == '\n' ? 2 : 3;
		} else if (c == '#') {
			pass_comment(line);
		} else if (!ends_word(line, c)) {
			read_word(line);
		} else {
			line->at++;
			if (c == ';' && line->script->kind == SCRIPT_REQUIREMENTS)
				pass_comment(line);
			if (c == '\n')
				pass_here(line);
			if (memchr("\n;|&()`", c, 7))
				end_command(line);
		}
	}
}

void shell_check(struct check *check, struct script *script)
{
	struct str text = script->syntax.text;

	for (size_t from = 0, to; from < text.len; from = to + 1) {
		size_t len = str_find(str_skip(text, from), (struct str){ "", 1 });

		to = len == STR_NONE ? text.len : from + len;
		check_commands(&(struct command_line){
			.check = check, .script = script, .text = str_sub(text, 0, to), .at = (uint32_t)from });
	}
}

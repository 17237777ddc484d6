#include "scan/find/check_strings.h"

#include "base/view/ascii.h"
#include "scan/find/check_names.h"
#include "scan/find/word.h"

enum { UP_MOST = 16, TEXT_MOST = 120 };

struct literal {
	struct check *check;
	const struct script *script;
	const struct syntax *syntax;
	enum text_group group;
	struct str text;
	uint32_t node;
};

/* --- words */

static bool has_word(struct str text, struct str word)
{
	for (size_t i = 0; i + word.len <= text.len && i < TEXT_MOST; i++) {
		if (str_eq_fold(str_sub(text, i, i + word.len), word))
			return true;
	}
	return false;
}

/* Returns whether a variable of this name holds such a text. */
static bool name_wants(enum text_group group, struct str name)
{
	if (group == TEXT_BACKEND)
		return has_word(name, STR("backend"));
	return group == TEXT_DEVICE && (has_word(name, STR("device")) || has_word(name, STR("map_location")) ||
					       has_word(name, STR("accelerator")) || str_eq_fold(name, STR("dev")));
}

/* --- the text */

/* The text of a literal with "{}" for its replacements. False for bytes and texts too long for a name. */
static bool text_of(const struct syntax *syntax, uint32_t node, char *space, struct str *ret)
{
	size_t len = 0;

	if (syntax->items[node].to - syntax->items[node].from > TEXT_MOST ||
		memchr("bB", syntax->text.ptr[syntax->items[node].from], 2))
		return false;
	for (uint32_t child = syntax_first(syntax, node); child; child = syntax_next(syntax, child)) {
		struct str part = syntax->items[child].kind == SYN_STRING_CONTENT  ? syntax_text(syntax, child)
				  : syntax->items[child].kind == SYN_INTERPOLATION ? STR("{}")
										   : STR("");

		memcpy(space + len, part.ptr, part.len);
		len += part.len;
	}
	*ret = (struct str){ space, len };
	return true;
}

/* --- what is around it */

static bool is_of_torch(const struct literal *literal, uint32_t call)
{
	uint32_t function = syntax_child(literal->syntax, call, SYN_AS_FUNCTION);
	struct meanings values;

	if (!function)
		return false;
	resolve(literal->check->project, literal->script, function, &values);
	return ANY(i, values.count,
		values.items[i].kind == MEANING_NAME && str_starts(meaning_name(&values.items[i]), STR("torch.")));
}

/* "--device" of parser.add_argument("--device", default="cuda") */
static enum sense sense_of_option(const struct literal *literal, uint32_t arguments)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t first = syntax_first(syntax, arguments);

	for (uint32_t child = first; child && syntax->items[child].kind == SYN_STRING;
		child = syntax_next(syntax, child)) {
		if (child != literal->node && name_wants(literal->group, syntax_text(syntax, child)))
			return SENSE_SURE;
	}
	return SENSE_NONE;
}

/* Functions that declare an option of the command line by its name. */
static const struct str option_makers = STR("add_argument add_option option argument Option Argument DEFINE_string "
					    "DEFINE_enum");

/* The parameter of a function of the project that an argument without a keyword is for. */
static struct str parameter_of(const struct literal *literal, uint32_t call, unsigned place)
{
	struct meanings values;

	resolve(literal->check->project, literal->script, syntax_child(literal->syntax, call, SYN_AS_FUNCTION),
		&values);
	if (!values.count || values.items[0].kind != MEANING_FUNCTION)
		return STR("");
	return parameter_at(&values.items[0].script->syntax, values.items[0].node, place);
}

static unsigned place_among(const struct syntax *syntax, uint32_t arguments, uint32_t argument)
{
	unsigned place = 0;

	for (uint32_t child = syntax_first(syntax, arguments); child && child != argument && place < UP_MOST;
		child = syntax_next(syntax, child))
		place++;
	return place;
}

/* Methods of texts that look for a part. */
static const struct str text_methods = STR(
	"startswith endswith replace removeprefix split rsplit partition strip lstrip "
	"count find index");

static enum sense sense_of_argument(const struct literal *literal, uint32_t argument, uint32_t arguments)
{
	uint32_t call = literal->syntax->items[arguments].parent;
	struct str name = called_name(literal->syntax, call);

	if (literal->syntax->items[call].kind != SYN_CALL)
		return SENSE_NONE;
	if (str_has_word(option_makers, name))
		return argument == literal->node && !str_starts(name, STR("DEFINE"))
			       ? SENSE_NONE
			       : sense_of_option(literal, arguments);
	if (literal->syntax->items[argument].kind == SYN_KEYWORD)
		return SENSE_NONE;
	if (str_has_word(STR("to to_empty cuda type new_group init_process_group init_distributed"), name) ||
		name_wants(literal->group, name))
		return SENSE_SURE;
	if (str_has_word(text_methods, name))
		name = syntax_child_text(literal->syntax, call, SYN_AS_FUNCTION);
	else if (is_of_torch(literal, call))
		return SENSE_SURE;
	else
		name = parameter_of(literal, call, place_among(literal->syntax, arguments, argument));
	return name_wants(literal->group, name) ? SENSE_SURE : SENSE_NONE;
}

static enum sense sense_of_keyword(const struct literal *literal, uint32_t keyword)
{
	const struct syntax *syntax = literal->syntax;
	struct str name = syntax_child_text(syntax, keyword, SYN_AS_NAME);
	uint32_t arguments = syntax->items[keyword].parent;

	if (str_eq(name, STR("accelerator")) && /* Lightning refuses names that no package adds */
		str_has_word(STR("Trainer Fabric"), called_name(syntax, syntax->items[arguments].parent)))
		return rule_of_option(literal->check, syntax, keyword, name) ? SENSE_NONE : SENSE_DOUBTFUL;
	if (name_wants(literal->group, name) ||
		(str_eq(name, STR("type")) && is_of_torch(literal, syntax->items[arguments].parent)))
		return SENSE_SURE;
	return sense_of_argument(literal, keyword, arguments);
}

/* "{...}[device.type]" */
static bool is_looked_up(const struct literal *literal, uint32_t dictionary)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t around = syntax->items[dictionary].parent;
	struct str index = syntax_child_text(syntax, around, SYN_AS_SUBSCRIPT);

	return syntax->items[around].kind == SYN_SUBSCRIPT && index.len &&
	       (name_wants(literal->group, index) || str_ends(index, STR(".type")));
}

/* The value of a dictionary, or its key: maps of devices are for checkpoints. */
static enum sense sense_of_pair(const struct literal *literal, uint32_t pair, bool is_key)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t dictionary = syntax->items[pair].parent, keyword = syntax->items[dictionary].parent;

	if (syntax->items[keyword].kind == SYN_KEYWORD && sense_of_keyword(literal, keyword) == SENSE_SURE)
		return SENSE_SURE;
	if (is_key)
		return is_looked_up(literal, dictionary) ? SENSE_SURE : SENSE_NONE;
	if (name_wants(literal->group, syntax_child_text(syntax, pair, SYN_AS_KEY)))
		return SENSE_SURE;
	return str_has(literal->text, STR(":")) ? SENSE_DOUBTFUL : SENSE_NONE;
}

/* Of a literal that is compared with an expression. */
static enum sense sense_beside(const struct literal *literal, struct str other)
{
	return name_wants(literal->group, other) || (literal->group == TEXT_DEVICE && str_ends(other, STR(".type")))
		       ? SENSE_SURE
		       : SENSE_DOUBTFUL;
}

static enum sense sense_of_comparison(const struct literal *literal, uint32_t comparison, uint32_t from)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t other = syntax_first(syntax, comparison);
	struct str text;

	if (other == from)
		other = syntax_next(syntax, other);
	text = other ? syntax_text(syntax, other) : STR("");
	return sense_beside(literal, text);
}

/* "case" of a match statement. */
static enum sense sense_of_case(const struct literal *literal, uint32_t clause)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t match = syntax->items[syntax->items[clause].parent].parent;

	return sense_beside(literal, syntax_child_text(syntax, match, SYN_AS_SUBJECT));
}

/* The name of the function that a statement is in. */
static struct str function_around(const struct literal *literal)
{
	const struct scope *scope = &literal->script->scopes.items[literal->script->scope_of[literal->node]];

	return syntax_child_text(literal->syntax, scope->node, SYN_AS_NAME);
}

/* The name of the left side of an assignment or of a parameter. */
static enum sense sense_of_name(const struct literal *literal, uint32_t node, enum syntax_field field)
{
	struct str name = syntax_child_text(literal->syntax, node, field);

	return name_wants(literal->group, name) ? SENSE_SURE : SENSE_DOUBTFUL;
}

/* The name on the left that gets one element of a list on the right. */
static enum sense sense_of_element(const struct literal *literal, uint32_t assignment, uint32_t element)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t left = syntax_child(syntax, assignment, SYN_AS_LEFT);
	unsigned place = place_among(syntax, syntax->items[element].parent, element);

	if (!left || syntax->items[left].kind != SYN_PATTERNS)
		return sense_of_name(literal, assignment, SYN_AS_LEFT);
	for (left = syntax_first(syntax, left); left && place--;)
		left = syntax_next(syntax, left);
	return left && name_wants(literal->group, syntax_text(syntax, left)) ? SENSE_SURE : SENSE_DOUBTFUL;
}

/* A literal that is the left side of "+" is a beginning: "cuda:" + str(i), "cuda" + ":" + str(i). */
static bool goes_on(const struct literal *literal, uint32_t binary, uint32_t from)
{
	const struct syntax *syntax = literal->syntax;
	struct str sign = syntax_sign(syntax, binary);
	uint32_t first = syntax_first(syntax, binary), next = first ? syntax_next(syntax, first) : 0;

	if (first != from || from != literal->node)
		return first == from && str_eq(sign, STR("+")) && syntax->items[from].kind == SYN_BINARY;
	return str_eq(sign, STR("%")) ||
	       (str_eq(sign, STR("+")) && (str_ends(literal->text, STR(":")) ||
						  str_starts(str_skip(syntax_text(syntax, next), 1), STR(":"))));
}

/* The call of "cuda:{}".format(i), or 0. */
static uint32_t formatting_call(const struct literal *literal, uint32_t attribute)
{
	uint32_t call = literal->syntax->items[attribute].parent;

	return literal->syntax->items[call].kind == SYN_CALL &&
			       str_eq(called_name(literal->syntax, call), STR("format"))
		       ? call
		       : 0;
}

/* A default in a call that looks a value up: os.environ.get("DEVICE", "cuda"), getattr(args, "device", "cuda"). */
static bool is_fallback(const struct literal *literal, uint32_t argument, uint32_t arguments)
{
	const struct syntax *syntax = literal->syntax;
	struct str name = called_name(syntax, syntax->items[arguments].parent);
	uint32_t first = syntax_first(syntax, arguments);

	return str_has_word(STR("get pop setdefault getenv getattr"), name) && argument != first &&
	       (!str_eq(name, STR("getattr")) || argument != syntax_next(syntax, first));
}

static enum sense sense_of_fallback(const struct literal *literal, uint32_t arguments)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t key = syntax_first(syntax, arguments);

	if (str_eq(called_name(syntax, syntax->items[arguments].parent), STR("getattr")))
		key = syntax_next(syntax, key);
	return name_wants(literal->group, syntax_text(syntax, key)) ? SENSE_SURE : SENSE_NONE;
}

/* Calls that give their argument back, as far as a name goes. */
static bool is_passed_on(const struct literal *literal, uint32_t arguments)
{
	return str_has_word(STR("str list tuple set frozenset sorted Choice field Field"),
		called_name(literal->syntax, literal->syntax->items[arguments].parent));
}

/* "--device" before the literal in a list of the words of a command. */
static bool follows_option(const struct literal *literal, uint32_t list)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t before = 0;

	for (uint32_t at = syntax_first(syntax, list); at && at != literal->node; at = syntax_next(syntax, at))
		before = at;
	return before && syntax->items[before].kind == SYN_STRING &&
	       str_starts(str_skip(syntax_text(syntax, before), 1), STR("-")) &&
	       name_wants(literal->group, syntax_text(syntax, before));
}

/* The node around one that a literal is only passed on by, or 0. */
static uint32_t node_outside(const struct literal *literal, uint32_t from)
{
	const struct syntax *syntax = literal->syntax;
	static const uint8_t kinds[] = { SYN_CONDITIONAL, SYN_BOOLEAN, SYN_PARENTHESES, SYN_LIST, SYN_TUPLE, SYN_SET,
		SYN_DICTIONARY, SYN_EXPRESSIONS, SYN_CONCATENATED, SYN_UNION_PATTERN, SYN_CASE_PATTERN, SYN_LAMBDA,
		SYN_LIST_COMPREHENSION, SYN_SET_COMPREHENSION, SYN_GENERATOR };
	uint32_t at = syntax->items[from].parent;

	if (memchr(kinds, syntax->items[at].kind, sizeof(kinds)))
		return at;
	switch (syntax->items[at].kind) {
	case SYN_BINARY: /* ("cuda:0",) + others */
		return syntax->items[from].kind == SYN_TUPLE || syntax->items[from].kind == SYN_LIST ||
				       goes_on(literal, at, from)
			       ? at
			       : 0;
	case SYN_ATTRIBUTE:
		return formatting_call(literal, at);
	case SYN_ARGUMENTS:
		if (is_passed_on(literal, at) ||
			(is_fallback(literal, from, at) && sense_of_fallback(literal, at) == SENSE_NONE))
			return syntax->items[at].parent;
		return 0;
	case SYN_KEYWORD: /* field(default="cuda") */
		if (str_has_word(STR("default default_factory"), syntax_child_text(syntax, at, SYN_AS_NAME)) &&
			is_passed_on(literal, syntax->items[at].parent))
			return syntax->items[syntax->items[at].parent].parent;
		return 0;
	default:
		return 0;
	}
}

/* The kind of a literal by the node that it is used in. */
static enum sense sense_in(const struct literal *literal, uint32_t from, uint32_t element)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t at = syntax->items[from].parent;

	switch (syntax->items[at].kind) {
	case SYN_PAIR:
		return sense_of_pair(literal, at, syntax->items[from].field == SYN_AS_KEY);
	case SYN_KEYWORD:
		return sense_of_keyword(literal, at);
	case SYN_ARGUMENTS:
		return is_fallback(literal, from, at) ? sense_of_fallback(literal, at)
						      : sense_of_argument(literal, from, at);
	case SYN_COMPARISON:
		return sense_of_comparison(literal, at, from);
	case SYN_CASE:
		return sense_of_case(literal, at);
	case SYN_ASSIGNMENT:
		return element ? sense_of_element(literal, at, element) : sense_of_name(literal, at, SYN_AS_LEFT);
	case SYN_FOR:
	case SYN_FOR_IN:
		return sense_of_name(literal, at, SYN_AS_LEFT);
	case SYN_DEFAULT_PARAMETER:
	case SYN_TYPED_DEFAULT_PARAMETER:
		return sense_of_name(literal, at, SYN_AS_NAME);
	case SYN_RETURN:
		return name_wants(literal->group, function_around(literal)) ? SENSE_SURE : SENSE_DOUBTFUL;
	default:
		return SENSE_NONE;
	}
}

/* The kind of a literal by its context, looking through choices, lists and parentheses. */
static enum sense sense_around(const struct literal *literal)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t from = literal->node, at, element = 0;

	for (unsigned i = 0; i < UP_MOST && (at = node_outside(literal, from)); i++, from = at) {
		if (syntax->items[at].kind == SYN_EXPRESSIONS || syntax->items[at].kind == SYN_TUPLE)
			element = from;
		if (syntax->items[at].kind == SYN_LIST && from == literal->node && follows_option(literal, at))
			return SENSE_SURE;
	}
	return sense_in(literal, from, element);
}

bool argument_wants(struct check *check, const struct script *script, uint32_t argument, enum text_group group)
{
	struct literal wanted = {
		.check = check, .script = script, .syntax = &script->syntax, .group = group, .node = argument
	};

	return (script->syntax.items[argument].kind == SYN_KEYWORD
			       ? sense_of_keyword(&wanted, argument)
			       : sense_of_argument(&wanted, argument, script->syntax.items[argument].parent)) ==
	       SENSE_SURE;
}

/* --- the other groups */

/* Returns whether a mapping is the environment: os.environ, or a name like it. */
static bool is_environment(const struct literal *literal, uint32_t node)
{
	struct meanings values;

	if (!node)
		return false;
	if (has_word(syntax_text(literal->syntax, node), STR("env")))
		return true;
	resolve(literal->check->project, literal->script, node, &values);
	return values.count && str_eq(meaning_name(&values.items[0]), STR("os.environ"));
}

static enum sense sense_of_variable(const struct literal *literal)
{
	const struct syntax *syntax = literal->syntax;
	uint32_t at = syntax->items[literal->node].parent, call;
	uint32_t first = syntax_first(syntax, at);

	switch (syntax->items[at].kind) {
	case SYN_SUBSCRIPT:
		return is_environment(literal, syntax_child(syntax, at, SYN_AS_VALUE)) ? SENSE_SURE : SENSE_NONE;
	case SYN_COMPARISON:
		return first == literal->node && is_environment(literal, syntax_next(syntax, first)) ? SENSE_SURE
												     : SENSE_NONE;
	case SYN_ARGUMENTS:
		call = syntax_child(syntax, syntax->items[at].parent, SYN_AS_FUNCTION);
		return first == literal->node && is_environment(literal, call) ? SENSE_SURE : SENSE_NONE;
	case SYN_PAIR:
		return syntax->items[literal->node].field == SYN_AS_KEY ? SENSE_SURE : SENSE_NONE;
	default:
		return SENSE_NONE;
	}
}

/* Returns whether a literal is a message: printed, logged, raised. */
static bool is_message(const struct literal *literal)
{
	static const struct str tellers = STR("print info debug warning warn error log write exception critical");
	uint32_t arguments = literal->syntax->items[literal->node].parent;
	uint32_t call = literal->syntax->items[arguments].parent;

	return literal->syntax->items[call].kind == SYN_CALL &&
	       str_has_word(tellers, called_name(literal->syntax, call));
}

/* A command: the argument of what runs one, or the first of a list of its words. */
static enum sense sense_of_command(const struct literal *literal)
{
	static const struct str runners = STR("run Popen call check_call check_output system popen getoutput which");
	const struct syntax *syntax = literal->syntax;
	uint32_t at = syntax->items[literal->node].parent;

	if (syntax->items[at].kind == SYN_LIST && syntax_first(syntax, at) == literal->node)
		at = syntax->items[at].parent;
	if (syntax->items[at].kind != SYN_ARGUMENTS || str_has(literal->text, STR(" "))) /* read as a shell does */
		return SENSE_NONE;
	return str_has_word(runners, called_name(syntax, syntax->items[at].parent)) ? SENSE_SURE : SENSE_NONE;
}

/* "flash-attn>=2" in a setup.py: in install_requires, or in what is called requirements or extras. */
static enum sense sense_of_requirement(const struct literal *literal)
{
	const struct syntax *syntax = literal->syntax;
	static const uint8_t inside[] = { SYN_LIST, SYN_TUPLE, SYN_DICTIONARY, SYN_PAIR, SYN_BINARY, SYN_PARENTHESES };
	uint32_t at = literal->node;
	struct str name;

	for (unsigned i = 0; i < UP_MOST && syntax->items[at].field != SYN_AS_KEY; i++) {
		at = syntax->items[at].parent;
		if (memchr(inside, syntax->items[at].kind, sizeof(inside)))
			continue;
		if (syntax->items[at].kind != SYN_KEYWORD && syntax->items[at].kind != SYN_ASSIGNMENT)
			return SENSE_NONE;
		name = syntax_text(syntax, syntax_first(syntax, at));
		return has_word(name, STR("require")) || has_word(name, STR("extras")) ? SENSE_SURE : SENSE_NONE;
	}
	return SENSE_NONE;
}

static enum sense sense_of(const struct literal *literal)
{
	switch (literal->group) {
	case TEXT_DEVICE:
	case TEXT_BACKEND:
		return sense_around(literal);
	case TEXT_ENV:
		return sense_of_variable(literal);
	case TEXT_TOOL:
		return sense_of_command(literal);
	case TEXT_PACKAGE:
		return sense_of_requirement(literal);
	default:
		return is_message(literal) ||
				       literal->syntax->items[literal->syntax->items[literal->node].parent].kind ==
					       SYN_EXPRESSION_STATEMENT
			       ? SENSE_NONE
			       : SENSE_SURE;
	}
}

/* --- the literals of a script */

/* Finds the row and its group; of a requirement the text becomes the name of the package, or its build. */
static const struct source_rule *rule_of_literal(struct literal *literal)
{
	const struct source_rule *rule = rule_of_text(literal->check->book, literal->text);
	struct word_source words = { .check = literal->check, .text = literal->text };
	uint32_t from, to;

	literal->group = rule ? rule->group : TEXT_PACKAGE;
	if (rule || !str_eq(str_from(str_file_name(literal->script->path.ptr)), STR("setup.py")))
		return rule;
	rule = word_requirement(&words, 0, (uint32_t)literal->text.len, &from, &to);
	if (!rule)
		rule = word_build_rule(&words, 0, (uint32_t)literal->text.len, &from, &to);
	literal->text = str_sub(literal->text, from, to);
	return rule;
}

static void check_literal(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	struct literal literal = { .check = check, .script = script, .syntax = syntax, .node = node };
	char space[TEXT_MOST + 1];
	const struct source_rule *rule;
	struct source_place place;
	enum sense sense;

	if (!text_of(syntax, node, space, &literal.text))
		return;
	rule = rule_of_literal(&literal);
	if (!rule)
		return;
	sense = sense_of(&literal);
	place = (struct source_place){ .script = script,
		.node = node,
		.from = syntax->items[node].from,
		.to = syntax->items[node].to,
		.rule = rule,
		.name = arena_keep(&check->text, literal.text) };
	if (literal.group == TEXT_DEVICE || literal.group == TEXT_BACKEND) {
		if (check->candidates.count < check->places_most)
			MEM_PUSH(&check->candidates, ((struct candidate){ place, sense }));
	} else if (sense != SENSE_NONE) {
		check_place(check, place);
	}
}

void check_strings(struct check *check, const struct script *script)
{
	for (uint32_t i = 1; i < script->syntax.count; i++) {
		if (script->syntax.items[i].kind == SYN_STRING)
			check_literal(check, script, i);
	}
}

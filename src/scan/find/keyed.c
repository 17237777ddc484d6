#include "scan/find/keyed.h"

#include "base/view/ascii.h"
#include "scan/find/shell.h"
#include "scan/find/word.h"
#include "scan/source/setting.h"
#include "scan/source/toml.h"
#include "scan/source/yaml.h"

/* "[options.extras_require]": keys in keys. */
static uint32_t push_section(struct syntax *syntax, uint32_t from, uint32_t to)
{
	uint32_t key = 0;

	for (uint32_t at = from; at <= to; at++) {
		if (at == to || syntax->text.ptr[at] == '.') {
			key = setting_push(syntax, from, at, key, SYN_AS_KEY);
			from = at + 1;
		}
	}
	return key;
}

/* Indented lines are further values of the key above; a line without "=" is neither. */
static void ini_read(struct syntax *syntax)
{
	struct str rest = syntax->text, line = { 0 };
	uint32_t section = 0, key = 0;

	while (rest.len && str_cut(&rest, '\n', &line)) {
		struct str text = str_trim(line);
		uint32_t from = (uint32_t)(text.ptr - syntax->text.ptr), to = from + (uint32_t)text.len;
		size_t sign = str_find(text, STR("="));

		if (!text.len || memchr("#;", text.ptr[0], 2))
			continue;
		if (text.ptr[0] == '[' && str_ends(text, STR("]"))) {
			section = push_section(syntax, from + 1, to - 1);
			key = 0;
		} else if (text.ptr != line.ptr && key) {
			setting_push(syntax, from, to, key, SYN_AS_VALUE);
		} else if (sign != STR_NONE) {
			struct str name = str_trim(str_sub(text, 0, sign)), value = str_trim(str_skip(text, sign + 1));

			key = setting_push(syntax, from, from + (uint32_t)name.len, section, SYN_AS_KEY);
			if (value.len)
				setting_push(syntax, to - (uint32_t)value.len, to, key, SYN_AS_VALUE);
		}
	}
}

int keyed_read(struct str text, enum script_kind kind, struct syntax *ret, struct err *err)
{
	shell_read(text, ret);
	if (kind == SCRIPT_INI)
		ini_read(ret);
	return kind == SCRIPT_YAML ? yaml_read(ret, err) : kind == SCRIPT_TOML ? toml_read(ret, err) : 0;
}

/* --- what a key says of its value */

/* Values under such a key are packages: "torch>=2". */
static const struct str package_lists = STR(
	"dependencies requires pip requirements install_requires setup_requires python_packages");

/* Lists of packages under names of their own are in it. */
static const struct str package_groups = STR("optional-dependencies dependency-groups extras_require extras");

static const struct str command_lists = STR("command cmd run script entrypoint before_script setup args");

static struct str text_of(const struct word_source *words, uint32_t node)
{
	return node ? syntax_text(&words->script->syntax, node) : STR("");
}

/* Rows for a value under a key: "distributed_type=MULTI_GPU"; for the key with any value: "nvidia.com/gpu=*"; for a
   key with a value in it: "amp.enabled=true". */
static void check_setting(const struct word_source *words, uint32_t key, const struct syntax_node *value)
{
	const struct syntax *syntax = &words->script->syntax;
	struct syntax_node key_node = syntax->items[key], above = syntax->items[key_node.parent], place = *value;
	struct str around = text_of(words, key_node.parent), name = text_of(words, key);
	struct str shown = str_sub(words->text, value->from, value->to);
	const struct source_rule *rule = word_setting(words, STR(""), name, shown);

	if (rule && str_ends(rule->name, STR("=*")))
		place = key_node;
	if (!rule && around.len) {
		rule = word_setting(words, around, name, shown);
		place = above;
	}
	word_push(words, place.from, place.to, rule);
}

/* The qualified name of what a setting makes: "_target_: apex.optimizers.FusedAdam". */
static void check_target(const struct word_source *words, uint32_t from, uint32_t to)
{
	struct str name = str_sub(words->text, from, to);
	const struct source_rule *rule = rule_of_name(words->check->book, name);

	if (!rule && !project_module(words->check->project, str_head(name, '.')))
		rule = rule_of_package(words->check->book, name);
	word_push(words, from, to, rule);
}

static void check_value(const struct word_source *words, uint32_t node)
{
	const struct syntax *syntax = &words->script->syntax;
	struct syntax_node value = syntax->items[node], above = syntax->items[value.parent];
	struct str key = text_of(words, value.parent);
	struct str around = value.parent ? text_of(words, above.parent) : STR("");
	uint32_t name = word_end(words->text, value.from, value.to);

	word_value(words, key, value.from, value.to);
	word_index(words, value.from, value.to);
	if (value.parent)
		check_setting(words, value.parent, &value);
	if (name < value.to && words->text.ptr[name] == '=')
		word_variable(words, value.from, name); /* of "environment: [NAME=1]" */
	if (str_has_word(STR("_target_ _component_"), key))
		check_target(words, value.from, value.to);
	if (str_eq(key, STR("image")))
		word_image(words, value.from, value.to);
	if (str_has_word(package_lists, key) || str_has_word(package_groups, around))
		word_package(words, value.from, value.to);
	if (str_eq(key, STR("name"))) /* env: [{name: CUDA_VISIBLE_DEVICES, value: 0}] */
		word_variable(words, value.from, value.to);
	if (!str_has_word(command_lists, key))
		return;
	shell_check_part(words->check, words->script, value.from, value.to);
	if (syntax->items[node - 1].parent == value.parent && str_starts(text_of(words, node - 1), STR("-")))
		word_value(words, text_of(words, node - 1), value.from, value.to); /* [python, a.py, --device, cuda] */
}

void keyed_check(struct check *check, struct script *script)
{
	struct word_source words = { check, script, script->syntax.text };
	size_t count = script->syntax.count; /* words add nodes */

	for (uint32_t i = 1; i < count; i++) {
		struct syntax_node node = script->syntax.items[i];

		if (node.field != SYN_AS_KEY) {
			check_value(&words, i);
			continue;
		}
		/* a variable, or a package with its version behind it */
		word_variable(&words, node.from, node.to);
		if (str_has_word(STR("dependencies dev-dependencies"), text_of(&words, node.parent)))
			word_package(&words, node.from, node.to);
	}
}

#include "diagnose/codes.h"

#include <stdio.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"

enum { LETTER_CODE = 6, PLUGIN_CODE = 8, WORDING_BYTES = 24 };

/* By the second character of a code of CANN (Troubleshooting, Error Code Reference, Description). */
static const struct {
	char letter;
	struct str name;
} modules[] = { { '1', STR("GE") }, { '2', STR("FE") }, { '3', STR("AI CPU") }, { '4', STR("TE Fusion") },
	{ '5', STR("Operator") }, { '6', STR("Operator") }, { '7', STR("Vector operator plugin") },
	{ '8', STR("Vector operator") }, { '9', STR("TBE") }, { 'A', STR("TBE") }, { 'B', STR("TBE Pass") },
	{ 'C', STR("Auto Tune") }, { 'D', STR("RL Tune") }, { 'E', STR("Runtime") }, { 'F', STR("LxFusion") },
	{ 'G', STR("AOE") }, { 'H', STR("ACL") }, { 'I', STR("HCCL") }, { 'J', STR("HCCP") }, { 'K', STR("Profiling") },
	{ 'L', STR("Driver") }, { 'M', STR("Queue scheduling") }, { 'N', STR("DVPP") }, { 'O', STR("AMCT") },
	{ 'P', STR("Dump") }, { 'Z', STR("Operator") } };

static bool all_digits(struct str text)
{
	return ALL(i, text.len, is_digit(text.ptr[i])) && text.len > 0;
}

/* "EI0009", "E40021", "W11001" */
static bool has_form(struct str code)
{
	return code.len == LETTER_CODE && (code.ptr[0] == 'E' || code.ptr[0] == 'W') &&
	       ((code.ptr[1] >= 'A' && code.ptr[1] <= 'Z') || (code.ptr[1] >= '1' && code.ptr[1] <= '9')) &&
	       all_digits(str_skip(code, 2));
}

struct str code_module(struct str code)
{
	for (size_t i = 0; i < ARRAY_SIZE(modules) && has_form(code); i++) {
		if (modules[i].letter == code.ptr[1])
			return modules[i].name;
	}
	return STR("");
}

/* Returns whether the text before a number says that it is an error: "error code is ", "retCode=", "failed: ". */
static bool is_announced(struct str head)
{
	static const struct str words[] = { STR("code"), STR("ret"), STR("result"), STR("error"), STR("status"),
		STR("failed"), STR("errno") };

	if (head.len > WORDING_BYTES)
		head = str_skip(head, head.len - WORDING_BYTES);
	while (head.len && strchr(" :=([{'\"", head.ptr[head.len - 1]))
		head.len--;
	if (str_ends(head, STR(" is")))
		head = str_trim(str_chop(head, strlen("is")));
	return ANY(i, ARRAY_SIZE(words),
		head.len >= words[i].len && str_eq_fold(str_skip(head, head.len - words[i].len), words[i]));
}

void code_put_id(struct str code, char id[CODE_ID_BYTES])
{
	const char *head = !is_digit(code.ptr[0]) ? "" : code.ptr[1] == '6' ? "aclnn-" : "acl-";

	snprintf(id, CODE_ID_BYTES, "%s%.*s", head, STR_ARG(code));
	for (char *at = id; *at; at++)
		*at = (char)(is_alpha(*at) ? *at | 0x20 : *at);
}

static bool read_number(struct str line, size_t from, struct str word, struct code *ret)
{
	static const struct str known[] = { STR("100"), STR("107"), STR("145"), STR("148"), STR("200"), STR("207"),
		STR("245"), STR("300"), STR("345"), STR("500"), STR("507"), STR("545"), STR("161"), STR("361"),
		STR("561") };
	struct str head = str_sub(line, 0, from);
	size_t range = 0;

	if (!is_announced(head))
		return false;
	ret->certain = true;
	if (word.len <= 2 && str_ends(head, STR("error code is ")) &&
		(str_has(head, STR("HCCL")) || str_has(head, STR("ccl")))) {
		snprintf(ret->id, sizeof(ret->id), "hccl-%.*s", STR_ARG(word));
		return true;
	}
	while (range < ARRAY_SIZE(known) && !str_starts(word, known[range]))
		range++;
	if (word.len != LETTER_CODE || range == ARRAY_SIZE(known))
		return false;
	code_put_id(word, ret->id);
	return true;
}

static bool read_letters(struct str line, size_t from, struct str word, struct code *ret)
{
	size_t end = from + word.len;

	if (word.len == PLUGIN_CODE && str_starts(word, STR("ERR")) && all_digits(str_skip(word, 3))) {
		snprintf(ret->id, sizeof(ret->id), "err-%.*s", STR_ARG(str_skip(word, 5)));
		ret->certain = true;
		return true;
	}
	if (!has_form(word))
		return false;
	code_put_id(word, ret->id);
	ret->certain = (end < line.len && strchr(":)[]", line.ptr[end])) ||
		       str_ends(str_sub(line, 0, from), STR("ErrorCode="));
	return ret->certain || !is_digit(word.ptr[1]); /* "E10007" may be any name */
}

bool code_next(struct str line, size_t *at, struct code *ret)
{
	while (*at < line.len) {
		size_t from = *at;
		struct str word = str_skip(line, from);

		while (*at < line.len && is_word(line.ptr[*at]))
			++*at;
		word.len = *at - from;
		*ret = (struct code){ .text = word };
		if (all_digits(word) ? read_number(line, from, word, ret) : read_letters(line, from, word, ret))
			return true;
		*at += !word.len;
	}
	return false;
}

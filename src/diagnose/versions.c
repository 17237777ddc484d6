#include "diagnose/versions.h"

#include "base/ascii.h"
#include "base/mem.h"

enum { VERSION_BYTES = 40, BETWEEN_BYTES = 12 };

/* Ways in which logs, lists of packages and paths name what is installed; the longest first. */
static const struct {
	struct str name;
	enum machine_part part;
} names[] = {
	{ STR("torch_npu"), PART_TORCH_NPU },
	{ STR("torch-npu"), PART_TORCH_NPU },
	{ STR("torch_musa"), PART_TORCH_MUSA },
	{ STR("torch-musa"), PART_TORCH_MUSA },
	{ STR("torch"), PART_TORCH },
	{ STR("PyTorch"), PART_TORCH },
	{ STR("ascend-toolkit"), PART_CANN },
	{ STR("CANN"), PART_CANN },
};

/* What may stand between a name and its version: "==", " version: ", "-", "/", blanks. */
static size_t between(struct str text)
{
	static const struct str words[] = { STR("version"), STR("Version") };
	size_t at = 0;

	while (at < text.len && at < BETWEEN_BYTES && memchr(" =:-/@v\t", text.ptr[at], 8)) {
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			if (str_starts(str_skip(text, at + 1), words[i]))
				at += words[i].len;
		}
		at++;
	}
	return at;
}

/* "2.7.1.post2" at the start; "" for what is no version. */
static struct str version_at(struct str text)
{
	size_t len = 0, dots = 0;

	while (len < text.len && len < VERSION_BYTES && (is_word(text.ptr[len]) || memchr(".+", text.ptr[len], 2)))
		dots += text.ptr[len++] == '.';
	while (len && text.ptr[len - 1] == '.')
		len--, dots--;
	return dots >= 2 && is_digit(text.ptr[0]) ? str_sub(text, 0, len) : STR("");
}

/* The version behind the first place where the name is a word of its own. */
static struct str version_of(struct str line, struct str name)
{
	for (size_t at; (at = str_find(line, name)) != STR_NONE; line = str_skip(line, at + name.len)) {
		struct str rest = str_skip(line, at + name.len);
		size_t gap = between(rest);
		struct str version = gap ? version_at(str_skip(rest, gap)) : STR("");

		if (version.len && (!at || !(is_word(line.ptr[at - 1]) || line.ptr[at - 1] == '-')))
			return version;
	}
	return STR("");
}

void versions_note(struct machine *machine, struct arena *arena, struct str place, struct str line)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		enum machine_part part = names[i].part;
		struct str version = machine->parts[part].version.len ? STR("") : version_of(line, names[i].name);

		if (!version.len)
			continue;
		machine->parts[part].version = arena_keep(arena, version);
		machine->parts[part].path = arena_keep(arena, place);
	}
}

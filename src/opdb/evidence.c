#include "opdb/evidence.h"

#include "base/buf.h"
#include "base/mem.h"
#include "opdb/prove.h"

enum { URL_BYTES = 4096 };

void cite_note(struct cites *cites, unsigned source, struct str note, struct str ref)
{
	for (size_t i = 0; i < cites->count; i++) {
		if (cites->items[i].source == source && str_eq(cites->items[i].note, note))
			return;
	}
	if (source && cites->count < CITES)
		cites->items[cites->count++] = (struct cite){ source, note, ref };
}

void cite(struct cites *cites, unsigned source)
{
	cite_note(cites, source, STR(""), STR(""));
}

void cite_all(struct cites *cites, const struct cites *more)
{
	for (size_t i = 0; i < more->count; i++)
		cite_note(cites, more->items[i].source, more->items[i].note, more->items[i].ref);
}

/* What a name in braces stands for; no pointer for an unknown name. */
static struct str placeholder(
	const struct opdb *db, const struct release *release, const struct cite *cite, struct str name)
{
	const struct {
		struct str name, value;
	} values[] = {
		{ STR("ref"), release->ref },
		{ STR("op_plugin"), release->op_plugin },
		{ STR("op_plugin_yaml"), release->op_plugin_yaml },
		{ STR("codegen"), release->codegen },
		{ STR("wheel"), db->torch.items[release->torch_place].wheel },
		{ STR("note"), cite->note },
		{ STR("path"), cite->note },
		{ STR("package_ref"), cite->ref },
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		if (str_eq(values[i].name, name))
			return values[i].value;
	}
	return (struct str){ 0 };
}

/* Appends text with its placeholders filled in. False when one has no value: then there is no address. */
static bool fill_in(
	struct buf *url, struct str text, const struct opdb *db, const struct release *release, const struct cite *cite)
{
	struct str name, value;

	for (;;) {
		size_t open = str_find(text, STR("{")), close = str_find(text, STR("}"));

		if (open == STR_NONE || close == STR_NONE || close < open) {
			buf_add(url, text);
			return true;
		}
		name = str_sub(text, open + 1, close);
		value = placeholder(db, release, cite, name);
		if (!value.len)
			return false;
		buf_add(url, str_sub(text, 0, open));
		buf_add(url, value);
		text = str_skip(text, close + 1);
	}
}

/* "https://github.com/Ascend/pytorch/blob/v2.7.1-26.0.0/torch_npu/...", "" when there is no address. */
static struct str make_url(struct resolver *resolver, const struct release *release, const struct cite *cite)
{
	const struct source *source = &resolver->db->sources.items[cite->source - 1];
	CLEANUP(buf_clear) struct buf url = BUF_INIT(URL_BYTES);
	struct str copy = STR("");

	buf_add(&url, source->repository);
	if (!source->ref.len) { /* a page, not a file of a repository */
		buf_byte(&url, '/');
		buf_add(&url, source->path);
		return arena_copy(&resolver->arena, buf_str(&url), &copy) ? copy : STR("");
	}
	buf_add(&url, STR("/blob/"));
	if (!fill_in(&url, source->ref, resolver->db, release, cite))
		return STR("");
	buf_byte(&url, '/');
	if (!fill_in(&url, source->path, resolver->db, release, cite) || url.full)
		return STR("");
	if (!arena_copy(&resolver->arena, buf_str(&url), &copy))
		resolver->full = true;
	return copy;
}

/* make_url, kept for sources whose address depends on the release alone. */
static struct str url_of(struct resolver *resolver, const struct release *release, const struct cite *cite)
{
	size_t index = (size_t)(release - resolver->db->releases.items), sources = resolver->db->sources.count;
	struct str *kept;

	if (resolver->db->sources.items[cite->source - 1].row_bound)
		return make_url(resolver, release, cite);
	if (!resolver->urls[index])
		resolver->urls[index] = mem_zalloc(sources * sizeof(resolver->urls[index][0]));
	kept = &resolver->urls[index][cite->source - 1];
	if (!kept->ptr)
		*kept = make_url(resolver, release, cite);
	return *kept;
}

static bool is_listed(const struct evidence *evidence, size_t count, struct str url)
{
	for (size_t i = 0; i < count; i++) {
		if (str_eq(evidence[i].ref, url))
			return true;
	}
	return false;
}

/* A version of PyTorch whose wheel was not read has a source of its own, in place of the one for wheels. */
static struct cite for_release(const struct opdb *db, const struct release *release, struct cite cited)
{
	const struct torch_version *torch = &db->torch.items[release->torch_place];

	if (!torch->wheel.len && torch->source && str_has(db->sources.items[cited.source - 1].ref, STR("{wheel}")))
		cited.source = torch->source;
	return cited;
}

void evidence_put(const struct question *question, const struct cites *cites, struct answer *ret)
{
	struct resolver *resolver = question->resolver;
	const struct release *release = question->release;
	struct evidence *evidence;
	size_t count = 0;

	if (question->status_only)
		return;
	evidence = arena_alloc(&resolver->arena, cites->count * sizeof(evidence[0]));
	if (!evidence) {
		resolver->full = true;
		return;
	}
	for (size_t i = 0; i < cites->count; i++) {
		struct cite cited = for_release(resolver->db, release, cites->items[i]);
		const struct source *source = &resolver->db->sources.items[cited.source - 1];
		struct str url;

		if (!(release->target == TARGET_NPU ? source->npu : source->musa))
			continue;
		url = url_of(resolver, release, &cited);
		if (url.len && !is_listed(evidence, count, url))
			evidence[count++] = (struct evidence){ (enum evidence_kind)source->kind, url };
	}
	ret->evidence = evidence;
	ret->evidence_count = count;
}

void evidence_add_address(const struct question *question, struct str address, enum evidence_kind kind, struct answer *ret)
{
	struct evidence *evidence;

	if (!str_starts(address, STR("https://")) || is_listed(ret->evidence, ret->evidence_count, address))
		return;
	evidence = arena_alloc(&question->resolver->arena, (ret->evidence_count + 1) * sizeof(evidence[0]));
	if (!evidence) {
		question->resolver->full = true;
		return;
	}
	if (ret->evidence_count)
		memcpy(evidence, ret->evidence, ret->evidence_count * sizeof(evidence[0]));
	evidence[ret->evidence_count] = (struct evidence){ kind, address };
	ret->evidence = evidence;
	ret->evidence_count++;
}

void evidence_add(const struct question *question, const struct cite *cited, enum evidence_kind kind, struct answer *ret)
{
	if (cited->source)
		evidence_add_address(question, url_of(question->resolver, question->release, cited), kind, ret);
}

#include "opdb/resolve/evidence.h"

#include <string.h>

#include "base/memory/buf.h"
#include "base/view/ascii.h"
#include "opdb/db/overlay_facts.h"

enum { URL_BYTES = 4096 };

void cite_note(struct cites *cites, unsigned source, struct str note, struct str ref)
{
	for (size_t i = 0; i < cites->count; i++) {
		if (cites->items[i].source == source && str_eq(cites->items[i].note, note))
			return;
	}
	if (source && cites->count < CITES)
		cites->items[cites->count++] = (struct cite){ source, note, ref, NULL };
}

void cite_overlay(struct cites *cites, const struct overlay_fact *fact)
{
	if (cites->count < CITES)
		cites->items[cites->count++] = (struct cite){ .note = STR(""), .ref = STR(""), .overlay = fact };
}

void cite(struct cites *cites, unsigned source)
{
	cite_note(cites, source, STR(""), STR(""));
}

void cite_all(struct cites *cites, const struct cites *more)
{
	for (size_t i = 0; i < more->count; i++) {
		const struct cite *item = &more->items[i];

		if (item->overlay)
			cite_overlay(cites, item->overlay);
		else
			cite_note(cites, item->source, item->note, item->ref);
	}
}

/* The value of a name in braces; no pointer for an unknown name. */
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

/* Append text with its placeholders filled in. False if one has no value: then the address is omitted. */
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

/* A path may end in a line, as compilers write it, "a/b.cpp:12"; in an address that is "a/b.cpp#L12". */
static void point_at_line(struct buf *url)
{
	size_t colon = url->len;

	while (colon && is_digit(url->ptr[colon - 1]))
		colon--;
	if (colon && colon < url->len && url->ptr[colon - 1] == ':') {
		CLEANUP(buf_clear) struct buf line = BUF_INIT(URL_BYTES);

		buf_add(&line, str_skip(buf_str(url), colon));
		url->len = colon - 1;
		buf_printf(url, "#L%s", buf_text(&line));
	}
}

/* "https://github.com/Ascend/pytorch/blob/v2.7.1-26.0.0/torch_npu/...", "" without an address. */
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
	point_at_line(&url);
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

static bool is_listed(const struct evidence *evidence, size_t count, struct evidence wanted)
{
	return ANY(i, count, str_eq(evidence[i].ref, wanted.ref) && str_eq(evidence[i].text, wanted.text));
}

/* A version of PyTorch whose wheel was not read has a source of its own, in place of the one for wheels. */
static struct cite for_release(const struct opdb *db, const struct release *release, struct cite cited)
{
	const struct torch_version *torch = &db->torch.items[release->torch_place];

	if (!torch->wheel.len && torch->source && str_has(db->sources.items[cited.source - 1].ref, STR("{wheel}")))
		cited.source = torch->source;
	return cited;
}

/* The repository of a target's plugin: the one whose sources are found by the release's own ref. */
static bool is_plugins_own(const struct opdb *db, const struct source *source, enum target_kind target)
{
	const struct source *sources = db->sources.items;

	return ANY(i, db->sources.count,
		str_eq(sources[i].ref, STR("{ref}")) && sources[i].npu == (target == TARGET_NPU) &&
			str_eq(sources[i].repository, source->repository));
}

/* The day of the commit that was read: a release's own is known, and it pins the others that are named by it. */
static struct str date_of(const struct opdb *db, const struct source *source, const struct release *release)
{
	if (str_has(source->ref, STR("{ref}")) || str_has(source->ref, STR("{op_plugin}")))
		return release->date;
	for (size_t i = 0; i < db->releases.count; i++) {
		const struct release *other = &db->releases.items[i];

		if (str_eq(other->ref, source->ref) && is_plugins_own(db, source, other->target))
			return other->date;
	}
	return STR("");
}

static bool from_source(const struct question *question, const struct cite *item, struct evidence *ret)
{
	const struct opdb *db = question->resolver->db;
	struct cite cited = for_release(db, question->release, *item);
	const struct source *source = &db->sources.items[cited.source - 1];

	if (!(question->release->target == TARGET_NPU ? source->npu : source->musa))
		return false;
	*ret = (struct evidence){ .kind = (enum evidence_kind)source->kind,
		.ref = url_of(question->resolver, question->release, &cited),
		.text = STR(""),
		.date = date_of(db, source, question->release) };
	if (!ret->ref.len) /* the source has no address for the release */
		ret->text = JOIN(question, source->repository, STR(" ("), source->name, STR(")"));
	return true;
}

/* Evidence of a site is an address or some words. */
static struct evidence from_overlay(const struct overlay_fact *fact)
{
	bool address = str_starts(fact->evidence, STR("https://")) || str_starts(fact->evidence, STR("http://"));

	return (struct evidence){ .kind = EVIDENCE_OVERLAY,
		.ref = address ? fact->evidence : STR(""),
		.text = address ? STR("") : fact->evidence,
		.date = fact->date };
}

static struct evidence *room_for(const struct question *question, size_t count)
{
	return resolver_alloc(question->resolver, count * sizeof(struct evidence));
}

void evidence_put(const struct question *question, const struct cites *cites, struct answer *ret)
{
	struct evidence *evidence = wants_texts(question) ? room_for(question, cites->count) : NULL;
	size_t count = 0;

	if (!evidence)
		return;
	for (size_t i = 0; i < cites->count; i++) {
		const struct cite *item = &cites->items[i];
		struct evidence one;

		if (item->overlay)
			one = from_overlay(item->overlay);
		else if (!from_source(question, item, &one))
			continue;
		if (!is_listed(evidence, count, one))
			evidence[count++] = one;
	}
	ret->evidence = evidence;
	ret->evidence_count = count;
}

void evidence_join(const struct question *question, const struct answer *more, struct answer *ret)
{
	size_t count = more->evidence_count + ret->evidence_count;
	struct evidence *evidence = more->evidence_count ? room_for(question, count) : NULL;

	if (!evidence)
		return;
	for (size_t i = 0; i < count; i++)
		evidence[i] = i < more->evidence_count ? more->evidence[i] : ret->evidence[i - more->evidence_count];
	ret->evidence = evidence;
	ret->evidence_count = count;
}

static void add_evidence(const struct question *question, struct evidence one, struct answer *ret)
{
	struct evidence *evidence;

	if (is_listed(ret->evidence, ret->evidence_count, one))
		return;
	evidence = room_for(question, ret->evidence_count + 1);
	if (!evidence)
		return;
	if (ret->evidence_count)
		memcpy(evidence, ret->evidence, ret->evidence_count * sizeof(evidence[0]));
	evidence[ret->evidence_count++] = one;
	ret->evidence = evidence;
}

void evidence_add_address(
	const struct question *question, struct str address, enum evidence_kind kind, struct answer *ret)
{
	if (str_starts(address, STR("https://")))
		add_evidence(question,
			(struct evidence){ .kind = kind, .ref = address, .text = STR(""), .date = STR("") }, ret);
}

void evidence_add(
	const struct question *question, const struct cite *cited, enum evidence_kind kind, struct answer *ret)
{
	struct evidence one;

	if (!cited->source || !from_source(question, cited, &one))
		return;
	one.kind = kind;
	add_evidence(question, one, ret);
}

struct str registered_elsewhere(const struct question *question, const struct name_facts *name)
{
	const struct opdb *db = question->resolver->db;
	const struct release *first = NULL, *last = NULL;

	for (size_t i = 0; i < db->releases.count && wants_texts(question); i++) {
		for (const struct overload *op = name->overloads; op; op = op->next) {
			if (!kernel_on(op, &db->releases.items[i], name->aten))
				continue;
			first = first ? first : &db->releases.items[i];
			last = &db->releases.items[i];
		}
	}
	if (!first)
		return STR("");
	if (first == last)
		return JOIN(question, STR("registered by "), first->id);
	return JOIN(question, STR("registered by releases from "), first->id, STR(" to "), last->id);
}

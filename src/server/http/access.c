#include "server/http/access.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "base/view/ascii.h"
#include "store/token.h"

enum { V4_BITS = 32, V6_BITS = 128, MAPPED_BITS = V6_BITS - V4_BITS, BYTE_BITS = 8, NAME_BYTES = 255 };

/* Addresses that begin with the same bits; those of IPv4 as IPv6 has them. */
struct net {
	struct in6_addr address;
	unsigned bits;
};

struct access {
	struct tokens *tokens; /* NULL: none */
	struct str_list hosts;
	struct {
		struct net *items;
		size_t count, capacity;
	} proxies;
	bool trusts_unix;
	enum scope anonymous, proxy_users;
	bool no_local; /* `anonymous = none`: this machine shows a token, too */
};

/* --- addresses */

/* "192.0.2.1" or "2001:db8::1". */
static bool parse_address(struct str text, struct in6_addr *ret)
{
	char plain[PEER_ADDRESS_BYTES];
	struct in_addr in;

	if (text.len >= sizeof(plain))
		return false;
	memcpy(plain, text.ptr, text.len);
	plain[text.len] = '\0';
	if (inet_pton(AF_INET6, plain, ret) == 1)
		return true;
	if (inet_pton(AF_INET, plain, &in) != 1)
		return false;
	*ret = (struct in6_addr){ .s6_addr = { [10] = 0xff, [11] = 0xff } };
	memcpy(&ret->s6_addr[MAPPED_BITS / BYTE_BITS], &in, sizeof(in));
	return true;
}

static bool parse_net(struct str text, struct net *ret)
{
	struct str address;
	uint64_t bits = 0;
	unsigned most;

	str_cut(&text, '/', &address);
	if (!parse_address(address, &ret->address))
		return false;
	most = str_has(address, STR(":")) ? V6_BITS : V4_BITS;
	if (text.ptr && (!decimal_unsigned(text, &bits) || bits > most))
		return false;
	ret->bits = text.ptr ? (unsigned)bits + (V6_BITS - most) : V6_BITS;
	return true;
}

static bool net_has(const struct net *net, const struct in6_addr *address)
{
	unsigned whole = net->bits / BYTE_BITS, rest = net->bits % BYTE_BITS;
	unsigned differs = rest ? (unsigned)(net->address.s6_addr[whole] ^ address->s6_addr[whole]) : 0;

	return memcmp(&net->address, address, whole) == 0 && differs >> (BYTE_BITS - rest) == 0;
}

bool access_trusts(const struct access *access, struct str address)
{
	struct in6_addr parsed;

	if (str_eq(address, STR("unix")))
		return access->trusts_unix;
	if (!parse_address(address, &parsed))
		return false;
	return ANY(i, access->proxies.count, net_has(&access->proxies.items[i], &parsed));
}

/* --- settings */

static int take_scope(struct str text, enum scope *ret, struct err *err)
{
	static const struct str names[] = {
		[SCOPE_READ] = STR("read"), [SCOPE_SUBMIT] = STR("submit"), [SCOPE_ADMIN] = STR("admin")
	};
	size_t scope = STR_POSITION(names, ARRAY_SIZE(names), text);

	*ret = scope == STR_NONE ? SCOPE_OPEN : (enum scope)scope;
	if (scope != STR_NONE || !text.len || str_eq(text, STR("none")))
		return 0;
	err_set(err, ERR_CONFIG, "'%s' is not a scope", shown(text).text);
	return err_hint(err, "use none, read or submit");
}

static int take_proxy(struct access *access, struct str text, struct err *err)
{
	struct net net;

	if (str_eq(text, STR("unix"))) {
		access->trusts_unix = true;
	} else if (parse_net(text, &net)) {
		MEM_PUSH(&access->proxies, net);
	} else {
		err_set(err, ERR_CONFIG, "'%s' is not the address of a proxy", shown(text).text);
		return err_hint(err, "for example 127.0.0.1, 10.0.0.0/8, 2001:db8::/32 or unix");
	}
	return 0;
}

static int take_settings(struct access *access, const struct access_settings *settings, struct err *err)
{
	int status = take_scope(settings->anonymous, &access->anonymous, err);

	if (!status)
		status = take_scope(settings->proxy_users, &access->proxy_users, err);
	for (size_t i = 0; i < settings->proxies.count && !status; i++)
		status = take_proxy(access, settings->proxies.items[i], err);
	for (size_t i = 0; i < settings->hosts.count && !status; i++)
		MEM_PUSH(&access->hosts, settings->hosts.items[i]);
	access->no_local = str_eq(settings->anonymous, STR("none"));
	if (settings->insecure && !settings->anonymous.len)
		access->anonymous = SCOPE_SUBMIT;
	return status;
}

int access_new(const struct access_settings *settings, struct access **ret, struct err *err)
{
	struct access *access = mem_zalloc(sizeof(*access));
	int status = take_settings(access, settings, err);

	if (status)
		access_free(access);
	else
		*ret = access;
	return status;
}

void access_free(struct access *access)
{
	if (!access)
		return;
	free(access->hosts.items);
	free(access->proxies.items);
	free(access);
}

bool access_serves_others(const struct access *access)
{
	return access->anonymous > SCOPE_OPEN || access->proxy_users > SCOPE_OPEN ||
	       (access->tokens && tokens_exist(access->tokens));
}

void access_follow(struct access *access, const struct access *before)
{
	access->tokens = before->tokens;
}

struct tokens *access_tokens(const struct access *access)
{
	return access ? access->tokens : NULL;
}

void access_use_tokens(struct access *access, struct tokens *tokens)
{
	access->tokens = tokens;
}

/* --- the name that was asked for */

/* "[::1]:8787" as "::1", "opcheck.example.:80" as "opcheck.example". */
static struct str host_name(struct str host)
{
	struct str name = host;
	size_t end;

	if (str_starts(host, STR("["))) {
		end = str_find(host, STR("]"));
		return end == STR_NONE ? host : str_sub(host, 1, end);
	}
	str_cut(&host, ':', &name);
	return str_ends(name, STR(".")) ? str_chop(name, 1) : name;
}

static int check_host(
	const struct access *access, const struct peer *peer, const struct request *request, struct err *err)
{
	struct str host = request->headers[HEADER_HOST], name = host_name(host);

	if (!host.ptr || str_eq_fold(name, STR("localhost")) || str_eq_fold(name, str_from(peer->own)))
		return 0;
	for (size_t i = 0; i < access->hosts.count; i++) {
		struct str known = access->hosts.items[i];

		if (str_eq(known, STR("*")) || str_eq_fold(name, known) || str_eq_fold(host, known))
			return 0;
	}
	err_set(err, ERR_HOST, "'%s' is not a name of this service", shown(host).text);
	return err_hint(err, "use the address that it listens on, or let its operator set host");
}

/* --- who asks */

/* "192.0.2.1:4711", "[2001:db8::1]:4711" or the address alone; "unknown" for anything else. */
static struct str address_of(struct str entry)
{
	struct in6_addr ignored;

	entry = str_trim(entry);
	if (parse_address(entry, &ignored))
		return entry;
	entry = host_name(entry);
	return parse_address(entry, &ignored) ? entry : STR("unknown");
}

/* The part of "for=...;proto=..." with that name, without quotes; "" when it has none. */
static struct str forwarded_part(struct str element, struct str name)
{
	struct str pair, key;

	while (str_cut(&element, ';', &pair)) {
		pair = str_trim(pair);
		str_cut(&pair, '=', &key);
		if (!pair.ptr || !str_eq_fold(key, name))
			continue;
		if (pair.len >= 2 && str_starts(pair, STR("\"")) && str_ends(pair, STR("\"")))
			pair = str_chop(str_skip(pair, 1), 1);
		return pair;
	}
	return STR("");
}

/* Proxies append: the last address that is no trusted proxy is the client's, whatever a client wrote before it. */
static struct str forwarded_address(const struct access *access, const struct request *request, struct str nearest)
{
	struct str chain = request->headers[HEADER_FORWARDED_FOR], entry;
	bool standard = !chain.ptr;

	if (standard)
		chain = request->headers[HEADER_FORWARDED];
	while (chain.len && access_trusts(access, nearest)) {
		size_t at = chain.len;

		while (at && chain.ptr[at - 1] != ',')
			at--;
		entry = str_skip(chain, at);
		chain = at ? str_sub(chain, 0, at - 1) : STR("");
		nearest = address_of(standard ? forwarded_part(entry, STR("for")) : entry);
	}
	return nearest;
}

static void identify_user(const struct access *access, struct request *request)
{
	struct str user = request->headers[HEADER_FORWARDED_USER];

	if (access->proxy_users == SCOPE_OPEN || !user.len || user.len > NAME_BYTES)
		return;
	request->caller.scope = access->proxy_users;
	request->caller.name = arena_printf(&request->arena, "user %.*s", STR_ARG(user));
}

static int bad_token(struct err *err)
{
	err_set(err, ERR_TOKEN, "invalid, revoked or expired token");
	return err_hint(err, "ask the operator of the service for another one");
}

/* 1 when the text is a token that holds; the caller is its owner then. */
static int identify_token(const struct access *access, struct request *request, struct str text, struct err *err)
{
	struct token token;
	int status = access->tokens ? tokens_find(access->tokens, text, &request->arena, &token, err) : 0;

	if (status != 1)
		return status;
	status = take_scope(token.scope, &request->caller.scope, err);
	request->caller.project = token.project;
	request->caller.allowance = (struct allowance){ token.minute_requests, token.hour_bytes, token.jobs };
	request->caller.name = arena_printf(
		&request->arena, "token %.*s", STR_ARG(token.parent.len ? token.parent : token.id));
	return status ? status : 1;
}

static int identify_bearer(const struct access *access, struct request *request, struct err *err)
{
	struct str text = request->headers[HEADER_AUTHORIZATION], scheme;
	int status;

	if (!str_cut(&text, ' ', &scheme) || !str_eq_fold(scheme, STR("Bearer")))
		return 0;
	status = identify_token(access, request, str_trim(text), err);
	return status ? (status < 0 ? status : 0) : bad_token(err);
}

static struct str cookie_value(const struct request *request)
{
	struct str cookies = request->headers[HEADER_COOKIE], cookie, name;

	while (str_cut(&cookies, ';', &cookie)) {
		cookie = str_trim(cookie);
		str_cut(&cookie, '=', &name);
		if (cookie.ptr && str_eq(name, str_from(access_cookie_name(request->caller.https))))
			return cookie;
	}
	return STR("");
}

/* A session that has ended is none: its browser may log in again. */
static int identify_cookie(const struct access *access, struct request *request, struct err *err)
{
	struct str value = cookie_value(request);
	int status = identify_token(access, request, value, err);

	if (status == 1)
		request->caller.session = value;
	return status < 0 ? status : 0;
}

int access_identify(const struct access *access, const struct peer *peer, struct request *request, struct err *err)
{
	struct caller *caller = &request->caller;
	bool by_proxy = request->forwarded && access_trusts(access, str_from(peer->address));
	int status;

	*caller = (struct caller){ .scope = SCOPE_OPEN, .address = str_from(peer->address) };
	caller->local = peer->local && !request->forwarded && !access->no_local;
	if (by_proxy) {
		caller->address = forwarded_address(access, request, caller->address);
		caller->https = str_eq_fold(str_trim(request->headers[HEADER_FORWARDED_PROTO]), STR("https")) ||
				str_eq_fold(
					forwarded_part(request->headers[HEADER_FORWARDED], STR("proto")), STR("https"));
	}
	status = check_host(access, peer, request, err);
	if (!status)
		status = identify_bearer(access, request, err);
	if (!status && !caller->name.len && !caller->local)
		status = identify_cookie(access, request, err);
	if (!status && !caller->name.len && by_proxy)
		identify_user(access, request);
	if (!caller->name.len) {
		caller->scope = caller->local ? SCOPE_ADMIN : access->anonymous;
		caller->name = caller->local ? STR("local") : STR("anonymous");
	}
	return status;
}

struct str access_who(const struct caller *caller)
{
	bool known = caller->scope > SCOPE_OPEN && !str_eq(caller->name, STR("anonymous"));

	return known ? caller->name : caller->address;
}

int access_check(const struct request *request, enum scope scope, struct err *err)
{
	if (request->caller.scope >= scope)
		return 0;
	if (str_eq(request->caller.name, STR("anonymous"))) {
		err_set(err, ERR_TOKEN, "this needs a token");
		return err_hint(err, "send Authorization: Bearer with a token of the service, or log in at /login");
	}
	err_set(err, ERR_SCOPE, "the token does not allow this");
	return err_hint(err, "ask the operator of the service for a token with more scope");
}

/* --- browsers */

const char *access_cookie_name(bool https)
{
	return https ? "__Host-opcheck" : "opcheck";
}

/* The session ends with its token by its parent; its own time bounds it further. */
int access_login(const struct access *access, struct request *request, struct str *ret, struct err *err)
{
	char text[TOKEN_TEXT_BYTES];
	struct token session = { .name = STR("session") };
	int status = access ? identify_token(access, request, str_trim(request->form_token), err) : 0;
	struct str id;

	if (status != 1)
		return status ? status : bad_token(err);
	id = str_skip(request->caller.name, strlen("token "));
	session.parent = id;
	session.project = request->caller.project;
	session.minute_requests = request->caller.allowance.minute_requests;
	session.hour_bytes = request->caller.allowance.hour_bytes;
	session.jobs = request->caller.allowance.jobs;
	session.scope = request->caller.scope == SCOPE_ADMIN    ? STR("admin")
			: request->caller.scope == SCOPE_SUBMIT ? STR("submit")
								: STR("read");
	session.expires_at = tokens_now(access->tokens) + SESSION_SECONDS;
	status = tokens_add(access->tokens, &session, text, err);
	if (!status)
		*ret = arena_keep(&request->arena, str_from(text));
	return status;
}

int access_logout(const struct access *access, struct request *request, struct err *err)
{
	if (!access || !request->caller.session.len)
		return 0;
	return tokens_end(access->tokens, request->caller.session, err);
}

void access_csrf(const struct request *request, char ret_hex[SHA256_HEX_BYTES])
{
	struct sha256 *sha = sha256_new();

	sha256_add_field(sha, STR("form of opcheck"));
	sha256_add_field(sha, request->caller.session);
	sha256_end(sha, ret_hex);
}

int access_check_form(const struct request *request, struct err *err)
{
	char wanted[SHA256_HEX_BYTES];
	struct str given = request->headers[HEADER_CSRF];

	if (!request->caller.session.len || !request_changes(request))
		return 0;
	if (!given.len)
		given = request->form_csrf;
	access_csrf(request, wanted);
	if (secret_equal(given, str_from(wanted)))
		return 0;
	err_set(err, ERR_ORIGIN, "the form is not one of this session");
	return err_hint(err, "load the page again and send its form, or use a token in Authorization");
}

/*
 * Who asks, from the fields of a head: nobody without a token is more than the settings say, and nothing that a proxy passes on
 * is local. The first byte says where the connection comes from, each line is a value for the next field.
 */
#include "base/memory/mem.h"
#include "server/http/access.h"
#include "tests/fuzz/fuzz.h"

static const char *const addresses[] = { "127.0.0.1", "10.1.2.3", "192.0.2.1", "2001:db8::1", "::1", "unix" };
static const enum header asked[] = { HEADER_HOST, HEADER_FORWARDED_FOR, HEADER_FORWARDED, HEADER_FORWARDED_PROTO,
	HEADER_FORWARDED_USER, HEADER_AUTHORIZATION, HEADER_COOKIE, HEADER_ORIGIN, HEADER_SEC_FETCH_SITE,
	HEADER_ACCEPT };

static struct access *make_access(void)
{
	static struct str hosts[] = { STR("opcheck.example") },
			  proxies[] = { STR("10.0.0.0/8"), STR("2001:db8::/33"), STR("unix") };
	static const struct access_settings settings = { .hosts = { hosts, ARRAY_SIZE(hosts), ARRAY_SIZE(hosts) },
		.proxies = { proxies, ARRAY_SIZE(proxies), ARRAY_SIZE(proxies) },
		.anonymous = STR("read"),
		.proxy_users = STR("submit") };
	struct access *access = NULL;
	struct err err = { 0 };

	HOLD(access_new(&settings, &access, &err) == 0);
	return access;
}

static void hold_caller(const struct access *access, const struct peer *peer, const struct request *request)
{
	const struct caller *caller = &request->caller;
	bool trusted = access_trusts(access, str_from(peer->address));
	bool is_user = str_starts(caller->name, STR("user "));

	HOLD(caller->name.len && caller->address.len);
	HOLD(!caller->local || (peer->local && !request->forwarded));
	HOLD(caller->local == (caller->scope == SCOPE_ADMIN));
	HOLD(!is_user || (trusted && request->forwarded && caller->scope == SCOPE_SUBMIT));
	HOLD(caller->local || is_user || caller->scope == SCOPE_READ);
	HOLD(trusted || (str_eq(caller->address, str_from(peer->address)) && !caller->https));
	HOLD(!caller->session.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct access *access;
	struct str text = fuzz_text(data, size);
	unsigned from = fuzz_byte(&text) % ARRAY_SIZE(addresses);
	struct peer peer = { .own = "127.0.0.1", .local = from != 1 && from != 2 && from != 3 };
	struct request request;
	struct err err = { 0 };

	if (!access)
		access = make_access();
	memcpy(peer.address, addresses[from], strlen(addresses[from]) + 1);
	request_init(&request);
	for (size_t i = 0; i < ARRAY_SIZE(asked) && str_cut(&text, '\n', &request.headers[asked[i]]); i++)
		request.forwarded |= asked[i] >= HEADER_FORWARDED && asked[i] <= HEADER_FORWARDED_USER &&
				     request.headers[asked[i]].len;
	if (access_identify(access, &peer, &request, &err))
		HOLD((err.code == ERR_HOST || err.code == ERR_TOKEN) && !strpbrk(err.text, "\x1b\n"));
	else
		hold_caller(access, &peer, &request);
	HOLD(request_check_origin(&request, &err) <= 0);
	request_wants_html(&request, true);
	request_clear(&request);
	return 0;
}

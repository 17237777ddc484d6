/* Where a connection comes from, and that one without an address is not read. */
#include "server/http/peers.h"

#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/check.h"

struct pair {
	int listening, client, accepted;
	struct peers *peers;
	struct limits limits;
};

/* A connection over loopback whose client has sent a byte, perhaps reset before it is accepted. */
static void connect_pair(struct pair *pair, bool reset)
{
	const struct linger at_once = { .l_onoff = 1 };
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(address);
	struct err err;

	pair->listening = socket(AF_INET, SOCK_STREAM, 0);
	pair->client = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(pair->listening, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(pair->listening, 1), 0);
	assert_int_equal(getsockname(pair->listening, (struct sockaddr *)&address, &len), 0);
	assert_int_equal(connect(pair->client, (struct sockaddr *)&address, len), 0);
	assert_int_equal(send(pair->client, "x", 1, 0), 1);
	if (reset) {
		setsockopt(pair->client, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		close(pair->client);
	}
	pair->accepted = accept(pair->listening, NULL, NULL);
	assert_true(pair->accepted >= 0);
	pair->limits = limits_default();
	assert_int_equal(peers_start(&pair->limits, NULL, NULL, &pair->peers, &err), 0);
}

static void end_pair(struct pair *pair, struct peer *peer)
{
	peers_remove(pair->peers, peer);
	peers_stop(pair->peers);
	close(pair->accepted);
	close(pair->listening);
}

static void a_connection_has_the_address_of_its_client(void **state)
{
	struct pair pair;
	struct peer *peer;

	connect_pair(&pair, false);
	peer = peers_add(pair.peers, pair.accepted);
	assert_string_equal(peer->address, "127.0.0.1");
	assert_true(peer->local);
	assert_false(peer->exempt);
	assert_false(peer->refused);
	close(pair.client);
	end_pair(&pair, peer);
}

/* It would pass for a Unix socket, which proxies may be trusted by. */
static void a_connection_that_was_reset_before_is_not_read(void **state)
{
	struct pair pair;
	struct peer *peer;
	char byte;

	connect_pair(&pair, true);
	peer = peers_add(pair.peers, pair.accepted);
	assert_true(peer->refused);
	assert_int_equal(recv(pair.accepted, &byte, 1, 0), 1); /* what was sent is there all the same */
	end_pair(&pair, peer);
}

static void an_address_of_ipv6_counts_by_its_net(void **state)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	assert_str(peer_site(STR("2001:db8:1:2:3:4:5:6"), &arena), "2001:db8:1:2::/64");
	assert_str(peer_site(STR("192.0.2.1"), &arena), "192.0.2.1");
	assert_str(peer_site(STR("unix"), &arena), "unix");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_connection_has_the_address_of_its_client),
		cmocka_unit_test(a_connection_that_was_reset_before_is_not_read),
		cmocka_unit_test(an_address_of_ipv6_counts_by_its_net),
	};

	return run_group(tests);
}

#include "server/service/databases.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"

enum { MOST_HANDLES = 8 };

struct handle {
	struct opdb *db; /* NULL: the place is free */
	uint64_t version;
	bool taken;
};

struct databases {
	const char *path;
	const struct str_list *overlays;
	const struct limits *limits;
	pthread_mutex_t lock; /* of the handles */
	struct handle handles[MOST_HANDLES];
};

struct databases *databases_new(const char *path, const struct str_list *overlays, const struct limits *limits)
{
	struct databases *databases = mem_zalloc(sizeof(*databases));

	*databases = (struct databases){ .path = path, .overlays = overlays, .limits = limits };
	pthread_mutex_init(&databases->lock, NULL);
	return databases;
}

void databases_free(struct databases *databases)
{
	if (!databases)
		return;
	for (size_t i = 0; i < MOST_HANDLES; i++)
		opdb_close(databases->handles[i].db);
	pthread_mutex_destroy(&databases->lock);
	free(databases);
}

uint64_t databases_version(const struct databases *databases)
{
	return database_version(databases->path, databases->overlays);
}

/* Returns an unused handle of that version, and closes those of others. Hold the lock. */
static struct opdb *take_open(struct databases *databases, uint64_t version)
{
	for (size_t i = 0; i < MOST_HANDLES; i++) {
		struct handle *handle = &databases->handles[i];

		if (!handle->db || handle->taken)
			continue;
		if (handle->version == version) {
			handle->taken = true;
			return handle->db;
		}
		opdb_close(handle->db);
		handle->db = NULL;
	}
	return NULL;
}

/* Note a handle; without room it is closed when it is given back. Hold the lock. */
static void note_open(struct databases *databases, struct opdb *db, uint64_t version)
{
	size_t i = 0;

	while (i < MOST_HANDLES && databases->handles[i].db)
		i++;
	if (i < MOST_HANDLES)
		databases->handles[i] = (struct handle){ db, version, true };
}

static int databases_take(struct databases *databases, struct opdb **ret, struct err *err)
{
	uint64_t version = databases_version(databases);
	int status = 0;

	pthread_mutex_lock(&databases->lock);
	*ret = take_open(databases, version);
	pthread_mutex_unlock(&databases->lock);
	if (*ret)
		return 0;
	status = database_open_at(databases->path, databases->overlays, databases->limits, ret, err);
	pthread_mutex_lock(&databases->lock);
	if (!status)
		note_open(databases, *ret, version);
	pthread_mutex_unlock(&databases->lock);
	return status;
}

static void databases_give_back(struct databases *databases, struct opdb *db)
{
	bool known = false;

	if (!db)
		return;
	pthread_mutex_lock(&databases->lock);
	for (size_t i = 0; i < MOST_HANDLES; i++) {
		if (databases->handles[i].db == db) {
			databases->handles[i].taken = false;
			known = true;
		}
	}
	pthread_mutex_unlock(&databases->lock);
	if (!known)
		opdb_close(db);
}

int service_open_db(const struct service *service, struct opdb **ret, struct err *err)
{
	if (service->databases)
		return databases_take(service->databases, ret, err);
	return database_open_at(service->db_path, &service->overlays, service->limits, ret, err);
}

void service_close_db(const struct service *service, struct opdb *db)
{
	if (service->databases)
		databases_give_back(service->databases, db);
	else
		opdb_close(db);
}

#pragma once
/* The folder of a site: files by relative paths. Its index.html has the mark of such pages (report/doc/frame.h). */
#include "base/memory/arena.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"

struct site_folder {
	int fd; /* of the folder; -1: not open */
	const char *path;
	struct arena arena;
	MEM_LIST(struct site_file { struct str path; }) files; /* written so far */
	struct map by_path;
	uint64_t bytes;
};

/* Open a folder, made if it is absent. ERR_EXISTS if it has other files than those of a site; ERR_OUTPUT. */
int site_folder_open(struct site_folder *folder, const char *path, struct err *err);

/* Write a file; folders on the way are made. ERR_OUTPUT. */
int site_folder_write(struct site_folder *folder, struct str path, struct str bytes, struct err *err);

/* Remove the pages of an earlier site in this folder below it, those that were not written. ERR_OUTPUT. */
int site_folder_sweep(struct site_folder *folder, struct str below, struct err *err);

void site_folder_close(struct site_folder *folder);

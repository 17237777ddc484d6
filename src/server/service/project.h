#pragma once
/* The waivers that a project has accepted. */
#include "server/service/service.h"
#include "store/project.h"

/* The name by which reports call them. */
#define PROJECT_WAIVERS_FILE "project.waivers"

/* Replaces those whose digest is change->before. ERR_ENCODING, ERR_WAIVER, ERR_CHANGED. */
int project_set_waivers(const struct service *service, const struct waivers_change *change, struct err *err);

/* ERR_CHANGED: they are not those that the client has read. */
int project_waivers_changed(struct err *err);

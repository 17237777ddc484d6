#pragma once
/* Requests that are sent again within a day: with an Idempotency-Key each is answered as the first one was. */
#include "server/http/request.h"
#include "server/service/service.h"

/* For a request whose dump is there. 0: it is to be answered, and repeat_end called; 1: it was answered before, with
   key.status about key.answer. ERR_VALUE, ERR_KEY_BUSY, ERR_KEY_OTHER, or what the store says. */
int repeat_begin(const struct service *service, struct request *request, struct err *err);

/* Record its answer; status 0: failed, and it may be sent again. Nothing for a request without a key. */
void repeat_end(const struct service *service, struct request *request, unsigned status);

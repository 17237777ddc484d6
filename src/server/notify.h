#pragma once
/* Telling the service manager how far the service is (sd_notify(3)), without its library. */

/* Sends "READY=1" and the like to $NOTIFY_SOCKET; nothing where there is none. */
void notify(const char *state);

#pragma once
/* The Python fragment that captures a right dump. */
#include "base/memory/buf.h"

/* 2.13.0 as 2013; the newest version there will be. */
#define SNIPPET_VERSION(major, minor) ((major)*1000 + (minor))
enum { SNIPPET_NEWEST = 99999 };

/* Appends the fragment for a version of PyTorch. */
void snippet_put(struct buf *buf, int version);

/* Appends the fragment that writes down what the dispatcher of a machine has registered: registrations.py. It runs with
   every PyTorch that has the two functions which it asks, from 1.8 on. */
void snippet_put_registrations(struct buf *buf);

#pragma once
/* Registrations of the plugins for an overload, over the releases of a target. */
#include "opdb/model/release.h"

enum kernel_key {
	KEY_PRIVATEUSE1,
	KEY_XLA,
	KEY_AUTOGRAD_PRIVATEUSE1,
	KEY_AUTOGRAD_XLA,
	KEY_SCHEMA_ONLY,
	KEY_VARIANT,
	KEY_OTHER
};

enum kernel_status { KERNEL_NATIVE, KERNEL_JIT, KERNEL_COMPOSITE, KERNEL_CPU, KERNEL_BLOCKED, KERNEL_FALLTHROUGH };

/* One registration of a plugin. */
struct kernel {
	struct kernel *next;
	enum target_kind target;
	unsigned first, last; /* places of its releases */
	enum kernel_key key;  /* KEY_VARIANT: PrivateUse1 of another layout (sparse, quantized ...) */
	enum kernel_status status;
	bool acl_op, op_api, acl_wrapper; /* a wrapper has an acl_op kernel that launches nothing of its own */
	struct str origin, host_path, note;
	bool structured; /* PyTorch's own kernel of a structured group, made for the device */
	unsigned layout; /* enum layout that a KEY_VARIANT is for; 0: another one */
	unsigned source;
};

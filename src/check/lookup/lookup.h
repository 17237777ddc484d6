#pragma once
/*
 * The facts of one operator on some targets: the answer of `opcheck op` and of the service's operator page.
 */
#include "assess/judge/judge.h"
#include "base/memory/buf.h"
#include "check/asked/targets.h"
#include "check/lookup/recipe_list.h"
#include "opdb/db/names.h"
#include "opdb/resolve/history.h"

/* An operator that the gradient of another one calls. */
struct lookup_backward {
	struct str base;
	enum op_status status;
};

/* A kernel that an operator of sparse tensors calls and that takes dense ones alone. */
struct lookup_sparse {
	struct str kernel; /* "addmm" */
	unsigned layouts;  /* that it lacks, bits of enum layout; 0: no such kernel was found */
};

struct lookup_answer {
	const struct target *target;
	struct judgement judgement;
	struct answer answer; /* with every overload and note */
	struct history history;
	struct lookup_backward *backward; /* operators that training adds */
	size_t backward_count;
	struct str instead; /* operators that replace one of a library: "aten::x: native"; "" */
	struct lookup_sparse sparse;
};

/* One of the operators that a Python name calls. */
struct lookup_call {
	struct api_call call;
	struct result_verdict *verdicts; /* in the order of the targets */
	size_t verdict_count;
};

struct lookup {
	struct arena arena;
	struct resolver *resolver;
	struct str name, overload; /* "aten::add", "Tensor" or ""; "" of a Python name that is not about one */
	struct str api;            /* the Python name that was asked for, "torch.add"; "" */
	struct lookup_call *calls; /* operators that it calls */
	size_t call_count;
	const struct target_list *targets;
	struct str known_in;           /* versions of PyTorch */
	struct lookup_answer *answers; /* in the order of the targets */
	size_t count;
	struct recipe_list recipes; /* that fit on some target */
};

/* Asks for a name as a user writes it: "add", "aten::add.Tensor", "aten.add.Tensor" and "torch.ops.aten.add.default"
   of graphs, or a Python name such as "torch.add", "nn.Conv2d", "Conv2d" and "torchvision.ops.nms"; a library's name
   alone ("flash_attn") stands for all of its operators, "flash_attn::*". A Python name that is not about one
   operator, such as "nn.MultiheadAttention", has calls and no answers. db and targets must outlive *ret, which
   lookup_clear frees. ERR_OPERATOR, with the nearest names as hint, for one that its namespace does not have
   in any version; ERR_DB_DAMAGED, ERR_LIMIT. */
int lookup_run(const struct opdb *db, struct str given, const struct target_list *targets, struct lookup *ret,
	struct err *err);

/* Also for one that failed or was never run. */
void lookup_clear(struct lookup *lookup);

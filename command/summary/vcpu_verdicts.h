/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdicts (summary/verdict.h) on the vCPUs of a recording, of what was counted. */
#ifndef COMMAND_SUMMARY_VCPU_VERDICTS_H
#define COMMAND_SUMMARY_VCPU_VERDICTS_H

#include "csguest/attribution.h"
#include "summary/cpu_time.h"
#include "summary/hot_code.h"
#include "summary/verdict.h"
#include "text/out.h"

struct csg_vcpu_verdict {
	int32_t vm, vcpu, tid;
	const char *name; /* of the VM, or NULL */
	uint8_t verdict;  /* enum csg_verdict */
	struct csg_verdict_times times;
	struct csg_hot_place hot;
	uint64_t missing; /* places whose code was not read: of them nothing is in hot */
};

struct csg_vcpu_verdicts {
	struct csg_vcpu_verdict *list; /* by VM and number */
	size_t n;
};

/* What they are made of; all of it is finished. */
struct csg_vcpu_evidence {
	const struct csg_vcpu_entry *vcpus; /* as csg_vcpu_at() */
	size_t n;
	const struct csg_lookup *lookup;
	const struct csg_cpu_time *time;
	const struct csg_waits *waits; /* NULL: not known; its times are those of time */
	struct csg_hot_code *hot;
	/* Whether it is shown.  NULL: all are. */
	bool (*wanted)(void *arg, const struct csg_vcpu_entry *vcpu);
	void *arg;
};

/* -CSG_E_NO_MEMORY; csg_vcpu_verdicts_fini() is safe even then. */
int csg_vcpu_verdicts_make(struct csg_vcpu_verdicts *verdicts,
			   const struct csg_vcpu_evidence *evidence);
void csg_vcpu_verdicts_fini(struct csg_vcpu_verdicts *verdicts);

#define CSG_VCPU_VERDICTS_SHOWN 8 /* in text; of the others how many have each verdict */

/* A table, and an array. */
void csg_vcpu_verdicts_text(const struct csg_vcpu_verdicts *verdicts, struct csg_out *out);
void csg_vcpu_verdicts_json(const struct csg_vcpu_verdicts *verdicts, struct csg_out *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdicts on a recording's vCPUs (summary/vcpu_verdicts.h) for commands that decode it. */
#ifndef COMMAND_CLI_JUDGE_H
#define COMMAND_CLI_JUDGE_H

#include "cli/decode.h"
#include "report/report.h"
#include "summary/vcpu_verdicts.h"

/* All zero before. */
struct csg_judge {
	struct csg_decode *decode;
	struct csg_lookup lookup;
	struct csg_report *guests; /* by vCPU; NULL: it is not open */
	struct csg_hot_code hot;
	struct csg_vcpu_verdicts verdicts;
};

/* Whether the filters leave all times of vCPUs in. */
bool csg_judge_can(const struct csg_decode *decode);

/* decode is open.  -CSG_E_NO_MEMORY; csg_judge_close() is safe even then. */
int csg_judge_open(struct csg_judge *judge, struct csg_decode *decode);
void csg_judge_close(struct csg_judge *judge);

/* The next batch, or the part of it that counts; of those that are not guests' code nothing is
 * taken. */
int csg_judge_add(struct csg_judge *judge, const struct csg_batch *part);

/*
 * All are in: makes the verdicts, on the vCPUs that the filters pass.  can: there can be any.
 * waits NULL: not known.
 */
int csg_judge_finish(struct csg_judge *judge, const struct csg_cpu_time *time, bool can,
		     const struct csg_waits *waits);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/judge.h"

#include "cli/filtered.h"

static int take_range(void *arg, const struct csg_report_label *label,
		      const struct csg_report_range *range)
{
	struct csg_judge *j = arg;

	return csg_hot_code_add(&j->hot, label, range);
}

bool csg_judge_can(const struct csg_decode *decode)
{
	const struct csg_filters *f = &decode->filters;

	return !(f->worlds || f->pids.n || f->tids.n || f->comms || csg_filters_choose_code(f));
}

int csg_judge_open(struct csg_judge *j, struct csg_decode *decode)
{
	struct csg_report_sort sort;
	const char *bad;
	int err;

	*j = (struct csg_judge){.decode = decode, .lookup = csg_decode_lookup(decode)};
	csg_report_sort_parse(&sort, "world,vm,vcpu,dso", &bad);
	err = csg_report_create(&j->guests, &sort, &j->lookup);
	if (!err)
		csg_report_watch(j->guests, take_range, j);
	return err;
}

void csg_judge_close(struct csg_judge *j)
{
	csg_report_destroy(j->guests);
	csg_hot_code_fini(&j->hot);
	csg_vcpu_verdicts_fini(&j->verdicts);
	*j = (struct csg_judge){0};
}

static bool is_guest(void *arg, uint32_t owner, uint64_t time)
{
	struct csg_judge *j = arg;

	(void)time;
	return csg_session_owner(j->decode->session, owner)->world == CSG_WORLD_GUEST;
}

static int add_part(void *arg, const struct csg_batch *part)
{
	struct csg_judge *j = arg;

	return csg_report_add(j->guests, part, CSG_NO_CPU);
}

int csg_judge_add(struct csg_judge *j, const struct csg_batch *part)
{
	const struct csg_owner_filter filter = {j, is_guest};
	const struct csg_owner_parts parts = {j, add_part, NULL};

	return csg_owner_filter_divide(&filter, part, &parts);
}

static bool wants_vcpu(void *arg, const struct csg_vcpu_entry *vcpu)
{
	const struct csg_judge *j = arg;

	return csg_filters_pass_vcpu(&j->decode->filters, j->decode->session, vcpu);
}

int csg_judge_finish(struct csg_judge *j, const struct csg_cpu_time *time, bool can,
		     const struct csg_waits *waits)
{
	const struct csg_vcpu_evidence from = {
		.vcpus = csg_vcpu_at(j->decode->session, 0),
		.n = can ? csg_vcpu_count(j->decode->session) : 0,
		.lookup = &j->lookup,
		.time = time,
		.waits = waits,
		.hot = &j->hot,
		.wanted = wants_vcpu,
		.arg = j,
	};
	int err = csg_report_finish(j->guests);

	return err ? err : csg_vcpu_verdicts_make(&j->verdicts, &from);
}

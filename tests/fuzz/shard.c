/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of shards, and the facts that shards share; the first byte says which part of a file
 * follows. */
#include "csguest/error.h"
#include "fuzz/input.h"
#include "guest/crossing_facts.h"
#include "shard/outcome_pack.h"
#include "shard/profile_pack.h"
#include "shard/report_pack.h"
#include "shard/result.h"
#include "shard/timeline_pack.h"

static struct csg_strings texts;

static void read_head(struct csg_unpack *u)
{
	struct csg_result_head head;
	struct csg_diag diag;

	csg_result_head_unpack(u, &head);
	fuzz_require(u->failed || (head.shard && head.shard <= head.shards), "a shard is of N");
	fuzz_touch_string(head.options);
	csg_result_message_unpack(u, &diag);
	fuzz_touch_string(diag.text);
	fuzz_touch_string(diag.remedy);
}

static void read_outcome(struct csg_unpack *u)
{
	struct csg_outcome_sum sum = {0}, all = {0};
	struct csg_out out;
	int err = csg_outcome_unpack(u, &sum, &texts);

	if (!err && !u->failed) {
		fuzz_require(!csg_outcome_sum_add(&all, &sum, false), "it adds up");
		fuzz_require(!csg_outcome_sum_add(&all, &sum, true), "it adds up again");
		csg_out_init(&out, -1);
		csg_outcome_sum_print(&all, &out);
		csg_outcome_sum_error(&all, true);
	}
	csg_outcome_sum_fini(&sum);
	csg_outcome_sum_fini(&all);
}

static void read_report(struct csg_unpack *u)
{
	struct csg_report_sum sum;
	struct csg_out out;

	csg_report_sum_init(&sum, &texts);
	if (!csg_report_sum_add(&sum, u, false)) {
		csg_report_sum_finish(&sum);
		sum.print.recording = sum.print.hypervisor = "";
		csg_out_init(&out, -1);
		csg_report_write(sum.report, &sum.print, &out);
	}
	csg_report_sum_fini(&sum);
}

static void read_timeline(struct csg_unpack *u)
{
	struct csg_timeline_sum sum;
	struct csg_out out;

	csg_timeline_sum_init(&sum, &texts);
	if (!csg_timeline_sum_add(&sum, u, false) && !csg_timeline_sum_finish(&sum)) {
		csg_out_init(&out, -1);
		sum.print.recording = sum.print.hypervisor = "";
		sum.print.out = &out;
		csg_timeline_print_begin(&sum.print);
		csg_timeline_print_end(&sum.print, &sum.rows);
	}
	csg_timeline_sum_fini(&sum);
}

static void read_profile(struct csg_unpack *u)
{
	const struct csg_lookup lookup = {0};
	struct csg_branch_profile profile;

	if (!csg_branch_profile_init(&profile, &lookup, 0))
		csg_profile_unpack(u, &profile);
	csg_branch_profile_fini(&profile);
}

static void read_facts(struct csg_unpack *u)
{
	const struct csg_attribution_options options = {.size = sizeof(options),
							.hypervisor = CSG_HV_KVM_VHE};
	struct csg_attribution *a;
	struct csg_pack pack = {0};

	if (csg_attribution_create(&a, &options))
		return;
	if (!csg_crossing_facts_unpack(a, u))
		csg_crossing_facts_pack(a, &pack);
	csg_pack_fini(&pack);
	csg_attribution_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const read[])(struct csg_unpack * u) = {
		read_head, read_outcome, read_report, read_profile, read_facts, read_timeline};
	struct csg_unpack u;

	csg_unpack_begin(&u, data, size, CSG_RESULT_KIND, CSG_RESULT_VERSION);
	if (!size)
		return 0;
	u = (struct csg_unpack){.at = data + 1, .end = data + size};
	read[data[0] % (sizeof(read) / sizeof(*read))](&u);
	csg_strings_fini(&texts);
	return 0;
}

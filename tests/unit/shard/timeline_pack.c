/* SPDX-License-Identifier: BSD-3-Clause */
#include "shard/timeline_pack.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "suite.h"

#define VM 42
#define TID 43

static struct csg_pack pack;

static void add_who(struct csg_timeline *rows, int32_t pid, uint64_t time)
{
	const struct csg_timeline_total total = {
		.time = time, .rows = 1, .instructions = 2 * time, .longest = time};
	struct csg_timeline_who who;

	memset(&who, 0, sizeof(who));
	who.owner.world = CSG_WORLD_GUEST;
	who.owner.vm = VM;
	who.owner.pid = pid;
	who.guest = "web";
	memcpy(who.comm, "asker", 6);
	CU_ASSERT_EQUAL(csg_timeline_join(rows, &who, &total), 0);
}

/* 10 ns of its core blocked, and from `from` to `until`. */
static void add_state(struct csg_vcpu_parts_list *list, int32_t vm, uint64_t from, uint64_t until,
		      bool halts)
{
	struct csg_vcpu_parts *v = csg_vcpu_parts_add(list);

	CU_ASSERT_PTR_NOT_NULL_FATAL(v);
	v->vm = vm;
	v->tid = TID;
	v->guest = "web";
	v->parts.pieces = calloc(1, sizeof(*v->parts.pieces));
	v->parts.count = 1;
	v->parts.pieces[0] =
		(struct csg_wait_piece){from, until, halts ? CSG_WAIT_HALTED : CSG_WAIT_BLOCKED,
					halts ? CSG_WAIT_BLOCKED : CSG_WAIT_STATES};
	if (halts) {
		v->parts.sums.time[CSG_WAIT_HALTED] = 4;
		v->parts.sums.time[CSG_WAIT_BLOCKED] -= 4;
	} else {
		v->parts.sums.time[CSG_WAIT_BLOCKED] = 10;
	}
}

/* The result of a shard whose slices are from begin until end; one of the two lists vCPUs. */
static void make(uint64_t begin, uint64_t end, bool last, int32_t halted_vm)
{
	const struct csg_timeline_print print = {.format = CSG_TIMELINE_TEXT};
	struct csg_vcpu_parts_list vcpus = {0}, halts = {0};
	struct csg_timeline rows;
	const struct csg_timeline_shard shard = {.rows = &rows,
						 .print = &print,
						 .span = {begin, end},
						 .vcpus = &vcpus,
						 .halts = &halts};

	csg_timeline_init(&rows, CSG_TIMELINE_THREAD, NULL);
	add_who(&rows, 1, end - begin);
	if (last)
		add_state(&vcpus, VM, end, UINT64_MAX, false);
	else
		add_state(&halts, halted_vm, end, UINT64_MAX, true);
	pack = (struct csg_pack){0};
	csg_timeline_pack(&pack, &shard);
	csg_vcpu_parts_fini(&vcpus);
	csg_vcpu_parts_fini(&halts);
	csg_timeline_fini(&rows);
}

static int add(struct csg_timeline_sum *sum, size_t n, bool same_recording)
{
	struct csg_unpack u = {.at = pack.bytes, .end = pack.bytes + n};

	return csg_timeline_sum_add(sum, &u, same_recording);
}

/* Two shards, the first from 100 to 150, the last from 90 to 130. */
static int add_two(struct csg_timeline_sum *sum, int32_t halted_vm)
{
	int err;

	make(100, 150, false, halted_vm);
	err = add(sum, pack.n, false);
	csg_pack_fini(&pack);
	make(90, 130, true, 0);
	if (!err)
		err = add(sum, pack.n, true);
	csg_pack_fini(&pack);
	return err ? err : csg_timeline_sum_finish(sum);
}

static void owners_add_up(void)
{
	struct csg_strings texts = {0};
	struct csg_timeline_sum sum;
	const struct csg_timeline_who *who;

	csg_timeline_sum_init(&sum, &texts);
	CU_ASSERT_EQUAL(add_two(&sum, VM), 0);
	CU_ASSERT_EQUAL_FATAL(sum.rows.whos.count, 1);
	who = csg_keyset_get(&sum.rows.whos, 0);
	CU_ASSERT_STRING_EQUAL(who->guest, "web");
	CU_ASSERT_STRING_EQUAL(who->comm, "asker");
	CU_ASSERT_EQUAL(who->owner.vm, VM);
	CU_ASSERT_EQUAL(sum.rows.totals[0].time, 90);
	CU_ASSERT_EQUAL(sum.rows.totals[0].rows, 2);
	CU_ASSERT_EQUAL(sum.rows.totals[0].instructions, 180);
	CU_ASSERT_EQUAL(sum.rows.totals[0].longest, 50);
	csg_timeline_sum_fini(&sum);
	csg_strings_fini(&texts);
}

static void states_last_as_long_as_all_trace(void)
{
	struct csg_strings texts = {0};
	struct csg_timeline_sum sum;

	csg_timeline_sum_init(&sum, &texts);
	CU_ASSERT_EQUAL(add_two(&sum, VM), 0);
	CU_ASSERT_EQUAL_FATAL(sum.print.vcpu_count, 1);
	/* 10 in its core and from 130 to 150, of which 4 in the other's core were halted, and none
	 * after. */
	CU_ASSERT_EQUAL(sum.print.vcpus->sums.time[CSG_WAIT_BLOCKED], 26);
	CU_ASSERT_EQUAL(sum.print.vcpus->sums.time[CSG_WAIT_HALTED], 4);
	csg_timeline_sum_fini(&sum);
	csg_strings_fini(&texts);
}

static void a_halt_of_a_vcpu_that_its_shard_does_not_know_is_refused(void)
{
	struct csg_strings texts = {0};
	struct csg_timeline_sum sum;

	csg_timeline_sum_init(&sum, &texts);
	CU_ASSERT_EQUAL(add_two(&sum, VM + 1), -CSG_E_CONTRADICTED);
	csg_timeline_sum_fini(&sum);
	csg_strings_fini(&texts);
}

static void a_result_that_is_cut_short_is_refused(void)
{
	make(100, 150, false, VM);
	for (size_t n = 0; n < pack.n; n++) {
		struct csg_strings texts = {0};
		struct csg_timeline_sum sum;

		csg_timeline_sum_init(&sum, &texts);
		CU_ASSERT_EQUAL(add(&sum, n, false), -CSG_E_CORRUPT);
		csg_timeline_sum_fini(&sum);
		csg_strings_fini(&texts);
	}
	csg_pack_fini(&pack);
}

CSG_SUITE(shard, timeline_pack, CSG_TEST(owners_add_up), CSG_TEST(states_last_as_long_as_all_trace),
	  CSG_TEST(a_halt_of_a_vcpu_that_its_shard_does_not_know_is_refused),
	  CSG_TEST(a_result_that_is_cut_short_is_refused));

/* SPDX-License-Identifier: BSD-3-Clause */
#include "score/untraced.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csguest/element.h"
#include "suite.h"

static struct csg_untraced_score score;
static struct csg_truth *truth;

/*
 * On CPU 1 the host's thread 148 runs from 1000000 on for 20000 ns, then the guest in VM 142 for
 * 30000 ns and stands still for 10000, then the host.
 */
static void begin(void)
{
	char path[] = "/tmp/csg-untraced-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs("csguest-truth 1\n"
	      "owner 0 world=host privilege=kernel el=1 vm=0 vcpu=-1 pid=142 tid=148 host_tid=148\n"
	      "owner 1 world=guest privilege=user el=0 vm=142 vcpu=0 pid=1 tid=1 host_tid=148\n"
	      "stream cpu=1 id=0x10 bytes=100 instructions=60000\n"
	      "run 0 20000 1000 0 1000000\n"
	      "run 1 30000 2000 10 1020000\n"
	      "run 0 10000 3000 20 1060000\n"
	      "end\n",
	      f);
	fclose(f);
	score = (struct csg_untraced_score){0};
	CU_ASSERT_EQUAL_FATAL(csg_truth_open(&truth, path, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_untraced_score_init(&score, truth), 0);
	unlink(path);
}

static void end(void)
{
	csg_untraced_score_end(&score);
}

static void fini(void)
{
	csg_untraced_score_fini(&score);
	csg_truth_close(truth);
}

static void add(uint64_t from, uint64_t until, uint8_t gap, const struct csg_owner *owner)
{
	const struct csg_slice slice = {.begin = from, .end = until, .gap = gap};

	csg_untraced_score_add(&score, 1, &slice, owner);
}

static struct csg_owner who(enum csg_world world, int32_t vm)
{
	struct csg_owner owner = CSG_OWNER_UNKNOWN;

	owner.world = (uint8_t)world;
	owner.vm = vm;
	owner.host_tid = 148;
	return owner;
}

static void the_guests_time_is_its_vms(void)
{
	const struct csg_owner guest = who(CSG_WORLD_GUEST, 142), host = who(CSG_WORLD_HOST, 0);

	begin();
	add(1000000, 1020000, CSG_GAP_NONE, &host);
	add(1020000, 1060000, CSG_GAP_TRACE_ON, &guest);
	add(1060000, 1070000, CSG_GAP_NONE, &host);
	end();
	CU_ASSERT_EQUAL(score.guest.all, 40000);
	CU_ASSERT_EQUAL(score.guest.vm_right, 40000);
	CU_ASSERT_EQUAL(score.guest.right, 40000);
	CU_ASSERT_EQUAL(score.guest.wrong + score.host.wrong, 0);
	CU_ASSERT_EQUAL(score.host.traced, 30000);
	fini();
}

static void another_vm_is_wrong_beyond_the_slack(void)
{
	const struct csg_owner other = who(CSG_WORLD_GUEST, 140);

	begin();
	add(1000000, 1020000, CSG_GAP_TRACE_ON, NULL);
	add(1020000, 1060000, CSG_GAP_TRACE_ON, &other);
	end();
	/* It stood still for 10 us, and 5 us at each end do not count. */
	CU_ASSERT_EQUAL(score.guest.vm_wrong, 20000);
	CU_ASSERT_EQUAL(score.guest.wrong, 20000);
	CU_ASSERT_EQUAL(score.guest.near, 20000);
	CU_ASSERT_EQUAL(score.host.unknown, 20000);
	CU_ASSERT_EQUAL(score.worst, 20000);
	CU_ASSERT_EQUAL(score.worst_time, 1020000);
	fini();
}

static void a_guest_in_the_hosts_time_is_wrong_but_at_its_ends(void)
{
	const struct csg_owner guest = who(CSG_WORLD_GUEST, 142),
			       el2 = who(CSG_WORLD_HYPERVISOR, 0);

	begin();
	add(1000000, 1009000, CSG_GAP_TRACE_ON, &el2);
	add(1009000, 1020000, CSG_GAP_TRACE_ON, &guest);
	end();
	CU_ASSERT_EQUAL(score.host.wrong, 10000);
	CU_ASSERT_EQUAL(score.host.near, 10000);
	fini();
}

static void a_thread_that_may_have_run_either_names_the_vm(void)
{
	struct csg_owner thread = who(CSG_WORLD_UNKNOWN, 142);

	begin();
	add(1000000, 1060000, CSG_GAP_TRACE_ON, &thread);
	end();
	CU_ASSERT_EQUAL(score.guest.vm_right, 40000);
	CU_ASSERT_EQUAL(score.guest.unknown, 40000);
	CU_ASSERT_EQUAL(score.guest.right + score.guest.wrong, 0);
	CU_ASSERT_EQUAL(score.host.vm_right, 20000);
	CU_ASSERT_EQUAL(score.host.unknown, 20000);
	fini();
}

static void what_is_traced_and_dated_in_anothers_time_is_misplaced(void)
{
	const struct csg_owner host = who(CSG_WORLD_HOST, 0);

	begin();
	add(1000000, 1060000, CSG_GAP_NONE, &host);
	end();
	CU_ASSERT_EQUAL(score.guest.still, 20000);
	CU_ASSERT_EQUAL(score.guest.misplaced, 20000);
	CU_ASSERT_EQUAL(score.guest.traced, 0);
	fini();
}

CSG_SUITE(score, untraced, CSG_TEST(the_guests_time_is_its_vms),
	  CSG_TEST(another_vm_is_wrong_beyond_the_slack),
	  CSG_TEST(a_guest_in_the_hosts_time_is_wrong_but_at_its_ends),
	  CSG_TEST(a_thread_that_may_have_run_either_names_the_vm),
	  CSG_TEST(what_is_traced_and_dated_in_anothers_time_is_misplaced));

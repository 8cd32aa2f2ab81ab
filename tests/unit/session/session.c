/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes the bundled fixture and holds every range against its truth. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "remove_tree.h"
#include "session/session.h"
#include "session/session_pull.h"
#include "suite.h"

#define FIXTURE "traces/vhe-one-guest/"
#define MAX_LINES 20000

/* A line of truth.txt: cpu start end el world vm vcpu pid tid host_tid. */
struct line {
	unsigned int cpu, el;
	uint64_t start, end;
	char world[16];
	int vm, vcpu, pid, tid, host_tid;
};

static struct line *truth;
static size_t truth_count;

static void read_truth(void)
{
	FILE *file = fopen(FIXTURE "truth.txt", "r");
	char text[256];

	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	truth = calloc(MAX_LINES, sizeof(*truth));
	truth_count = 0;
	while (fgets(text, sizeof(text), file) && truth_count < MAX_LINES) {
		struct line *l = &truth[truth_count];

		truth_count += sscanf(text, "%u %" SCNx64 " %" SCNx64 " %u %15s %d %d %d %d %d",
				      &l->cpu, &l->start, &l->end, &l->el, l->world, &l->vm,
				      &l->vcpu, &l->pid, &l->tid, &l->host_tid) == 10;
	}
	fclose(file);
	CU_ASSERT(truth_count > 10000);
}

/* The fixture's host programs, where the recording says they lie. */
static void make_symfs(char *dir)
{
	char command[512];

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(dir));
	snprintf(command, sizeof(command),
		 "mkdir -p %s/usr/bin %s/usr/sbin && cp " FIXTURE "host/qemu-system-aarch64 "
		 "%s/usr/bin && cp " FIXTURE "host/sshd %s/usr/sbin",
		 dir, dir, dir, dir);
	CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void remove_symfs(const char *dir)
{
	CU_ASSERT_EQUAL(remove_tree(dir), 0);
}

static struct csg_session *open_fixture(const char *symfs)
{
	struct csg_session_setup options = {
		.input = FIXTURE "perf.data",
		.only_trace_id = -1,
		.only_cpu = -1,
	};
	struct csg_session *session;

	options.image.symfs = symfs;
	options.kernel.vmlinux = FIXTURE "host/vmlinux";
	options.has_guest = true;
	options.guest.vmlinux = FIXTURE "guest/vmlinux";
	CU_ASSERT_EQUAL_FATAL(csg_session_begin(&session, &options, NULL), 0);
	return session;
}

/* The next line of truth for a range of this CPU; what had no image (guest EL0) is passed over. */
static const struct line *find_line(size_t *at, int32_t cpu, const struct csg_element *e)
{
	while (*at < truth_count) {
		const struct line *l = &truth[(*at)++];

		if ((int32_t)l->cpu != cpu)
			continue;
		if (l->start == e->start && l->end == e->end && l->el == e->el)
			return l;
		if (l->el != CSG_EL0 || strcmp(l->world, "guest"))
			return NULL;
	}
	return NULL;
}

static bool owner_is_true(const struct csg_owner *owner, const struct line *l)
{
	if (strcmp(csg_world_name(owner->world), l->world) || owner->el != l->el ||
	    owner->host_tid != l->host_tid)
		return false;
	return owner->world != CSG_WORLD_HOST ||
	       (owner->pid == l->pid && owner->tid == l->tid && owner->vm == CSG_VM_HOST);
}

struct result {
	size_t ranges, lost, wrong;
};

static struct result compare(struct csg_session *session, bool in_time_order)
{
	size_t n, at[8] = {0};
	const struct csg_stream_info *streams = csg_session_streams(session, &n);
	struct result result = {0};
	struct csg_batch batch;
	int ret;

	CU_ASSERT_FATAL(n <= 8);
	while ((ret = csg_session_pull(session, in_time_order, &batch)) > 0)
		for (size_t i = 0; i < batch.n; i++) {
			const struct csg_element *e = &batch.elements[i];
			const struct line *l;

			if (e->kind != CSG_ELEMENT_RANGE)
				continue;
			l = find_line(&at[batch.stream], streams[batch.stream].source->cpu, e);
			result.ranges++;
			result.lost += !l;
			result.wrong +=
				l && !owner_is_true(csg_session_owner(session, e->owner), l);
		}
	CU_ASSERT_EQUAL(ret, 0);
	return result;
}

static size_t ranges_of_truth(void)
{
	size_t n = 0;

	for (size_t i = 0; i < truth_count; i++)
		n += truth[i].el != CSG_EL0 || strcmp(truth[i].world, "guest");
	return n;
}

static void every_range_has_its_true_owner(void)
{
	char symfs[] = "/tmp/csguest-session-XXXXXX";

	read_truth();
	make_symfs(symfs);
	for (int ordered = 0; ordered < 2; ordered++) {
		struct csg_session *session = open_fixture(symfs);
		struct result result = compare(session, ordered);

		CU_ASSERT_EQUAL(csg_session_hypervisor(session, NULL), CSG_HV_KVM_VHE);
		CU_ASSERT_EQUAL(result.ranges, ranges_of_truth());
		CU_ASSERT_EQUAL(result.lost, 0);
		CU_ASSERT_EQUAL(result.wrong, 0);
		csg_session_close(session);
	}
	remove_symfs(symfs);
	free(truth);
}

CSG_SUITE(session, session, CSG_TEST(every_range_has_its_true_owner));

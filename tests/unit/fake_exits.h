/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A vCPU's thread that enters its guest in a loop, for tests of exits.  Functions are 0x100 long:
 *
 *	run()      calls loop()
 *	loop()     calls enter(); fast exits come back to it and enter again
 *	enter()    ERET
 *	kvm_hyp_handle_fpsimd(), kvm_hyp_handle_dabt_low(), kvm_handle_guest_abort()
 */
#ifndef TESTS_UNIT_VIEW_FAKE_EXITS_H
#define TESTS_UNIT_VIEW_FAKE_EXITS_H

#include "fake_calls.h"
#include "calls/exits.h"

enum {
	RUN = 0x10000,
	LOOP = 0x10100,
	ENTER = 0x10200,
	FPSIMD = 0x10300,
	DABT = 0x10400,
	ABORT = 0x10500,
	GUEST = 0x20000,
	VECTOR = 0x30000,
};

/* What the handlers are called: a test may name others. */
static const char *fake_exit_first = "kvm_hyp_handle_dabt_low";
static const char *fake_exit_handler = "kvm_handle_guest_abort";

static inline void fake_exit_symbol(void *arg, struct csg_space *space, uint64_t addr,
				    uint64_t time, struct csg_symbol *symbol)
{
	const struct {
		uint64_t start;
		const char *name;
	} functions[] = {
		{RUN, "run"},
		{LOOP, "loop"},
		{ENTER, "enter"},
		{FPSIMD, "kvm_hyp_handle_fpsimd"},
		{DABT, fake_exit_first},
		{ABORT, fake_exit_handler},
		{GUEST, "guest"},
	};

	(void)arg, (void)space, (void)time;
	memset(symbol, 0, sizeof(*symbol));
	for (uint32_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (addr >= functions[i].start && addr < functions[i].start + 0x100)
			*symbol = (struct csg_symbol){.name = functions[i].name,
						      .start = functions[i].start,
						      .end = functions[i].start + 0x100,
						      .symbol_id = i + 1};
}

#define EXIT_FOR(number)                                                                           \
	{                                                                                          \
		.kind = CSG_ELEMENT_EXCEPTION, .owner = 2, .end = GUEST + 8, .has_return = true,   \
		.info = (number)                                                                   \
	}

/* Owner 4 is the host's kernel, 2 the guest of VM 42. */
static const struct csg_element fake_exit_trace[] = {
	FAKE_STAMP(1000),
	FAKE_RANGE(4, RUN, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, LOOP, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ENTER, 1, CSG_BRANCH_ERET),
	FAKE_RANGE(2, GUEST, 2, CSG_BRANCH_NONE),
	/* a fast exit */
	EXIT_FOR(3),
	FAKE_RANGE(4, VECTOR + 0x400, 1, CSG_BRANCH_NONE),
	FAKE_STAMP(2000),
	FAKE_RANGE(4, VECTOR + 0x404, 1, CSG_BRANCH_RETURN),
	FAKE_RANGE(4, LOOP + 4, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, FPSIMD, 2, CSG_BRANCH_RETURN),
	FAKE_RANGE(4, LOOP + 8, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ENTER, 1, CSG_BRANCH_ERET),
	FAKE_STAMP(2060),
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	/* an exit that the fast path tries, and leaves to the handler */
	EXIT_FOR(12),
	FAKE_STAMP(3000),
	FAKE_RANGE(4, VECTOR + 0x400, 1, CSG_BRANCH_RETURN),
	FAKE_RANGE(4, LOOP + 12, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, DABT, 1, CSG_BRANCH_RETURN),
	FAKE_RANGE(4, LOOP + 16, 1, CSG_BRANCH_RETURN),
	FAKE_RANGE(4, RUN + 4, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ABORT, 1, CSG_BRANCH_RETURN),
	FAKE_RANGE(4, RUN + 8, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, LOOP, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ENTER, 1, CSG_BRANCH_ERET),
	FAKE_STAMP(4000),
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	/* and one that the recording ends in */
	EXIT_FOR(14),
	FAKE_RANGE(4, VECTOR + 0x480, 1, CSG_BRANCH_NONE),
};

#define FAKE_HVC(at)                                                                               \
	{                                                                                          \
		.kind = CSG_ELEMENT_EXCEPTION, .owner = 4, .end = (at), .has_return = true,        \
		.info = 2                                                                          \
	}
#define FAKE_UNTRACED                                                                              \
	{                                                                                          \
		.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_TRACE_ON                                   \
	}

/* The same without VHE: the loop is in the hypervisor, which is not traced. */
static const struct csg_element fake_exit_untraced[] = {
	FAKE_STAMP(1000),
	FAKE_RANGE(4, RUN, 1, CSG_BRANCH_NONE),
	FAKE_HVC(RUN + 4),
	FAKE_UNTRACED,
	FAKE_RANGE(2, GUEST, 2, CSG_BRANCH_NONE),
	/* a fast exit, at which an interrupt is injected: it goes on at a vector of the guest's */
	EXIT_FOR(3),
	FAKE_UNTRACED,
	FAKE_RANGE(7, VECTOR + 0x480, 2, CSG_BRANCH_ERET),
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	/* the guest's own exception is none */
	EXIT_FOR(14),
	FAKE_RANGE(7, VECTOR + 0x400, 2, CSG_BRANCH_ERET),
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	/* one that goes on in the host */
	EXIT_FOR(12),
	FAKE_UNTRACED,
	FAKE_RANGE(4, RUN + 4, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ABORT, 1, CSG_BRANCH_RETURN),
	FAKE_STAMP(2000),
	FAKE_RANGE(4, RUN + 8, 1, CSG_BRANCH_NONE),
	FAKE_HVC(RUN + 12),
	FAKE_UNTRACED,
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	/* and trace that is lost: what became of it is not known */
	EXIT_FOR(14),
	{.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_OVERFLOW},
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	/* nor is it where another VM's guest is next */
	EXIT_FOR(3),
	FAKE_UNTRACED,
	FAKE_RANGE(6, GUEST + 8, 2, CSG_BRANCH_NONE),
};

/* 6 is another VM's guest, 7 the kernel of 2. */
static inline const struct csg_owner *fake_exit_owner(void *arg, uint32_t owner)
{
	static const struct csg_owner other = {
		.world = CSG_WORLD_GUEST, .vm = 43, .vcpu = 1, .pid = -1, .tid = -1};
	static const struct csg_owner kernel = {.world = CSG_WORLD_GUEST,
						.privilege = CSG_KERNEL,
						.el = 1,
						.vm = 42,
						.vcpu = 1,
						.pid = -1,
						.tid = -1};

	return owner == 6 ? &other : owner == 7 ? &kernel : fake_owner(arg, owner);
}

/* Windows: an exit in one, an entry in the next; a window with both; and one of the exit alone. */
static const struct csg_element fake_exit_windows[] = {
	FAKE_STAMP(1000),
	FAKE_RANGE(4, RUN, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, LOOP, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ENTER, 1, CSG_BRANCH_ERET),
	FAKE_RANGE(2, GUEST, 2, CSG_BRANCH_NONE),
	EXIT_FOR(12),
	FAKE_RANGE(4, VECTOR + 0x400, 1, CSG_BRANCH_RETURN),
	FAKE_UNTRACED,
	FAKE_STAMP(7000000),
	FAKE_RANGE(4, LOOP, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ENTER, 1, CSG_BRANCH_ERET),
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	EXIT_FOR(12),
	FAKE_RANGE(4, VECTOR + 0x400, 1, CSG_BRANCH_RETURN),
	FAKE_RANGE(4, LOOP, 1, CSG_BRANCH_CALL),
	FAKE_RANGE(4, ENTER, 1, CSG_BRANCH_ERET),
	FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
	EXIT_FOR(12),
	FAKE_RANGE(4, VECTOR + 0x400, 1, CSG_BRANCH_RETURN),
	FAKE_UNTRACED,
	FAKE_STAMP(9000000),
	FAKE_RANGE(4, RUN, 1, CSG_BRANCH_NONE),
};

/* Without VHE: as above, but what is before and after an exception to the untraced level are
 * windows, too: of the host, and of the guest. */
static const struct csg_element fake_exit_windows_untraced[] = {
	FAKE_STAMP(1000),    FAKE_RANGE(2, GUEST, 2, CSG_BRANCH_NONE),	   EXIT_FOR(12),
	FAKE_UNTRACED,	     FAKE_RANGE(4, RUN + 4, 1, CSG_BRANCH_NONE),   FAKE_UNTRACED,
	FAKE_STAMP(7000000), FAKE_RANGE(4, RUN + 8, 1, CSG_BRANCH_NONE),   FAKE_HVC(RUN + 12),
	FAKE_UNTRACED,	     FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE), EXIT_FOR(12),
	FAKE_UNTRACED,	     FAKE_RANGE(4, RUN + 4, 1, CSG_BRANCH_NONE),   FAKE_HVC(RUN + 8),
	FAKE_UNTRACED,	     FAKE_RANGE(2, GUEST + 8, 2, CSG_BRANCH_NONE),
};

#define FAKE_EXIT_TRACE(trace)                                                                     \
	{                                                                                          \
		(trace), sizeof(trace) / sizeof(*(trace))                                          \
	}

struct fake_exit_list {
	const struct csg_element *elements;
	size_t n;
};

static const struct fake_exit_list fake_exit_lists[2][2] = {
	{FAKE_EXIT_TRACE(fake_exit_trace), FAKE_EXIT_TRACE(fake_exit_untraced)},
	{FAKE_EXIT_TRACE(fake_exit_windows), FAKE_EXIT_TRACE(fake_exit_windows_untraced)},
};

/* Which of them: in windows or not. */
static bool fake_exits_windowed;

static inline int fake_exits_next(void *arg, uint32_t stream, struct csg_batch *batch)
{
	const struct fake_exit_list *list = &fake_exit_lists[fake_exits_windowed][arg != NULL];

	if (fake_calls_given)
		return 0;
	fake_calls_given = true;
	*batch = (struct csg_batch){.element_size = sizeof(struct csg_element),
				    .stream = stream,
				    .elements = list->elements,
				    .n = list->n,
				    .time = 10};
	return 1;
}

static inline void fake_exits(struct csg_exits *exits)
{
	struct csg_lookup lookup = fake_calls_lookup();
	int ret;

	lookup.symbol = fake_exit_symbol;
	lookup.owner = fake_exit_owner;
	fake_calls_given = false;
	exits->next = fake_exits_next;
	exits->time = fake_calls_time;
	CU_ASSERT_EQUAL_FATAL(csg_exits_open(exits, &lookup, 1), 0);
	while ((ret = csg_exits_next(exits)) > 0)
		;
	CU_ASSERT_EQUAL(ret, 0);
	csg_exits_finish(exits);
}

#endif

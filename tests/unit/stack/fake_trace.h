/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements of fake_code.h's program, run by a host and its guests, for tests of call stacks.
 *
 *	open_stacks(1);
 *	ran(HOST_USER, MAIN, CSG_BRANCH_CALL);    // from here ...
 *	ran(HOST_USER, WORK, CSG_BRANCH_NONE);    // ... to there
 *	chain_is(0, "work main");
 *	close_stacks();
 */
#ifndef TESTS_UNIT_STACK_FAKE_TRACE_H
#define TESTS_UNIT_STACK_FAKE_TRACE_H

#include <stdlib.h>

#include "suite.h"

#include "fake_code.h"
#include "stack/border.h"
#include "stack/stack.h"

/* vCPU thread 10 of the host runs guest 9; 20 is another thread. */
enum fake_owner {
	NOBODY,
	HOST_USER, /* of thread 10 */
	HOST_KERNEL,
	OTHER_USER, /* of thread 20 */
	OTHER_KERNEL,
	GUEST_KERNEL, /* whose threads are not known */
	GUEST_USER,
	GUEST_KERNEL_5, /* thread 5 of the guest */
	GUEST_KERNEL_6,
	GUEST_USER_5,
	GUEST_USER_6,
	HYPERVISOR,
	UNKNOWN_USER,
	HOST_IDLE, /* thread 0 has no context ID */
	FAKE_OWNERS,
};

#define FAKE_HOST(priv, thread)                                                                    \
	{                                                                                          \
		.world = CSG_WORLD_HOST, .privilege = (priv), .vm = 0, .vcpu = -1,                 \
		.pid = (thread), .tid = (thread), .host_tid = (thread)                             \
	}
#define FAKE_GUEST(priv, thread)                                                                   \
	{                                                                                          \
		.world = CSG_WORLD_GUEST, .privilege = (priv), .vm = 9, .vcpu = 0,                 \
		.evidence = CSG_EVIDENCE_GUEST_SIDEBAND, .pid = (thread), .tid = (thread),         \
		.host_tid = 10                                                                     \
	}

static const struct csg_owner fake_owners[FAKE_OWNERS] = {
	[NOBODY] = {.vm = -1, .vcpu = -1, .pid = -1, .tid = -1, .host_tid = -1},
	[HOST_USER] = FAKE_HOST(CSG_USER, 10),
	[HOST_KERNEL] = FAKE_HOST(CSG_KERNEL, 10),
	[OTHER_USER] = FAKE_HOST(CSG_USER, 20),
	[OTHER_KERNEL] = FAKE_HOST(CSG_KERNEL, 20),
	[GUEST_KERNEL] = FAKE_GUEST(CSG_KERNEL, -1),
	[GUEST_USER] = FAKE_GUEST(CSG_USER, -1),
	[GUEST_KERNEL_5] = FAKE_GUEST(CSG_KERNEL, 5),
	[GUEST_KERNEL_6] = FAKE_GUEST(CSG_KERNEL, 6),
	[GUEST_USER_5] = FAKE_GUEST(CSG_USER, 5),
	[GUEST_USER_6] = FAKE_GUEST(CSG_USER, 6),
	[HOST_IDLE] = FAKE_HOST(CSG_KERNEL, -1),
	[HYPERVISOR] = {.world = CSG_WORLD_HYPERVISOR,
			.privilege = CSG_KERNEL,
			.vm = -1,
			.vcpu = -1,
			.pid = -1,
			.tid = -1,
			.host_tid = -1},
	[UNKNOWN_USER] =
		{.privilege = CSG_USER, .vm = -1, .vcpu = -1, .pid = -1, .tid = -1, .host_tid = -1},
};

/* How ranges end. */
#define NO CSG_BRANCH_NONE
#define BL CSG_BRANCH_CALL
#define RET CSG_BRANCH_RETURN
#define ER CSG_BRANCH_ERET

static struct csg_stacks *fake_stacks;
static uint64_t fake_ran; /* instructions that observers were reported of */
static struct csg_stack_switch fake_switch;
static bool fake_no_symbols;

static inline const struct csg_owner *fake_owner(void *arg, uint32_t owner)
{
	(void)arg;
	return &fake_owners[owner];
}

static inline const void *fake_space(void *arg, uint32_t owner)
{
	(void)arg;
	return owner && owner != UNKNOWN_USER ? &fake_owners : NULL;
}

static inline void fake_symbol(void *arg, const void *space, uint64_t address, uint64_t when,
			       struct csg_function *function, uint64_t *until)
{
	(void)arg, (void)space, (void)when, (void)until;
	if (!fake_no_symbols)
		fake_function_at(address, function);
}

static inline void fake_switched(void *arg, const struct csg_stack_switch *what)
{
	(void)arg;
	fake_switch = *what;
}

static inline void fake_add_ran(void *arg, uint32_t stream, struct csg_stack *frames, uint64_t n)
{
	(void)arg, (void)stream, (void)frames;
	fake_ran += n;
}

static inline void open_stacks(size_t streams)
{
	const struct csg_stacks_client client = {
		.owner = fake_owner,
		.space = fake_space,
		.function = fake_symbol,
		.entered = fake_entered,
		.leaving = fake_leaving,
		.switched = fake_switched,
		.ran = fake_add_ran,
	};

	fake_no_symbols = false;
	fake_ran = 0;
	fake_log[0] = 0;
	CU_ASSERT_EQUAL_FATAL(csg_stacks_create(&fake_stacks, &client, streams), 0);
}

static inline void close_stacks(void)
{
	csg_stacks_destroy(fake_stacks);
	fake_stacks = NULL;
}

static inline int64_t feed_to(uint32_t stream, struct csg_element e, bool force)
{
	return csg_stacks_feed(fake_stacks, stream, &e, 1, UINT64_MAX, force);
}

/* Four instructions from start on, the last of this kind. */
static inline struct csg_element fake_range(uint32_t owner, uint64_t start, enum csg_branch branch)
{
	return (struct csg_element){.kind = CSG_ELEMENT_RANGE,
				    .owner = owner,
				    .start = start,
				    .end = start + 16,
				    .instructions = 4,
				    .last_size = 4,
				    .isa = CSG_ISA_A64,
				    .branch = (uint8_t)branch,
				    .taken = true};
}

static inline void ran_on(uint32_t stream, uint32_t owner, uint64_t start, enum csg_branch branch)
{
	CU_ASSERT_EQUAL(feed_to(stream, fake_range(owner, start, branch), false), 1);
}

static inline void ran(uint32_t owner, uint64_t start, enum csg_branch branch)
{
	ran_on(0, owner, start, branch);
}

static inline void excepts(uint32_t owner, uint64_t ret)
{
	const struct csg_element e = {.kind = CSG_ELEMENT_EXCEPTION,
				      .owner = owner,
				      .end = ret,
				      .has_return = true,
				      .info = 14};

	CU_ASSERT_EQUAL(feed_to(0, e, false), 1);
}

static inline void gap_on(uint32_t stream, enum csg_gap gap, uint32_t owner, uint64_t start)
{
	const struct csg_element e = {
		.kind = CSG_ELEMENT_GAP, .gap = (uint8_t)gap, .owner = owner, .start = start};

	CU_ASSERT_EQUAL(feed_to(stream, e, false), 1);
}

/* The chain of a stream, innermost first. */
static inline void chain_of(uint32_t stream, bool joined, const char *names)
{
	struct csg_chain_entry chain[64];
	size_t n = csg_stacks_chain(fake_stacks, stream, 0, joined, chain, sizeof(chain[0]), 64),
	       at = 0;
	char text[1024] = "";

	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", i ? " " : "",
				       chain[i].label ? fake_functions[chain[i].label - 1].name
						      : "?");
	CU_ASSERT_STRING_EQUAL(text, names);
}

static inline void chain_is(const char *names)
{
	chain_of(0, true, names);
}

static inline enum csg_bottom bottom(void)
{
	return (enum csg_bottom)csg_stacks_now(fake_stacks, 0)->bottom;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/fast/fast_lane.h"
#include "flow/fast_engine.h"

static void atoms_lead_from_block_to_block(void)
{
	static const uint32_t words[] = {
		0xd503201f, /* 1000 nop */
		0x54000041, /* 1004 b.ne 100c */
		0x14000003, /* 1008 b 1014 */
		0x17fffffd, /* 100c b 1000 */
	};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 4);
	CU_ASSERT(csg_fast_atoms(e.fast, 0x3, 3, 77)); /* E, E, N */
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 3);
	CU_ASSERT_EQUAL(out[0].start, 0x1000);
	CU_ASSERT_EQUAL(out[0].end, 0x1008);
	CU_ASSERT_EQUAL(out[0].instructions, 2);
	CU_ASSERT_EQUAL(out[0].index, 77);
	CU_ASSERT_EQUAL(out[0].owner, 1);
	CU_ASSERT(out[0].taken && out[0].conditional);
	CU_ASSERT_EQUAL(out[1].start, 0x100c);
	CU_ASSERT_EQUAL(out[2].start, 0x1000);
	CU_ASSERT_FALSE(out[2].taken);
	fast_engine_fini(&e);
}

/* The engine as after a Trace Info packet: bytes given to csg_fast_run() are packets. */
static void in_sync(struct fast_engine *e)
{
	e->fast->state = CSG_FAST_DECODE;
	e->fast->reader.state = CSG_READER_HEADER;
}

/* Atoms E to an indirect branch, an address, atoms, by two short addresses and a match. */
static void a_run_takes_atoms_and_addresses_up_to_another_packet(void)
{
	static const uint32_t words[] = {
		0xd61f0000, /* 1000 br x0 */
		0xd503201f, /* 1004 nop */
		0xd61f0000, /* 1008 br x0 */
	};
	static const uint8_t bytes[] = {
		0xf7, 0x95, 0x82, 0x08, /* E; 1008 */
		0xf7, 0x95, 0x01,	/* E; 1004 */
		0xf7, 0x91,		/* E; 1008, as the one before the newest */
		0xf6, 0x04,		/* N; Trace On */
	};
	static const uint64_t starts[] = {0x1000, 0x1008, 0x1004, 0x1008};
	static const uint64_t indexes[] = {50, 54, 57, 59};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 3);
	in_sync(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(50, bytes, sizeof(bytes)), 0),
			sizeof(bytes) - 1);
	CU_ASSERT_FALSE(e.fast->dead);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 4);
	for (size_t i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(out[i].start, starts[i]);
		CU_ASSERT_EQUAL(out[i].index, indexes[i]);
		CU_ASSERT_EQUAL(out[i].taken, i < 3);
	}
	CU_ASSERT_EQUAL(e.fast->at.address, 0x100c);
	fast_engine_fini(&e);
}

/* How many gaps atoms and addresses make that begin at 1000; checks: where the path is checked. */
static size_t gaps_of(const uint8_t *bytes, size_t size, bool checks)
{
	static const uint32_t words[] = {
		0xd61f0000, /* 1000 br x0 */
		0x14000002, /* 1004 b 100c */
		0xd61f0000, /* 1008 br x0 */
		0xd61f0000, /* 100c br x0 */
	};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n, gaps = 0;

	fast_engine_init(&e, words, 4);
	in_sync(&e);
	e.fast->unit.has_return_stack = false;
	e.flow->code.checks_path = checks;
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(50, bytes, size), 0), size);
	CU_ASSERT_FALSE(e.fast->dead);
	out = csg_flow_elements(e.flow, &n);
	for (size_t i = 0; i < n; i++)
		gaps += out[i].kind == CSG_ELEMENT_GAP && out[i].gap == CSG_GAP_BAD_PACKET;
	fast_engine_fini(&e);
	return gaps;
}

static void a_path_that_leads_elsewhere_shows_a_loss(void)
{
	/* E 1004 E 100c E; ... 1008 ...; E E N, no address of br */
	static const uint8_t follows[] = {0xf7, 0x95, 0x81, 0x08, 0xf7, 0x95, 0x03, 0xf7};
	static const uint8_t elsewhere[] = {0xf7, 0x95, 0x81, 0x08, 0xf7, 0x95, 0x02, 0xf7};
	static const uint8_t nowhere[] = {0xf7, 0x95, 0x80, 0x08, 0xf7, 0xf7, 0xf6, 0x95, 0x01};

	CU_ASSERT_EQUAL(gaps_of(follows, sizeof(follows), true), 0);
	CU_ASSERT_EQUAL(gaps_of(elsewhere, sizeof(elsewhere), true), 1);
	CU_ASSERT_EQUAL(gaps_of(elsewhere, sizeof(elsewhere), false), 0);
	CU_ASSERT_EQUAL(gaps_of(nowhere, sizeof(nowhere), true), 1);
	CU_ASSERT_EQUAL(gaps_of(nowhere, sizeof(nowhere), false), 0);
}

/* As after an exception that brought another context: nothing waits, and another owner is in
 * force. */
static void a_run_takes_no_block_of_another_owner(void)
{
	static const uint32_t words[] = {0x14000001, 0x17ffffff}; /* b .+4, b .-4 */
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 2);
	in_sync(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, ((const uint8_t[]){0xff}), 1), 0),
			1);	 /* E, E, E */
	e.words[0] = 0xd503201f; /* nop: its block ends with the branch after it */
	e.flow->owner = 2;
	csg_flow_forget_slots(e.flow);
	csg_fast_go_to(e.fast, 0x1000, CSG_ISA_A64);
	csg_flow_take(e.flow);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(1, ((const uint8_t[]){0xf7}), 1), 0),
			1); /* E */
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 1);
	CU_ASSERT_EQUAL(out[0].start, 0x1000);
	CU_ASSERT_EQUAL(out[0].end, 0x1008);
	CU_ASSERT_EQUAL(out[0].owner, 2);
	CU_ASSERT_EQUAL(e.fast->code.space, 2);
	fast_engine_fini(&e);
}

/* An address of which a part is still to come is left to the reader. */
static void a_run_ends_before_a_packet_that_is_cut(void)
{
	static const uint32_t words[] = {0xd61f0000}; /* br x0 */
	static const uint8_t bytes[] = {0xf7, 0x95, 0x82, 0x08};
	struct fast_engine e;

	fast_engine_init(&e, words, 1);
	in_sync(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes, 3), 0), 1);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes + 1, 1), 0), 0);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes + 1, 3), 0), 3);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x1008);
	fast_engine_fini(&e);
}

/* Returns of which none was called: the packet gives nothing, the one before it does. */
static void a_packet_that_makes_no_sense_gives_nothing(void)
{
	static const uint32_t words[] = {0xd65f03c0}; /* ret */
	struct fast_engine e;
	size_t n;

	fast_engine_init(&e, words, 1);
	in_sync(&e);
	CU_ASSERT_EQUAL(
		csg_fast_run(e.fast, CSG_RUN(0, ((const uint8_t[]){0xf7, 0xf9, 0xf7}), 3), 0), 2);
	CU_ASSERT(e.fast->dead);
	csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL(n, 1);
	fast_engine_fini(&e);
}

/* A call; a branch to where code is missing; on return from there a RET whose address the unit
 * knows. */
static void a_return_after_missing_code_goes_nowhere(void)
{
	static const uint32_t words[] = {
		0x94000004, /* 1000 bl 1010 */
		0xd503201f, /* 1004 nop: not where the RET leads */
		0x14000000, /* 1008 b 1008 */
		0xd503201f, /* 100c nop */
		0xd61f0000, /* 1010 br x0 */
		0xd65f03c0, /* 1014 ret */
	};
	static const uint8_t bytes[] = {
		0xf7, 0xf7, 0x95, 0x80, 0x48, /* E E; 9000 */
		0xf7, 0x95, 0x85, 0x08,	      /* E, of what is missing; 1014 */
		0xf7, 0xf7, 0xf7, 0x95, 0x02, /* E of the RET, and two of what is after it; 1008 */
		0xf7,
	};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	for (int contradictions = 0; contradictions < 2; contradictions++) {
		fast_engine_init(&e, words, 6);
		in_sync(&e);
		e.fast->unit.exact_returns = contradictions;
		CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes, sizeof(bytes)), 0),
				sizeof(bytes));
		out = csg_flow_elements(e.flow, &n);
		CU_ASSERT_EQUAL_FATAL(n, contradictions ? 6 : 7);
		CU_ASSERT_EQUAL(out[2].gap, CSG_GAP_NO_CODE);
		CU_ASSERT_EQUAL(out[3].start, 0x1014);
		CU_ASSERT_EQUAL(out[4].kind, contradictions ? CSG_ELEMENT_GAP : CSG_ELEMENT_RANGE);
		CU_ASSERT_EQUAL(out[4].gap, contradictions ? CSG_GAP_RETURN : CSG_GAP_NONE);
		CU_ASSERT_EQUAL(out[4].index, 10);
		CU_ASSERT_EQUAL(out[n - 1].start, 0x1008);
		fast_engine_fini(&e);
	}
}

/* Where b.ne led is 100c; the addresses after it wait for an atom that never comes. */
static void an_address_that_nothing_committed_is_lost_with_synchronisation(void)
{
	static const uint32_t words[] = {
		0xd503201f, /* 1000 nop */
		0x54000041, /* 1004 b.ne 100c */
		0xd503201f, /* 1008 nop */
		0xd61f0000, /* 100c br x0 */
	};
	static const uint8_t lost[] = {0xf7, 0x95, 0x82, 0x08, 0x95, 0x01};
	static const uint8_t committed[] = {0xf7, 0xf7, 0x95, 0x82, 0x08, 0xf7};
	struct fast_engine e;

	fast_engine_init(&e, words, 4);
	in_sync(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, lost, 4), 0), 4);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(4, lost + 4, 2), 0), 2);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x1004);
	e.flow->ops->reset(e.fast, 0);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x100c);
	fast_engine_fini(&e);
	fast_engine_init(&e, words, 4);
	in_sync(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, committed, 6), 0), 6);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x1010);
	e.flow->ops->reset(e.fast, 0);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x1010);
	fast_engine_fini(&e);
}

/* Addresses are those of the code from now on. */
static void in_sync_without_returns(struct fast_engine *e)
{
	in_sync(e);
	e->fast->unit.has_return_stack = false;
	e->fast->reader.addresses[0] = FAST_CODE;
}

/* E of a branch to x0; where to; thrice, so that it is known where that leads; an address and no
 * atom. */
static void addresses_lead_to_blocks_that_are_known(void)
{
	static const uint32_t words[] = {
		0xd61f0000, /* 1000 br x0 */
		0xd503201f, /* 1004 nop */
		0xd61f0000, /* 1008 br x0 */
	};
	static const uint8_t bytes[] = {
		0xf7, 0x95, 0x02, 0xf7, 0x95, 0x00, /* E; 1008; E; 1000 */
		0xf7, 0x95, 0x02, 0xf7, 0x95, 0x00, 0xf7, 0x95,
		0x02, 0xf7, 0x95, 0x00, 0xf7, 0x95, 0x02, /* E; 1008 */
		0x04, 0x00, 0x00,			  /* Trace On */
	};
	struct fast_engine e;
	const struct csg_element *out;
	const struct csg_landing *landing;
	struct csg_address address;
	size_t n;

	fast_engine_init(&e, words, 3);
	in_sync_without_returns(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes, sizeof(bytes)), 0), 21);
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 7);
	for (size_t i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(out[i].start, i % 2 ? 0x1008 : 0x1000);
		CU_ASSERT_EQUAL(out[i].index, 3 * i);
		CU_ASSERT(out[i].taken);
	}
	CU_ASSERT_EQUAL(e.fast->at.address, 0x1008);
	landing = csg_blocks_landing(&e.fast->blocks, e.fast->code.space, 0x1008);
	CU_ASSERT_EQUAL_FATAL(landing->address, 0x1008);
	CU_ASSERT_EQUAL(csg_blocks_at(&e.fast->blocks, landing->at)->start, 0x1008);
	CU_ASSERT_EQUAL(csg_fast_look(e.fast, bytes + 1, 5, &address), landing->at);
	e.fast->last_is1 = e.fast->wait_address = true;
	csg_fast_land(e.fast, &address);
	CU_ASSERT_FALSE(e.fast->last_is1 | e.fast->wait_address);
	CU_ASSERT_EQUAL(e.fast->reader.addresses[0], 0x1008);
	e.fast->at.is_64bit = false;
	CU_ASSERT_EQUAL(csg_fast_look(e.fast, bytes + 1, 5, &address), 0);
	/* What no atom committed is lost with synchronisation. */
	e.flow->ops->reset(e.fast, 0);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x1004);
	CU_ASSERT(e.fast->at.need_address);
	csg_fast_forget_code(e.fast);
	CU_ASSERT_EQUAL(landing->at, 0);
	fast_engine_fini(&e);
}

/* Missing code is asked for again where packets executed something since, also as who counts has
 * it. */
static void missing_code_is_asked_for_after_other_code(void)
{
	static const uint32_t words[] = {0x14000010}; /* 1000 b 1040 */
	static const uint8_t bytes[] = {
		0xfd,		  /* E, E: no code at 1040 */
		0x95, 0x00, 0xf7, /* 1000; E */
		0xf7,		  /* E: at 1040 again */
	};
	for (int counts = 0; counts < 2; counts++) {
		struct fast_engine e;

		fast_engine_init(&e, words, 1);
		if (counts)
			csg_flow_set_counts(e.flow);
		in_sync_without_returns(&e);
		CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes, 4), 0), 4);
		CU_ASSERT_EQUAL(e.flow->missing.address, 0x1040);
		CU_ASSERT_EQUAL(e.reads, 2);
		CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(4, bytes + 4, 1), 0), 1);
		CU_ASSERT_EQUAL(e.reads, 3);
		csg_flow_take(e.flow);
		/* In one run, too. */
		CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(5, bytes + 1, 4), 0), 4);
		CU_ASSERT_EQUAL(e.reads, 4);
		/* One packet executes nothing before itself. */
		CU_ASSERT_EQUAL(csg_fast_run(e.fast,
					     CSG_RUN(9, ((const uint8_t[]){0x95, 0x00, 0xfd}), 3),
					     0),
				3);
		CU_ASSERT_EQUAL(e.reads, 4);
		fast_engine_fini(&e);
	}
}

/* An ETE sends no packet for an exception return: the instruction tells. */
static void each_exception_return_of_an_ete_is_reported(void)
{
	static const uint32_t words[] = {0xd69f03e0}; /* eret */
	static const uint8_t bytes[] = {0xf7, 0x95, 0x00, 0xf7, 0x95, 0x00, 0xf7, 0x95,
					0x00, 0xf7, 0x95, 0x00, 0xf7, 0x95, 0x00, 0xf7};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 1);
	in_sync_without_returns(&e);
	e.fast->unit.ete = true;
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes, sizeof(bytes)), 0), sizeof(bytes));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 12);
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(out[i].kind, i % 2 ? CSG_ELEMENT_EXCEPTION_RET : CSG_ELEMENT_RANGE);
	fast_engine_fini(&e);
}

/* The same addresses, of whom the second owner's code is another one. */
static void an_address_leads_to_no_block_of_another_owner(void)
{
	static const uint32_t words[] = {0xd61f0000, 0xd61f0000}; /* br x0, twice */
	static const uint8_t bytes[] = {0xf7, 0x95, 0x01, 0xf7, 0x95, 0x00, 0xf7, 0x95,
					0x01, 0xf7, 0x95, 0x00, 0xf7, 0x95, 0x01, 0xf7};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	fast_engine_init(&e, words, 2);
	in_sync_without_returns(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(0, bytes, sizeof(bytes)), 0), sizeof(bytes));
	e.words[1] = 0xd503201f; /* nop, up to the branch after it */
	e.words[2] = 0xd61f0000;
	e.flow->owner = 2;
	csg_flow_forget_slots(e.flow);
	csg_fast_go_to(e.fast, 0x1000, CSG_ISA_A64);
	e.fast->at.need_address = false;
	csg_flow_take(e.flow);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, CSG_RUN(16, bytes, sizeof(bytes)), 0), sizeof(bytes));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, 6);
	for (size_t i = 0; i < n; i++) {
		CU_ASSERT_EQUAL(out[i].start, i % 2 ? 0x1004 : 0x1000);
		CU_ASSERT_EQUAL(out[i].end, i % 2 ? 0x100c : 0x1004);
		CU_ASSERT_EQUAL(out[i].owner, 2);
	}
	fast_engine_fini(&e);
}

/* Sixteen bytes of a frame, of which the last one is not among them, and some of the next. */
static void a_run_in_frames_tells_where_its_packets_lie(void)
{
	static const uint32_t words[] = {0x14000000}; /* b . */
	uint8_t bytes[40];
	struct csg_run piece = {.index = 100, .bytes = bytes, .n = sizeof(bytes), .frame = 2};
	struct fast_engine e;
	const struct csg_element *out;
	size_t n;

	memset(bytes, 0xf7, sizeof(bytes));
	fast_engine_init(&e, words, 1);
	in_sync(&e);
	CU_ASSERT_EQUAL(csg_fast_run(e.fast, &piece, 0), sizeof(bytes));
	out = csg_flow_elements(e.flow, &n);
	CU_ASSERT_EQUAL_FATAL(n, sizeof(bytes));
	for (size_t i = 0; i < n; i++)
		CU_ASSERT_EQUAL(out[i].index, csg_run_index(&piece, i));
	CU_ASSERT_EQUAL(out[1].index, 101);
	CU_ASSERT_EQUAL(out[2].index, 103);
	CU_ASSERT_EQUAL(out[17].index, 119);
	fast_engine_fini(&e);
}

static void what_an_early_address_replaced_comes_back_once(void)
{
	static const uint32_t words[] = {0xd503201f};
	struct fast_engine e;

	fast_engine_init(&e, words, 1);
	csg_fast_go_to(e.fast, 0x1004, CSG_ISA_T32);
	e.fast->pop_pending = e.fast->wait_address = true;
	csg_fast_take_early(e.fast);
	csg_fast_go_to(e.fast, 0x2000, CSG_ISA_A64);
	e.fast->pop_pending = e.fast->wait_address = false;
	csg_fast_take_early(e.fast);
	csg_fast_go_to(e.fast, 0x3000, CSG_ISA_A64);
	e.fast->demand.discard = true;
	CU_ASSERT(csg_fast_resolve(e.fast));
	CU_ASSERT_EQUAL(e.fast->at.address, 0x1004);
	CU_ASSERT_EQUAL(e.fast->at.isa, CSG_ISA_T32);
	CU_ASSERT(e.fast->pop_pending);
	CU_ASSERT(e.fast->wait_address);
	csg_fast_go_to(e.fast, 0x4000, CSG_ISA_A64);
	csg_fast_drop_early(e.fast);
	CU_ASSERT_EQUAL(e.fast->at.address, 0x4000);
	fast_engine_fini(&e);
}

CSG_SUITE(flow_fast, fast_atoms, CSG_TEST(addresses_lead_to_blocks_that_are_known),
	  CSG_TEST(an_address_leads_to_no_block_of_another_owner),
	  CSG_TEST(missing_code_is_asked_for_after_other_code),
	  CSG_TEST(each_exception_return_of_an_ete_is_reported),
	  CSG_TEST(a_run_in_frames_tells_where_its_packets_lie),
	  CSG_TEST(atoms_lead_from_block_to_block),
	  CSG_TEST(a_run_takes_atoms_and_addresses_up_to_another_packet),
	  CSG_TEST(a_path_that_leads_elsewhere_shows_a_loss),
	  CSG_TEST(a_run_takes_no_block_of_another_owner),
	  CSG_TEST(a_run_ends_before_a_packet_that_is_cut),
	  CSG_TEST(a_packet_that_makes_no_sense_gives_nothing),
	  CSG_TEST(a_return_after_missing_code_goes_nowhere),
	  CSG_TEST(an_address_that_nothing_committed_is_lost_with_synchronisation),
	  CSG_TEST(what_an_early_address_replaced_comes_back_once));

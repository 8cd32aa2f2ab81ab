/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/element.h"
#include "scan/packets.h"
#include "suite.h"

/* Packets reported one by one, ten bytes apart, and the events that come of them. */
struct story {
	struct csg_packets packets;
	uint64_t at;
	struct csg_track_event events[32];
	size_t count;
};

static void remember(void *arg, const struct csg_track_event *event)
{
	struct story *s = arg;

	if (s->count < 32)
		s->events[s->count++] = *event;
}

static void feed(struct story *s, struct csg_packet packet)
{
	s->at += 10;
	packet.index = packet.position = s->at;
	csg_packets_feed(&s->packets, &packet);
}

static void begin(struct story *s, uint32_t max_spec)
{
	const struct csg_source source = {.trcconfigr = 1u << 6 | 1u << 7 | 1u << 15,
					  .trcidr8 = max_spec};

	*s = (struct story){0};
	CU_ASSERT_EQUAL_FATAL(csg_packets_init(&s->packets, &source, remember, s), 0);
	feed(s, (struct csg_packet){.kind = CSG_PACKET_ASYNC});
	feed(s, (struct csg_packet){.kind = CSG_PACKET_TRACE_INFO});
	s->count = 0;
}

static void end(struct story *s)
{
	csg_packets_fini(&s->packets);
}

static void context(struct story *s, uint8_t el, uint64_t address)
{
	feed(s,
	     (struct csg_packet){.kind = CSG_PACKET_ADDRESS_CONTEXT,
				 .value = address,
				 .context = {.updated = true, .el = el, .ns = true, .sf = true}});
}

static void expect(struct story *s, size_t i, enum csg_track_kind kind, uint64_t index)
{
	CU_ASSERT_FATAL(i < s->count);
	CU_ASSERT_EQUAL(s->events[i].kind, kind);
	CU_ASSERT_EQUAL(s->events[i].index, index);
}

static void nothing_counts_before_sync_and_trace_info(void)
{
	const struct csg_source source = {0};
	struct story s = {0};

	CU_ASSERT_EQUAL_FATAL(csg_packets_init(&s.packets, &source, remember, &s), 0);
	context(&s, 1, 0x1000);
	CU_ASSERT_EQUAL(s.count, 0);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ASYNC});
	context(&s, 1, 0x1000);
	/* Only that the first 20 bytes were lost. */
	CU_ASSERT_EQUAL(s.count, 1);
	expect(&s, 0, CSG_TRACK_SYNC, 20);
	CU_ASSERT_EQUAL(s.events[0].value, 20);
	end(&s);
}

static void an_exception_waits_for_its_address_and_then_for_its_target(void)
{
	struct story s;

	begin(&s, 0);
	context(&s, 1, 0x1000);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_EXCEPTION, .number = 14});
	CU_ASSERT_EQUAL(s.count, 2);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ADDRESS, .value = 0x1010});
	context(&s, 2, 0x8480);
	CU_ASSERT_EQUAL_FATAL(s.count, 5);
	expect(&s, 2, CSG_TRACK_EXCEPTION, 40);
	CU_ASSERT_EQUAL(s.events[2].number, 14);
	CU_ASSERT_EQUAL(s.events[2].address, 0x1010);
	expect(&s, 3, CSG_TRACK_CONTEXT, 60);
	CU_ASSERT_EQUAL(s.events[3].context.el, CSG_EL2);
	expect(&s, 4, CSG_TRACK_ADDRESS, 60);
	CU_ASSERT_EQUAL(s.events[4].address, 0x8480);
	end(&s);
}

static void a_context_before_an_exceptions_address_has_the_exceptions_index(void)
{
	struct story s;

	begin(&s, 0);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_EXCEPTION});
	context(&s, 0, 0x1000);
	expect(&s, 0, CSG_TRACK_CONTEXT, 30);
	expect(&s, 1, CSG_TRACK_EXCEPTION, 30);
	end(&s);
}

static void ids_that_a_packet_leaves_out_are_unchanged(void)
{
	struct story s;

	begin(&s, 0);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_CONTEXT,
				     .context = {.updated = true,
						 .ns = true,
						 .has_vmid = true,
						 .vmid = 4103,
						 .has_contextid = true,
						 .contextid = 7}});
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_CONTEXT,
				     .context = {.updated = true, .ns = true, .el = 1}});
	CU_ASSERT_EQUAL(s.events[1].context.el, CSG_EL1);
	CU_ASSERT(s.events[1].context.has_vctx && s.events[1].context.has_contextidr);
	CU_ASSERT_EQUAL(s.events[1].context.vctx, 4103);
	CU_ASSERT_EQUAL(s.events[1].context.contextidr_el1, 7);
	end(&s);
}

static void a_context_packet_without_payload_says_nothing(void)
{
	struct story s;

	begin(&s, 0);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_CONTEXT});
	CU_ASSERT_EQUAL(s.count, 0);
	end(&s);
}

static void after_overflow_nothing_is_known_until_the_next_sync(void)
{
	struct story s;

	begin(&s, 0);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_OVERFLOW});
	expect(&s, 0, CSG_TRACK_GAP, 30);
	CU_ASSERT_EQUAL(s.events[0].gap, CSG_GAP_OVERFLOW);
	CU_ASSERT_EQUAL(s.events[0].context.el, CSG_EL_UNKNOWN);
	context(&s, 1, 0x1000);
	CU_ASSERT_EQUAL(s.count, 1);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ASYNC});
	expect(&s, 1, CSG_TRACK_SYNC, 50);
	end(&s);
}

static void what_no_unit_sends_is_a_bad_packet(void)
{
	static const struct csg_packet bad[] = {
		{.kind = CSG_PACKET_BAD},
		{.kind = CSG_PACKET_COMMIT, .n = 1},
		{.kind = CSG_PACKET_CANCEL, .n = 1},
		{.kind = CSG_PACKET_CANCEL, .atoms = 1, .mispredicts = true},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct story s;

		begin(&s, 0);
		feed(&s, bad[i]);
		expect(&s, 0, CSG_TRACK_GAP, 30);
		CU_ASSERT_EQUAL(s.events[0].gap, CSG_GAP_BAD_PACKET);
		end(&s);
	}
}

static void a_commit_before_an_exceptions_address_is_bad(void)
{
	struct story s;

	begin(&s, 8);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ATOMS, .atoms = 1});
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_EXCEPTION});
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_COMMIT, .n = 1});
	expect(&s, 0, CSG_TRACK_GAP, 50);
	end(&s);
}

static void so_is_a_cancel(void)
{
	struct story s;

	begin(&s, 16);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ATOMS, .atoms = 3});
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_CANCEL, .n = 1});
	CU_ASSERT_EQUAL(s.count, 0);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_EXCEPTION, .number = 3});
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_CANCEL, .n = 1});
	expect(&s, 0, CSG_TRACK_GAP, s.at);
	CU_ASSERT_EQUAL(s.events[0].gap, CSG_GAP_BAD_PACKET);
	end(&s);
}

static void a_context_on_a_cancelled_path_never_was(void)
{
	struct story s;

	begin(&s, 8);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ATOMS, .atoms = 1});
	context(&s, 1, 0x1000);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ATOMS, .atoms = 1});
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_CANCEL, .n = 2});
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_TIMESTAMP, .value = 5});
	CU_ASSERT_EQUAL_FATAL(s.count, 1);
	CU_ASSERT_EQUAL(s.events[0].kind, CSG_TRACK_TIMESTAMP);
	end(&s);
}

static void a_cancelled_path_leaves_the_context_as_it_was(void)
{
	struct story s;

	begin(&s, 8);
	context(&s, 1, 0x1000);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_ATOMS, .atoms = 1});
	context(&s, 2, 0x2000);
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_CANCEL, .n = 1});
	s.count = 0;
	feed(&s, (struct csg_packet){.kind = CSG_PACKET_TRACE_ON});
	CU_ASSERT_EQUAL_FATAL(s.count, 1);
	CU_ASSERT_EQUAL(s.events[0].kind, CSG_TRACK_TRACE_ON);
	CU_ASSERT_EQUAL(s.events[0].context.el, CSG_EL1);
	end(&s);
}

CSG_SUITE(scan, packets, CSG_TEST(nothing_counts_before_sync_and_trace_info),
	  CSG_TEST(an_exception_waits_for_its_address_and_then_for_its_target),
	  CSG_TEST(a_context_before_an_exceptions_address_has_the_exceptions_index),
	  CSG_TEST(ids_that_a_packet_leaves_out_are_unchanged),
	  CSG_TEST(a_context_packet_without_payload_says_nothing),
	  CSG_TEST(after_overflow_nothing_is_known_until_the_next_sync),
	  CSG_TEST(what_no_unit_sends_is_a_bad_packet),
	  CSG_TEST(a_commit_before_an_exceptions_address_is_bad), CSG_TEST(so_is_a_cancel),
	  CSG_TEST(a_context_on_a_cancelled_path_never_was),
	  CSG_TEST(a_cancelled_path_leaves_the_context_as_it_was));

/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "capture.h"
#include "csguest/context.h"
#include "dump/listing.h"

static struct csg_source source = {.trace_id = 0x10, .queue = 2, .cpu = 3};
static const struct csg_owner host = {
	.world = CSG_WORLD_HOST, .privilege = CSG_KERNEL, .vcpu = -1, .pid = 7, .tid = 8};

/* The element's line is this. */
static void is(struct csg_element e, const char *line)
{
	struct csg_out *out = capture_begin();

	csg_listing_element(out, &source, &e, &host, 1002003004);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, line);
	if (strcmp(captured, line))
		fprintf(stderr, "%s", captured);
}

static void ranges_read_as_in_opencsd(void)
{
	is((struct csg_element){.kind = CSG_ELEMENT_RANGE,
				.index = 1692,
				.start = 0xffffffc000096a00,
				.end = 0xffffffc000096a10,
				.instructions = 4,
				.last_size = 4,
				.isa = CSG_ISA_A64,
				.taken = true,
				.branch = CSG_BRANCH_BARRIER,
				.el = 1},
	   "Idx:1692; ID:10; range(0xffffffc000096a00:[0xffffffc000096a10] num_i(4) last_sz(4) "
	   "(ISA=A64) E barrier); EL1; host kernel pid 7 tid 8\n");
	is((struct csg_element){.kind = CSG_ELEMENT_RANGE,
				.start = 0x10,
				.end = 0x12,
				.instructions = 1,
				.last_size = 2,
				.isa = CSG_ISA_T32,
				.branch = CSG_BRANCH_DIRECT,
				.conditional = true,
				.el = CSG_EL_UNKNOWN},
	   "Idx:0; ID:10; range(0x10:[0x12] num_i(1) last_sz(2) (ISA=T32) N branch <cond>); EL?; "
	   "host "
	   "kernel pid 7 tid 8\n");
	is((struct csg_element){.kind = CSG_ELEMENT_RANGE_NOPATH,
				.start = 0x10,
				.end = 0x40,
				.instructions = 9},
	   "Idx:0; ID:10; nopath(0x10:[0x40] num_i(9)); EL0; host kernel pid 7 tid 8\n");
}

static void contexts_show_what_the_unit_traces(void)
{
	struct csg_element e = {.kind = CSG_ELEMENT_CONTEXT,
				.start = 0x1f,
				.end = 0x2e,
				.el = 2,
				.info = CSG_CONTEXT_HAS_CONTEXTIDR | CSG_CONTEXT_HAS_VCTX |
					CSG_CONTEXT_AARCH64 |
					CSG_SECURE << CSG_CONTEXT_SECURITY_SHIFT};

	is(e, "Idx:0; ID:10; context(secure 64-bit); EL2; host kernel pid 7 tid 8\n");
	source.trcconfigr = 1u << 6 | 1u << 7;
	is(e,
	   "Idx:0; ID:10; context(secure 64-bit VMID=0x2e CONTEXTIDR_EL1=0x1f); EL2; host kernel "
	   "pid 7 tid 8\n");
	source.trcconfigr = 1u << 7 | 1u << 15;
	is(e, "Idx:0; ID:10; context(secure 64-bit CONTEXTIDR_EL2=0x2e); EL2; host kernel pid 7 "
	      "tid 8\n");
	e.info = CSG_NON_SECURE << CSG_CONTEXT_SECURITY_SHIFT;
	is(e, "Idx:0; ID:10; context(non-secure 32-bit); EL2; host kernel pid 7 tid 8\n");
	source.trcconfigr = 0;
}

static void gaps_say_what_is_missing_and_where(void)
{
	is((struct csg_element){.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_NO_CODE, .start = 0x1000},
	   "Idx:0; ID:10; gap(no code at 0x1000); EL0; host kernel pid 7 tid 8\n");
	is((struct csg_element){.kind = CSG_ELEMENT_GAP, .gap = CSG_GAP_BAD_PACKET, .info = 12},
	   "Idx:0; ID:10; gap(bad packet, 12 bytes); EL0; host kernel pid 7 tid 8\n");
}

static void every_other_kind_has_its_values(void)
{
	is((struct csg_element){.kind = CSG_ELEMENT_EXCEPTION,
				.info = 0xe,
				.end = 0x44,
				.has_return = true},
	   "Idx:0; ID:10; exception(number 0x0e return 0x44); EL0; host kernel pid 7 tid 8\n");
	is((struct csg_element){.kind = CSG_ELEMENT_EXCEPTION_RET},
	   "Idx:0; ID:10; eret(); EL0; host kernel pid 7 tid 8\n");
	is((struct csg_element){.kind = CSG_ELEMENT_TIMESTAMP,
				.timestamp = 0x99,
				.cycles = 5,
				.has_cycles = true},
	   "Idx:0; ID:10; timestamp(0x99 cycles 5 time 1.002003004); EL0; host kernel pid 7 tid "
	   "8\n");
	is((struct csg_element){.kind = CSG_ELEMENT_EVENT, .info = 2},
	   "Idx:0; ID:10; event(2); EL0; host kernel pid 7 tid 8\n");
	is((struct csg_element){.kind = CSG_ELEMENT_INSTRUMENTATION, .timestamp = 0x12, .info = 1},
	   "Idx:0; ID:10; ite(0x12 at EL1); EL0; host kernel pid 7 tid 8\n");
}

static void owner_is(struct csg_owner owner, const char *text)
{
	struct csg_out *out = capture_begin();

	csg_listing_owner(out, &owner);
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured, text);
}

static void owners_are_reported_as_far_as_they_are_known(void)
{
	struct csg_owner unknown = CSG_OWNER_UNKNOWN;

	owner_is(unknown, "unknown: no context since the last gap");
	owner_is(
		(struct csg_owner){
			.world = CSG_WORLD_GUEST, .vm = -1, .vcpu = -1, .pid = -1, .tid = -1},
		"guest");
	owner_is((struct csg_owner){.world = CSG_WORLD_GUEST,
				    .privilege = CSG_USER,
				    .vm = 42,
				    .vcpu = 0,
				    .pid = 5,
				    .tid = 6},
		 "guest vm 42 vcpu 0 user pid 5 tid 6");
}

static void streams_and_packets_have_their_lines(void)
{
	struct csg_source ete = {.trace_id = 1,
				 .cpu = CSG_NO_CPU,
				 .protocol = CSG_PROTOCOL_ETE,
				 .name = "ETE_0\x1b"};
	struct csg_out *out = capture_begin();

	csg_listing_stream(out, &source, 4);
	csg_listing_stream(out, &ete, 0);
	csg_listing_packet(out, &source, 86, "I_ASYNC : Alignment Synchronisation.");
	capture_end(out);
	CU_ASSERT_STRING_EQUAL(captured,
			       "# stream 4: queue 2, ID 0x10, CPU 3, ETMv4\n"
			       "# stream 0: queue 0, ID 0x01, ETE, ETE_0?\n"
			       "Idx:86; ID:10; packet(I_ASYNC : Alignment Synchronisation.)\n");
}

CSG_SUITE(dump, listing, CSG_TEST(ranges_read_as_in_opencsd),
	  CSG_TEST(contexts_show_what_the_unit_traces),
	  CSG_TEST(gaps_say_what_is_missing_and_where), CSG_TEST(every_other_kind_has_its_values),
	  CSG_TEST(owners_are_reported_as_far_as_they_are_known),
	  CSG_TEST(streams_and_packets_have_their_lines));

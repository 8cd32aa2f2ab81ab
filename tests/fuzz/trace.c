/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Trace bytes: demultiplexer, scan, world and flow on OpenCSD as session/run/stream.c runs them,
 * with code that looks like code.  The first bytes choose the trace unit (struct head), the rest is
 * trace.  OpenCSD itself is not built with sanitizers, so of its own faults only crashes and hangs
 * are found; those it has, the scan must keep from it.
 */
#include <stdbool.h>

#include "csguest/error.h"
#include "flow/flow.h"
#include "fuzz/input.h"
#include "scan/demux.h"
#include "scan/scan.h"
#include "world/world.h"

struct head {
	/* bits 0-1 framing, 2 ETE, 3 code is missing here and there, 4 frames are joined */
	uint8_t kind;
	uint8_t config;	  /* TRCCONFIGR: 0 CID, 1 VMID, 2 VMIDOPT, 3 TS, 4 RS, 5 CCI, 6 BB */
	uint8_t idr8;	  /* TRCIDR8.MAXSPEC */
	uint8_t trace_id; /* CoreSight trace ID */
};

#define PAGE 4096
static uint32_t page[PAGE / 4];
static bool holes;

/* Instructions of every kind that OpenCSD tells apart, few without a waypoint in a row. */
static void make_page(void)
{
	static const uint32_t kinds[] = {
		0xd503201f, /* nop */
		0x14000010, /* b .+64 */
		0x54ffff81, /* b.ne .-16 */
		0x94000021, /* bl .+132 */
		0xd65f03c0, /* ret */
		0xd503201f, /* nop */
		0xd61f0200, /* br x16 */
		0xd63f0200, /* blr x16 */
		0xd69f03e0, /* eret */
		0xd4000001, /* svc #0 */
		0xd5033fdf, /* isb */
		0xb4000041, /* cbz x1, .+8 */
		0xd503207f, /* wfi */
		0x37080041, /* tbnz w1, #1, .+8 */
	};

	for (uint32_t i = 0, seed = 1; i < PAGE / 4; i++) {
		seed = seed * 1103515245 + 12345;
		page[i] = kinds[(seed >> 16) % (sizeof(kinds) / sizeof(kinds[0]))];
	}
}

static int read_code(void *arg, uint32_t owner, uint64_t address, const uint8_t **bytes,
		     size_t *len)
{
	(void)arg;
	if (!owner)
		return -CSG_E_DECODE;
	if (holes && (address >> 12) % 4 == 3)
		return -CSG_E_NO_IMAGE;
	/* Islands of 64 KB: endless code could be walked without end. */
	if ((address >> 16) % 2)
		return -CSG_E_NO_IMAGE;
	*bytes = (const uint8_t *)page + address % PAGE;
	*len = PAGE - address % PAGE;
	return 0;
}

static uint64_t next_async(void *arg, uint64_t index)
{
	struct csg_scan **scan = arg;

	return csg_scan_async(*scan, index);
}

struct both {
	struct csg_scan *scan;
	struct csg_world_segments world;
	struct csg_flow *flow;
	struct csg_demux demux;
};

static void on_track(void *arg, const struct csg_track_event *event)
{
	struct both *both = arg;

	fuzz_require(event->kind <= CSG_TRACK_ATOM, "a track event is of a kind there is");
	csg_world_event(&both->world, event);
}

/* Hands the segments to the flow, owners being numbered by their world: 0 is nobody. */
static void pass_segments(struct both *both)
{
	struct csg_segment s;
	bool bad;

	csg_world_settle(&both->world);
	while (csg_world_next(&both->world, &s)) {
		bad = s.gap == CSG_GAP_BAD_PACKET;
		if (bad || (s.gap == CSG_GAP_NO_SYNC && s.lost))
			csg_flow_gap(both->flow, s.index, s.gap, s.lost, bad);
		csg_flow_segment(both->flow, s.index, s.at_context, s.owner.world);
	}
}

/* The first pass: what ran where, all of it before any code is read. */
static void scan(struct both *both, const uint8_t *data, size_t size)
{
	const struct csg_track_event gap = {
		.kind = CSG_TRACK_GAP, .gap = CSG_GAP_BUFFER, .context = CSG_CONTEXT_UNKNOWN};
	struct csg_demux demux = both->demux;
	struct csg_track_event piece;
	struct csg_run run;

	csg_demux_input(&demux, 0, data, size);
	while (csg_demux_next(&demux, &run)) {
		if (!run.reset) {
			csg_scan_feed(both->scan, &run);
			continue;
		}
		piece = gap;
		piece.index = run.index;
		csg_scan_end(both->scan, run.index);
		csg_scan_restart(both->scan);
		csg_world_event(&both->world, &piece);
	}
	csg_scan_end(both->scan, size);
	pass_segments(both);
}

static void take(struct csg_flow *flow)
{
	const struct csg_element *e;
	size_t n;

	e = csg_flow_elements(flow, &n);
	for (size_t i = 0; i < n; i++) {
		fuzz_require(e[i].kind < CSG_ELEMENT_COUNT && e[i].gap < CSG_GAP_COUNT,
			     "an element is of a kind there is");
		fuzz_require(e[i].kind != CSG_ELEMENT_RANGE || e[i].instructions,
			     "a range has instructions");
	}
	csg_flow_take(flow);
}

static void end(struct csg_flow *flow, uint64_t index)
{
	while (!csg_flow_end(flow, index))
		take(flow);
	take(flow);
}

static void feed(struct csg_flow *flow, const struct csg_run *run)
{
	size_t done = 0, used, waiting;

	if (run->reset) {
		end(flow, run->index);
		csg_flow_restart(flow, run->index);
		return;
	}
	while (done < run->n) {
		const struct csg_run rest = csg_run_part(run, done, run->n - done);

		used = csg_flow_feed(flow, &rest);
		csg_flow_elements(flow, &waiting);
		fuzz_require(used || waiting, "the flow makes progress");
		take(flow);
		done += used;
	}
}

/* The second pass. */
static void decode(struct both *both, const uint8_t *data, size_t size)
{
	struct csg_demux demux = both->demux;
	struct csg_run run;

	csg_demux_input(&demux, 0, data, size);
	while (csg_demux_next(&demux, &run))
		feed(both->flow, &run);
	end(both->flow, size);
}

static struct csg_source source_of(const struct head *head)
{
	static const uint32_t bits[] = {1u << 6,  1u << 7, 1u << 15, 1u << 11,
					1u << 12, 1u << 4, 1u << 3};
	struct csg_source source = {
		.sink = CSG_NO_SINK,
		.trace_id = head->trace_id % 0x6f + 1,
		.protocol = head->kind & 4 ? CSG_PROTOCOL_ETE : CSG_PROTOCOL_ETMV4,
		.trcconfigr = 1,
		.trcidr0 = 0x28000ea1,
		.trcidr1 = head->kind & 4 ? 0x4100fff3 : 0x4100f403,
		.trcidr2 = 0xc0001088,
		.trcidr8 = head->idr8 % 64,
		.trcauthstatus = 0xcc,
		.trcdevarch = head->kind & 4 ? 0x47705a13 : 0x47704a13,
		.ts_source = CSG_TS_SOURCE_UNKNOWN,
	};

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (head->config >> i & 1)
			source.trcconfigr |= bits[i];
	source.trctraceidr = source.trace_id;
	return source;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csg_source source;
	struct both both;
	const struct csg_flow_code code = {
		.arg = &both.scan, .read = read_code, .async = next_async};
	struct head head;

	if (size < sizeof(head))
		return 0;
	if (!page[0])
		make_page();
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	size -= sizeof(head);
	holes = head.kind & 8;
	source = source_of(&head);
	memset(&both, 0, sizeof(both));
	csg_demux_init(&both.demux, (head.kind & 3) % 3, source.trace_id);
	both.demux.joins = head.kind & 16;
	csg_world_init(&both.world, CSG_HV_KVM_VHE, csg_source_vctx(&source));
	if (!csg_flow_create(&both.flow, CSG_ENGINE_OPENCSD, &source, &code, &fuzz_sink) &&
	    !csg_scan_create(&both.scan, &source, on_track, &both)) {
		scan(&both, data, size);
		decode(&both, data, size);
	}
	csg_scan_destroy(both.scan);
	csg_flow_destroy(both.flow);
	csg_world_fini(&both.world);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The track is what OpenCSD's decoder says of contexts, exceptions, gaps and time when it commits
 * its elements; random walks hold them against each other.
 */
#include <stdlib.h>

#include "csguest/element.h"
#include "scan/ocsd.h"
#include "scan/scan.h"
#include "suite.h"
#include "walk.h"

#define EVENTS 20000
#define SEEDS 60

struct track {
	struct csg_track_event events[EVENTS];
	size_t count;
};

static void record(void *arg, const struct csg_track_event *event)
{
	struct track *track = arg;

	if (track->count < EVENTS)
		track->events[track->count++] = *event;
}

static void scan_in_pieces(const struct walk *walk, size_t piece, struct track *track)
{
	struct csg_scan *scan;

	track->count = 0;
	CU_ASSERT_EQUAL_FATAL(csg_scan_create(&scan, &walk->source, record, track), 0);
	for (size_t at = 0; at < walk->etm.out.size;) {
		size_t n = walk->etm.out.size - at < piece ? walk->etm.out.size - at : piece;

		csg_scan_feed(scan, CSG_RUN(at, walk->etm.out.data + at, n));
		at += n;
	}
	csg_scan_end(scan, walk->etm.out.size);
	csg_scan_destroy(scan);
}

/* --- the same by OpenCSD's full decoder without memory, which commits and cancels itself --- */

struct oracle {
	struct csg_context context;
	bool has_contextidr, has_vctx;
	struct track *track;
};

static uint8_t security_of(ocsd_sec_level level)
{
	static const uint8_t of[] = {[ocsd_sec_secure] = CSG_SECURE,
				     [ocsd_sec_nonsecure] = CSG_NON_SECURE,
				     [ocsd_sec_root] = CSG_ROOT,
				     [ocsd_sec_realm] = CSG_REALM};

	return of[level];
}

static void state_context(struct oracle *o, const ocsd_pe_context *from)
{
	o->context.el = (uint8_t)from->exception_level;
	o->context.security = security_of(from->security_level);
	o->context.aarch64 = from->bits64;
	if (from->ctxt_id_valid && o->has_contextidr) {
		o->context.has_contextidr = true;
		o->context.contextidr_el1 = from->context_id;
	}
	if (from->vmid_valid && o->has_vctx) {
		o->context.has_vctx = true;
		o->context.vctx = from->vmid;
	}
}

static void say(struct oracle *o, struct csg_track_event event)
{
	event.context = o->context;
	record(o->track, &event);
}

static bool on_element(void *arg, uint64_t index, const ocsd_generic_trace_elem *e)
{
	struct oracle *o = arg;

	switch (e->elem_type) {
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		o->context = CSG_CONTEXT_UNKNOWN;
		if (e->unsync_eot_info == UNSYNC_OVERFLOW || e->unsync_eot_info == UNSYNC_DISCARD)
			say(o, (struct csg_track_event){.kind = CSG_TRACK_GAP,
							.index = index,
							.gap = e->unsync_eot_info == UNSYNC_OVERFLOW
								       ? CSG_GAP_OVERFLOW
								       : CSG_GAP_DISCARD});
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		say(o, (struct csg_track_event){.kind = CSG_TRACK_TRACE_ON, .index = index});
		break;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		state_context(o, &e->context);
		say(o, (struct csg_track_event){.kind = CSG_TRACK_CONTEXT, .index = index});
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		say(o, (struct csg_track_event){.kind = CSG_TRACK_EXCEPTION,
						.index = index,
						.number = (uint16_t)e->exception_number,
						.address = e->excep_ret_addr ? e->en_addr : 0});
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		say(o, (struct csg_track_event){
			       .kind = CSG_TRACK_TIMESTAMP, .index = index, .value = e->timestamp});
		break;
	default:
		break;
	}
	return true;
}

static uint32_t no_code(void *arg, uint64_t address, ocsd_mem_space_acc_t space, uint32_t want,
			uint8_t *out)
{
	(void)arg;
	(void)address;
	(void)space;
	(void)want;
	(void)out;
	return 0;
}

static void scan_by_elements(const struct walk *walk, struct track *track)
{
	struct oracle oracle = {
		.context = CSG_CONTEXT_UNKNOWN,
		.has_contextidr = walk->source.trcconfigr & 1u << 6,
		.has_vctx = walk->source.trcconfigr & 1u << 7,
		.track = track,
	};
	struct csg_ocsd_client client = {.arg = &oracle, .element = on_element, .memory = no_code};
	struct csg_ocsd *tree;
	uint32_t used;

	track->count = 0;
	CU_ASSERT_EQUAL_FATAL(csg_ocsd_create(&tree, &walk->source, CSG_OCSD_FULL, &client, NULL),
			      0);
	csg_ocsd_data(tree, 0, walk->etm.out.data, (uint32_t)walk->etm.out.size, &used);
	csg_ocsd_end(tree);
	csg_ocsd_destroy(tree);
}

/* What attribution rests on; where the flow goes is only as known as code is. */
static bool counts(const struct csg_track_event *event)
{
	return event->kind != CSG_TRACK_ADDRESS && event->kind != CSG_TRACK_ERET &&
	       event->kind != CSG_TRACK_SYNC && event->kind != CSG_TRACK_ATOM;
}

static const struct csg_track_event *next(const struct track *track, size_t *at)
{
	while (*at < track->count && !counts(&track->events[*at]))
		(*at)++;
	return *at < track->count ? &track->events[(*at)++] : NULL;
}

static bool same_context(const struct csg_context *a, const struct csg_context *b)
{
	return a->el == b->el && a->security == b->security && a->aarch64 == b->aarch64 &&
	       a->has_contextidr == b->has_contextidr && a->has_vctx == b->has_vctx &&
	       a->contextidr_el1 == b->contextidr_el1 && a->vctx == b->vctx;
}

static bool same_event(const struct csg_track_event *a, const struct csg_track_event *b)
{
	if (a->kind == CSG_TRACK_GAP)
		return b->kind == CSG_TRACK_GAP && a->index == b->index && a->gap == b->gap;
	return a->kind == b->kind && a->index == b->index && a->address == b->address &&
	       a->value == b->value && a->number == b->number &&
	       same_context(&a->context, &b->context);
}

/*
 * Elements at the very end of the trace may stay undecided in the decoder, so the shorter
 * track has to be a beginning of the longer, short of it by a few events at most.
 */
static bool same_track(const struct track *a, const struct track *b)
{
	size_t at_a = 0, at_b = 0;

	for (;;) {
		const struct csg_track_event *x = next(a, &at_a), *y = next(b, &at_b);

		if (!x || !y)
			return a->count - at_a <= 3 && b->count - at_b <= 3;
		if (!same_event(x, y)) {
			fprintf(stderr,
				"kind %d/%d index %llu/%llu address %llx/%llx value %llx/%llx el "
				"%d/%d\n",
				x->kind, y->kind, (unsigned long long)x->index,
				(unsigned long long)y->index, (unsigned long long)x->address,
				(unsigned long long)y->address, (unsigned long long)x->value,
				(unsigned long long)y->value, x->context.el, y->context.el);
			return false;
		}
	}
}

static void the_track_is_what_opencsd_commits(void)
{
	static struct walk walk;
	struct track *packets = malloc(sizeof(*packets)), *elements = malloc(sizeof(*elements));

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		CU_ASSERT_FATAL(walk_init(&walk, seed, seed % 4 == 1, seed % 3 == 0, 600));
		scan_in_pieces(&walk, SIZE_MAX, packets);
		scan_by_elements(&walk, elements);
		CU_ASSERT(packets->count > 50);
		if (!same_track(packets, elements)) {
			fprintf(stderr, "seed %llu: tracks differ\n", (unsigned long long)seed);
			CU_FAIL("tracks differ");
		}
		walk_fini(&walk);
	}
	free(packets);
	free(elements);
}

/* Of a unit that does not speculate; returns how many there are. */
static size_t check_atoms(const struct walk *walk, const struct track *track)
{
	size_t n = 0;

	for (size_t i = 0; i < track->count; i++) {
		const struct csg_track_event *e = &track->events[i];

		if (e->kind != CSG_TRACK_ATOM)
			continue;
		n++;
		CU_ASSERT_FATAL(i > 0);
		CU_ASSERT_EQUAL(track->events[i - 1].kind, CSG_TRACK_TIMESTAMP);
		CU_ASSERT(walk->etm.out.data[e->index] >= 0xc0);
		CU_ASSERT(!walk->source.trcidr8);
	}
	return n;
}

static void an_atom_after_a_timestamp_is_an_event(void)
{
	static struct walk walk;
	struct track *track = malloc(sizeof(*track));
	size_t n = 0, speculating = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		CU_ASSERT_FATAL(walk_init_any(&walk, seed, 400, true, true));
		scan_in_pieces(&walk, SIZE_MAX, track);
		n += check_atoms(&walk, track);
		speculating += walk.source.trcidr8 != 0;
		walk_fini(&walk);
	}
	CU_ASSERT(n > SEEDS);
	CU_ASSERT(speculating > 0);
	free(track);
}

/* Timestamps before a marker, and contexts that nothing was executed in, the decoder keeps to
 * itself. */
static bool tells_all(const struct csg_enc_model *m)
{
	return !m->marker && !m->exclude_el && !m->exclude_host && !m->exclude_guest;
}

/* Before 1.6.1 OpenCSD does not commit what cycle counts say. */
static void the_track_of_a_speculating_unit_is_what_opencsd_commits(void)
{
	static struct walk walk;
	struct track *packets = malloc(sizeof(*packets)), *elements = malloc(sizeof(*elements));

	for (uint64_t seed = 1; ocsd_get_version() >= 0x10601 && seed <= 10 * SEEDS; seed++) {
		CU_ASSERT_FATAL(walk_init_any(&walk, seed, 400, true, true));
		scan_in_pieces(&walk, SIZE_MAX, packets);
		scan_by_elements(&walk, elements);
		if (tells_all(&walk.model) && !same_track(packets, elements)) {
			fprintf(stderr, "seed %llu: tracks differ\n", (unsigned long long)seed);
			CU_FAIL("tracks differ");
		}
		walk_fini(&walk);
	}
	free(packets);
	free(elements);
}

static void it_does_not_matter_how_bytes_are_cut(void)
{
	static struct walk walk;
	struct track *whole = malloc(sizeof(*whole)), *cut = malloc(sizeof(*cut));

	for (uint64_t seed = 1; seed <= 10; seed++) {
		CU_ASSERT_FATAL(walk_init(&walk, seed, seed & 1, true, 300));
		scan_in_pieces(&walk, SIZE_MAX, whole);
		scan_in_pieces(&walk, 1 + seed % 3, cut);
		CU_ASSERT_EQUAL_FATAL(whole->count, cut->count);
		for (size_t i = 0; i < whole->count; i++)
			CU_ASSERT(same_event(&whole->events[i], &cut->events[i]));
		walk_fini(&walk);
	}
	free(whole);
	free(cut);
}

static void bytes_before_the_first_sync_are_a_gap_of_their_length(void)
{
	static struct walk walk;
	struct track *track = calloc(1, sizeof(*track));
	static const uint8_t noise[90] = {[0 ... 89] = 0xf7};
	struct csg_scan *scan;

	CU_ASSERT_FATAL(walk_init(&walk, 5, false, false, 50));
	CU_ASSERT_EQUAL_FATAL(csg_scan_create(&scan, &walk.source, record, track), 0);
	csg_scan_restart(scan);
	csg_scan_feed(scan, CSG_RUN(1000, noise, sizeof(noise)));
	csg_scan_feed(scan, CSG_RUN(1090, walk.etm.out.data, walk.etm.out.size));
	CU_ASSERT_EQUAL(track->events[0].kind, CSG_TRACK_SYNC);
	CU_ASSERT_EQUAL(track->events[0].gap, CSG_GAP_NO_SYNC);
	CU_ASSERT_EQUAL(track->events[0].index, 1090);
	CU_ASSERT_EQUAL(track->events[0].value, 90);
	csg_scan_destroy(scan);
	walk_fini(&walk);
	free(track);
}

static void a_trace_without_any_sync_is_one_gap(void)
{
	static struct walk walk;
	struct track *track = calloc(1, sizeof(*track));
	static const uint8_t noise[64] = {[0 ... 63] = 0xf7};
	struct csg_scan *scan;

	CU_ASSERT_FATAL(walk_init(&walk, 5, false, false, 10));
	CU_ASSERT_EQUAL_FATAL(csg_scan_create(&scan, &walk.source, record, track), 0);
	csg_scan_restart(scan);
	csg_scan_feed(scan, CSG_RUN(0, noise, sizeof(noise)));
	csg_scan_end(scan, sizeof(noise));
	CU_ASSERT_EQUAL_FATAL(track->count, 1);
	CU_ASSERT_EQUAL(track->events[0].value, sizeof(noise));
	csg_scan_destroy(scan);
	walk_fini(&walk);
	free(track);
}

/* A Commit without speculation; the first zero of the A-Sync after it would be its count. */
static void after_a_bad_packet_an_a_sync_inside_of_it_counts(void)
{
	static struct walk walk;
	struct track *track = calloc(1, sizeof(*track));
	static const uint8_t bad = 0x2d;
	struct csg_scan *scan;
	size_t size, count;

	CU_ASSERT_FATAL(walk_init(&walk, 5, false, false, 50));
	size = walk.etm.out.size;
	CU_ASSERT_EQUAL_FATAL(csg_scan_create(&scan, &walk.source, record, track), 0);
	csg_scan_feed(scan, CSG_RUN(0, walk.etm.out.data, size));
	count = track->count;
	csg_scan_feed(scan, CSG_RUN(size, &bad, 1));
	csg_scan_feed(scan, CSG_RUN(size + 1, walk.etm.out.data, size));
	CU_ASSERT_EQUAL_FATAL(track->count, 2 * count + 1);
	CU_ASSERT_EQUAL(track->events[count].kind, CSG_TRACK_GAP);
	CU_ASSERT_EQUAL(track->events[count].gap, CSG_GAP_BAD_PACKET);
	CU_ASSERT_EQUAL(track->events[count].index, size);
	CU_ASSERT_EQUAL(track->events[count + 1].kind, CSG_TRACK_SYNC);
	CU_ASSERT_EQUAL(track->events[count + 1].index, size + 1);
	CU_ASSERT_EQUAL(track->events[count + 1].value, 1);
	csg_scan_destroy(scan);
	walk_fini(&walk);
	free(track);
}

/* Events of atoms that no timestamp comes before. */
struct strays {
	enum csg_track_kind last;
	size_t atoms, n;
};

static void count_strays(void *arg, const struct csg_track_event *event)
{
	struct strays *s = arg;

	s->n += event->kind == CSG_TRACK_ATOM && s->last != CSG_TRACK_TIMESTAMP;
	s->last = (enum csg_track_kind)event->kind;
}

static void count_atoms(void *arg)
{
	((struct strays *)arg)->atoms++;
}

/* Atoms are reported where they are asked for, of a unit that does not speculate. */
static void atoms_are_reported_to_who_asks(void)
{
	for (uint16_t max_spec = 0; max_spec < 2; max_spec++) {
		static struct walk walk;
		struct strays strays = {0};
		struct csg_scan *scan;

		CU_ASSERT_FATAL(walk_init(&walk, 5, false, false, 50));
		walk.source.trcidr8 = max_spec;
		CU_ASSERT_EQUAL_FATAL(csg_scan_create(&scan, &walk.source, count_strays, &strays),
				      0);
		csg_scan_watch_atoms(scan, count_atoms);
		csg_scan_feed(scan, CSG_RUN(0, walk.etm.out.data, walk.etm.out.size));
		CU_ASSERT_EQUAL(strays.atoms > 0, max_spec == 0);
		CU_ASSERT_EQUAL(strays.n, 0);
		csg_scan_destroy(scan);
		walk_fini(&walk);
	}
}

CSG_SUITE(scan, scan, CSG_TEST(the_track_is_what_opencsd_commits),
	  CSG_TEST(the_track_of_a_speculating_unit_is_what_opencsd_commits),
	  CSG_TEST(an_atom_after_a_timestamp_is_an_event),
	  CSG_TEST(it_does_not_matter_how_bytes_are_cut),
	  CSG_TEST(bytes_before_the_first_sync_are_a_gap_of_their_length),
	  CSG_TEST(atoms_are_reported_to_who_asks), CSG_TEST(a_trace_without_any_sync_is_one_gap),
	  CSG_TEST(after_a_bad_packet_an_a_sync_inside_of_it_counts));

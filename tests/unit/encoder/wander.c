/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The property: whatever was executed, and however it is traced, OpenCSD decodes the
 * trace to exactly the executed path.  CSG_ENC_SEEDS=n tries n seeds instead of the
 * usual few hundred, CSG_ENC_SEED=n one only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "any_model.h"
#include "encoder/elems.h"
#include "encoder/etm.h"
#include "encoder/frame.h"
#include "encoder/wander.h"
#include "suite.h"

#define USUAL 400

/* Debian 12's OpenCSD decodes speculation wrongly, and knows no ITE. */
static bool new_opencsd(void)
{
	return csg_enc_decode_version() >= 0x10800;
}

static int decode(const struct csg_enc_model *m, const struct csg_enc_etm *etm,
		  struct csg_enc_wander *w, struct csg_enc_random *r, struct csg_enc_elems *out)
{
	struct csg_enc_decode d = {
		.model = m,
		.data = etm->out.data,
		.size = etm->out.size,
		.read = csg_enc_wander_read,
		.arg = w,
	};
	struct csg_enc_frames f = {0};
	int ret;

	if (any_dice(r)) {
		struct csg_enc_source_bytes s[2] = {
			{m->trace_id, etm->out.data, etm->out.size},
			{(uint8_t)(m->trace_id + 1), etm->out.data, etm->out.size / 2},
		};

		csg_enc_frames_barrier(&f);
		csg_enc_frames_mix(&f, s, 2, 40, csg_enc_random_next(r));
		d.formatted = true;
		d.data = f.out.data;
		d.size = f.out.size;
	}
	ret = csg_enc_decode(&d, out);
	csg_enc_frames_fini(&f);
	return ret;
}

/* Where the n-th synchronisation after the first begins; 0: there is none. */
static size_t find_sync(const struct csg_enc_bytes *b, unsigned n)
{
	static const uint8_t async[12] = {[11] = 0x80};

	for (size_t at = 1; at + 12 <= b->size; at++)
		if (!memcmp(b->data + at, async, 12) && !n--)
			return at;
	return 0;
}

/*
 * Decoding may begin at any synchronisation: everything from there on comes out the
 * same.  Not so where elements before it are still to be committed, where a marker
 * before it said that timestamps are good, or inside a transaction.
 */
static bool joins_anywhere(const struct csg_enc_model *m, const struct csg_enc_etm *etm,
			   struct csg_enc_wander *w, struct csg_enc_random *r,
			   const struct csg_enc_elems *expected, char *text, size_t size)
{
	size_t at = find_sync(&etm->out, csg_enc_random_below(r, 20));
	struct csg_enc_decode d = {
		.model = m,
		.data = etm->out.data + at,
		.size = etm->out.size - at,
		.read = csg_enc_wander_read,
		.arg = w,
	};
	struct csg_enc_elems seen = {0}, tail = {0};
	bool good = true;

	if (!at || m->max_spec || m->marker)
		return true;
	if (csg_enc_decode(&d, &seen) < 0) {
		snprintf(text, size, "OpenCSD gave up from %zu", at);
		csg_enc_elems_fini(&seen);
		return false;
	}
	csg_enc_elems_tidy(m, &seen);
	/* without the "no sync" it begins with */
	for (size_t i = 1; i < seen.count && expected->count >= seen.count - 1; i++)
		csg_enc_elems_add(&tail, &expected->elems[expected->count - seen.count + i]);
	if (seen.count > 1) {
		memmove(seen.elems, seen.elems + 1, --seen.count * sizeof(*seen.elems));
		good = csg_enc_elems_equal(m, &tail, &seen, text, size);
	}
	csg_enc_elems_fini(&seen);
	csg_enc_elems_fini(&tail);
	return good;
}

/* With one seed only: every event with the bytes it became. */
static int encode(struct csg_enc_etm *etm, const struct csg_enc_path *path)
{
	for (size_t i = 0; getenv("CSG_ENC_SEED") && i < path->count; i++) {
		const struct csg_enc_event *e = &path->events[i];
		size_t at = etm->out.size;

		if (csg_enc_etm_put(etm, e) < 0)
			return -1;
		fprintf(stderr, "%zu kind %d number %u start %llx end %llx -> %llx p0 %d %d:", i,
			e->kind, e->number, (unsigned long long)e->branch.start,
			(unsigned long long)e->branch.end, (unsigned long long)e->branch.target,
			e->branch.p0, e->branch.taken);
		while (at < etm->out.size)
			fprintf(stderr, " %02x", etm->out.data[at++]);
		fprintf(stderr, "\n");
	}
	return getenv("CSG_ENC_SEED") ? csg_enc_etm_finish(etm) : csg_enc_etm_path(etm, path);
}

static bool try_seed(uint64_t seed)
{
	static struct csg_enc_wander wander;
	struct csg_enc_random r = {seed};
	struct csg_enc_wander_options o = {0};
	struct csg_enc_path path = {0};
	struct csg_enc_elems expected = {0}, seen = {0};
	struct csg_enc_model m;
	struct csg_enc_etm etm;
	char text[600] = "";
	bool good;
	int ret;

	any_model(&m, &r, new_opencsd(), new_opencsd());
	o.steps = 20 + csg_enc_random_below(&r, 400);
	o.speculation = m.max_spec && any_dice(&r);
	o.gaps = !(m.max_spec && m.lazy_commit) && any_dice(&r);
	o.transactions =
		m.ete && !m.exclude_el && !m.exclude_host && !m.exclude_guest && any_dice(&r);
	o.markers = any_dice(&r);
	o.time_backwards = any_dice(&r);
	o.wfx = m.wfx_p0;
	o.q = m.q_elements && !m.max_spec; /* OpenCSD does not count Q where it cancels */
	csg_enc_wander_init(&wander, &r, o.transactions);
	csg_enc_wander_walk(&wander, &r, &o, &path);
	csg_enc_etm_init(&etm, &m);
	ret = encode(&etm, &path);
	if (ret < 0)
		snprintf(text, sizeof(text), "encoder: %s", etm.error);
	else if ((ret = decode(&m, &etm, &wander, &r, &seen)) < 0)
		snprintf(text, sizeof(text), "OpenCSD gave up: %d", ret);
	csg_enc_expect(&m, &path, &expected);
	good = ret >= 0 && csg_enc_elems_equal(&m, &expected, &seen, text, sizeof(text));
	if (good && !o.transactions)
		good = joins_anywhere(&m, &etm, &wander, &r, &expected, text, sizeof(text));
	if (!good)
		fprintf(stderr, "CSG_ENC_SEED=%llu (%s): %s\n", (unsigned long long)seed,
			m.ete ? "ETE" : "ETMv4", text);
	csg_enc_elems_fini(&expected);
	csg_enc_elems_fini(&seen);
	csg_enc_path_fini(&path);
	csg_enc_etm_fini(&etm);
	return good;
}

static void random_programs_decode_to_what_was_executed(void)
{
	const char *one = getenv("CSG_ENC_SEED");
	const char *many = getenv("CSG_ENC_SEEDS");
	uint64_t count = many ? strtoull(many, NULL, 0) : USUAL;
	unsigned bad = 0;

	if (one) {
		CU_ASSERT(try_seed(strtoull(one, NULL, 0)));
		return;
	}
	for (uint64_t seed = 1; seed <= count && bad < 10; seed++)
		if (!try_seed(seed))
			bad++;
	CU_ASSERT_EQUAL(bad, 0);
}

CSG_SUITE(encoder, wander, CSG_TEST(random_programs_decode_to_what_was_executed));

/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/pack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "csguest/error.h"
#include "util/array.h"
#include "util/bytes.h"

#define KIND 8
#define NUMBER sizeof(uint64_t)
#define SHORT_MAX 10		       /* bytes of 64 bits, 7 in each */
#define MAPPED_PIECE ((size_t)4 << 20) /* a multiple of every page size */

#define NO_BYTES 0xcbf29ce484222325u /* the checksum of none */

uint64_t csg_checksum(const void *bytes, size_t n)
{
	return csg_checksum_on(NO_BYTES, bytes, n);
}

uint64_t csg_checksum_on(uint64_t sum, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < n; i++)
		sum = (sum ^ at[i]) * 0x100000001b3u;
	return sum;
}

/* --- writing --- */

void csg_pack_fini(struct csg_pack *p)
{
	free(p->bytes);
	*p = (struct csg_pack){0};
}

static bool make_room(struct csg_pack *p, size_t n)
{
	p->failed |= csg_array_reserve((void **)&p->bytes, &p->capacity, p->n + n, 1) != 0;
	return !p->failed;
}

void csg_pack_bytes(struct csg_pack *p, const void *bytes, size_t n)
{
	if (!n || !make_room(p, n))
		return;
	memcpy(p->bytes + p->n, bytes, n);
	p->n += n;
}

void csg_pack_number(struct csg_pack *p, uint64_t value)
{
	const uint64_t le = htole64(value);

	csg_pack_bytes(p, &le, sizeof(le));
}

void csg_pack_short(struct csg_pack *p, uint64_t value)
{
	uint8_t bytes[SHORT_MAX];
	size_t n = 0;

	for (; value > 0x7f; value >>= 7)
		bytes[n++] = (uint8_t)(value | 0x80);
	bytes[n++] = (uint8_t)value;
	csg_pack_bytes(p, bytes, n);
}

/* The sign is the lowest bit, so that small differences are short. */
void csg_pack_difference(struct csg_pack *p, uint64_t value, uint64_t before)
{
	const uint64_t difference = value - before;

	csg_pack_short(p, difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0));
}

/* Its length with the 0 at its end, which NULL has not. */
void csg_pack_text(struct csg_pack *p, const char *text)
{
	const size_t n = text ? strlen(text) + 1 : 0;

	csg_pack_number(p, n);
	csg_pack_bytes(p, text, n);
}

void csg_pack_begin(struct csg_pack *p, const char *kind, uint64_t version)
{
	csg_pack_bytes(p, kind, KIND);
	csg_pack_number(p, version);
}

void csg_pack_end(struct csg_pack *p)
{
	csg_pack_number(p, csg_checksum(p->bytes, p->n));
}

/* --- a file that is not in memory as a whole --- */

void csg_pack_out_init(struct csg_pack_out *out,
		       int (*write)(void *arg, const void *bytes, size_t n), void *arg)
{
	*out = (struct csg_pack_out){.write = write, .arg = arg, .sum = NO_BYTES};
}

void csg_pack_put(struct csg_pack_out *out, const void *bytes, size_t n)
{
	if (!n || out->error)
		return;
	out->sum = csg_checksum_on(out->sum, bytes, n);
	out->error = out->write(out->arg, bytes, n);
}

void csg_pack_put_number(struct csg_pack_out *out, uint64_t value)
{
	const uint64_t le = htole64(value);

	csg_pack_put(out, &le, sizeof(le));
}

int csg_pack_out_end(struct csg_pack_out *out)
{
	csg_pack_put_number(out, out->sum);
	return out->error;
}

/* --- reading --- */

static void fail(struct csg_unpack *u)
{
	u->failed = true;
	u->at = u->end;
}

const void *csg_unpack_bytes(struct csg_unpack *u, size_t n)
{
	const uint8_t *at = u->at;

	if (u->failed || n > (size_t)(u->end - at)) {
		fail(u);
		return NULL;
	}
	u->at += n;
	return at;
}

uint64_t csg_unpack_number(struct csg_unpack *u)
{
	const uint8_t *at = csg_unpack_bytes(u, NUMBER);

	return at ? csg_le64(at) : 0;
}

uint64_t csg_unpack_short(struct csg_unpack *u)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < SHORT_MAX; i++) {
		const uint8_t *at = csg_unpack_bytes(u, 1);

		if (!at)
			return 0;
		value |= (uint64_t)(*at & 0x7f) << 7 * i;
		if (!(*at & 0x80))
			return value;
	}
	fail(u);
	return 0;
}

uint64_t csg_unpack_difference(struct csg_unpack *u, uint64_t before)
{
	const uint64_t packed = csg_unpack_short(u);

	return before + (packed >> 1 ^ (packed & 1 ? UINT64_MAX : 0));
}

uint64_t csg_unpack_below(struct csg_unpack *u, uint64_t limit)
{
	const uint64_t value = csg_unpack_number(u);

	if (value < limit)
		return value;
	fail(u);
	return 0;
}

static size_t check_count(struct csg_unpack *u, uint64_t n, size_t size)
{
	if (n <= (size_t)(u->end - u->at) / size)
		return (size_t)n;
	fail(u);
	return 0;
}

size_t csg_unpack_count(struct csg_unpack *u, size_t size)
{
	return check_count(u, csg_unpack_number(u), size);
}

size_t csg_unpack_short_count(struct csg_unpack *u, size_t size)
{
	return check_count(u, csg_unpack_short(u), size);
}

const char *csg_unpack_text(struct csg_unpack *u)
{
	const size_t n = csg_unpack_count(u, 1);
	const char *text = n ? csg_unpack_bytes(u, n) : NULL;

	if (!text || strnlen(text, n) == n - 1)
		return text;
	fail(u);
	return NULL;
}

typedef uint64_t sum_fn(const void *bytes, size_t n);

static int begin(struct csg_unpack *u, const void *bytes, size_t n, const char *kind,
		 uint64_t version, sum_fn *sum)
{
	const uint8_t *at = bytes;

	*u = (struct csg_unpack){0};
	if (n < KIND || memcmp(at, kind, KIND) != 0)
		return -CSG_E_BAD_MAGIC;
	if (n < KIND + 2 * NUMBER)
		return -CSG_E_CORRUPT;
	if (csg_le64(at + KIND) != version)
		return -CSG_E_UNSUPPORTED;
	if (csg_le64(at + n - NUMBER) != sum(bytes, n - NUMBER))
		return -CSG_E_CORRUPT;
	u->at = at + KIND + NUMBER;
	u->end = at + n - NUMBER;
	return 0;
}

int csg_unpack_begin(struct csg_unpack *u, const void *bytes, size_t n, const char *kind,
		     uint64_t version)
{
	return begin(u, bytes, n, kind, version, csg_checksum);
}

/* The mapping begins at bytes. */
static uint64_t sum_mapped(const void *bytes, size_t n)
{
	const uint8_t *at = bytes;
	uint64_t sum = NO_BYTES;

	for (size_t done = 0; done < n; done += MAPPED_PIECE) {
		const size_t piece = n - done < MAPPED_PIECE ? n - done : MAPPED_PIECE;

		sum = csg_checksum_on(sum, at + done, piece);
		madvise((void *)(at + done), piece, MADV_DONTNEED);
	}
	return sum;
}

int csg_unpack_begin_mapped(struct csg_unpack *u, const void *bytes, size_t n, const char *kind,
			    uint64_t version)
{
	return begin(u, bytes, n, kind, version, sum_mapped);
}

int csg_unpack_end(const struct csg_unpack *u)
{
	return u->failed || u->at != u->end ? -CSG_E_CORRUPT : 0;
}

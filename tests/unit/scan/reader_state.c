/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader.h"
#include "suite.h"
#include "walk.h"

static struct walk walk;

struct packets {
	uint64_t sum; /* of what all packets said */
	size_t n;
};

static void on_packet(void *arg, const struct csg_packet *p)
{
	struct packets *packets = arg;

	packets->n++;
	packets->sum = packets->sum * 31 + p->index * 7 + p->kind + p->value;
}

static void read_to(struct csg_reader *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		csg_reader_byte(r, i, walk.etm.out.data[i]);
}

static void a_copy_goes_on_as_the_original_would(void)
{
	struct packets a = {0}, b = {0};
	struct csg_reader x, y;
	size_t n;

	CU_ASSERT_FATAL(walk_init(&walk, 9, false, true, 400));
	n = walk.etm.out.size;
	for (size_t cut = 0; cut < n; cut += 7) {
		csg_reader_init(&x, &walk.source, on_packet, &a);
		csg_reader_init(&y, &walk.source, on_packet, &b);
		read_to(&x, 0, cut);
		csg_reader_copy(&y, &x);
		CU_ASSERT(csg_reader_same(&x, &y));
		a = b = (struct packets){0};
		read_to(&x, cut, n);
		CU_ASSERT_EQUAL(b.n, 0);
		read_to(&y, cut, n);
		CU_ASSERT(a.n == b.n && a.sum == b.sum);
	}
	walk_fini(&walk);
}

static void whatever_the_next_packets_leave_out_counts(void)
{
	struct packets ignored;
	struct csg_reader x, y;

	CU_ASSERT_FATAL(walk_init(&walk, 9, false, false, 400));
	csg_reader_init(&x, &walk.source, on_packet, &ignored);
	read_to(&x, 0, walk.etm.out.size / 2);
	y = x;
	CU_ASSERT(csg_reader_same(&x, &y));
	y.addresses[2] ^= 4;
	CU_ASSERT_FALSE(csg_reader_same(&x, &y));
	y = x;
	y.is1[1] = !y.is1[1];
	CU_ASSERT_FALSE(csg_reader_same(&x, &y));
	y = x;
	y.packet.context.vmid++;
	CU_ASSERT_FALSE(csg_reader_same(&x, &y));
	y = x;
	y.cc_threshold++;
	CU_ASSERT_FALSE(csg_reader_same(&x, &y));
	walk_fini(&walk);
}

static void a_timestamp_counts_unless_the_next_one_is_whole(void)
{
	struct packets ignored;
	struct csg_reader x, y;

	CU_ASSERT_FATAL(walk_init(&walk, 9, false, false, 10));
	csg_reader_init(&x, &walk.source, on_packet, &ignored);
	y = x;
	y.timestamp = 5;
	CU_ASSERT_FALSE(csg_reader_same(&x, &y));
	x.whole_timestamp = y.whole_timestamp = true;
	CU_ASSERT(csg_reader_same(&x, &y));
	walk_fini(&walk);
}

CSG_SUITE(scan, reader_state, CSG_TEST(a_copy_goes_on_as_the_original_would),
	  CSG_TEST(whatever_the_next_packets_leave_out_counts),
	  CSG_TEST(a_timestamp_counts_unless_the_next_one_is_whole));

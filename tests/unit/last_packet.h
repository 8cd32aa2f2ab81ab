/* SPDX-License-Identifier: BSD-3-Clause */
/* A reader after the first packets of a trace, A-Sync and Trace Info, and what it reported last. */
#ifndef TESTS_UNIT_LAST_PACKET_H
#define TESTS_UNIT_LAST_PACKET_H

#include "scan/reader.h"

#define LAST_PACKET_BEGIN 14 /* index of what is fed first */

struct last_packet {
	struct csg_reader reader;
	struct csg_packet packet;
	uint64_t index; /* of the next byte */
};

static inline void last_packet_take(void *arg, const struct csg_packet *packet)
{
	struct last_packet *last = arg;

	last->packet = *packet;
}

static inline void last_packet_feed(struct last_packet *last, const uint8_t *bytes, size_t n)
{
	csg_reader_feed(&last->reader, CSG_RUN(last->index, bytes, n));
	last->index += n;
}

static inline void last_packet_begin(struct last_packet *last, const struct csg_source *source)
{
	static const uint8_t beginning[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x00};

	*last = (struct last_packet){.index = 0};
	csg_reader_init(&last->reader, source, last_packet_take, last);
	last_packet_feed(last, beginning, sizeof(beginning));
}

#endif

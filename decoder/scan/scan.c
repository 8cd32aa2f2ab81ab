/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/scan.h"

#include <stdlib.h>

#include "csguest/error.h"
#include "scan/asyncs.h"

struct csg_scan {
	struct csg_reader reader;
	struct csg_packets packets;
	struct csg_asyncs asyncs;
	void (*atoms)(void *arg);
	/* nothing was met since the last timestamp that says whether execution was traced */
	bool stamped;
};

/* Whether a packet does not depend on what is executed. */
static bool says_nothing(uint8_t kind)
{
	return kind == CSG_PACKET_CYCLES || kind == CSG_PACKET_EVENT ||
	       kind == CSG_PACKET_TS_MARKER || kind == CSG_PACKET_IGNORE;
}

/* The first atom after a timestamp is an event, for which the reader is to tell atoms. */
static void watch_atom(struct csg_scan *scan, const struct csg_packet *packet)
{
	const bool synced = scan->packets.state == CSG_PACKETS_SYNCED;

	if (scan->packets.uncommitted.max_spec)
		return;
	if (scan->stamped && synced && packet->kind == CSG_PACKET_ATOMS)
		csg_packets_atom(&scan->packets, packet->index);
	if (packet->kind == CSG_PACKET_TIMESTAMP)
		scan->stamped = true;
	else if (!says_nothing(packet->kind))
		scan->stamped = false;
	scan->stamped &= synced;
	csg_reader_tell_atoms(&scan->reader, scan->stamped || scan->atoms);
}

static void on_packet(void *arg, const struct csg_packet *packet)
{
	struct csg_scan *scan = arg;

	if (packet->kind == CSG_PACKET_TIMESTAMP && scan->reader.skips_timestamps)
		return;
	if (packet->kind == CSG_PACKET_ASYNC)
		csg_asyncs_add(&scan->asyncs, packet->index);
	if (!csg_packets_feed(&scan->packets, packet))
		csg_reader_search(&scan->reader);
	else
		scan->reader.keeps_addresses = csg_packets_pass_address(&scan->packets);
	watch_atom(scan, packet);
	if (scan->atoms && packet->kind == CSG_PACKET_ATOMS &&
	    scan->packets.state == CSG_PACKETS_SYNCED)
		scan->atoms(scan->packets.arg);
}

int csg_scan_create(struct csg_scan **result, const struct csg_source *source, csg_track_fn out,
		    void *arg)
{
	struct csg_scan *scan = calloc(1, sizeof(*scan));
	int err;

	*result = NULL;
	if (!scan)
		return -CSG_E_NO_MEMORY;
	csg_reader_init(&scan->reader, source, on_packet, scan);
	err = csg_packets_init(&scan->packets, source, out, arg);
	if (err) {
		csg_scan_destroy(scan);
		return err;
	}
	*result = scan;
	return 0;
}

void csg_scan_destroy(struct csg_scan *scan)
{
	if (!scan)
		return;
	csg_packets_fini(&scan->packets);
	free(scan);
}

void csg_scan_watch_atoms(struct csg_scan *scan, void (*atoms)(void *arg))
{
	if (scan->packets.uncommitted.max_spec)
		return;
	scan->atoms = atoms;
	csg_reader_tell_atoms(&scan->reader, true);
}

void csg_scan_skip_timestamps(struct csg_scan *scan)
{
	csg_reader_skip_timestamps(&scan->reader);
}

void csg_scan_feed(struct csg_scan *scan, const struct csg_run *run)
{
	csg_reader_feed(&scan->reader, run);
}

uint64_t csg_scan_async(struct csg_scan *scan, uint64_t index)
{
	return csg_asyncs_next(&scan->asyncs, index);
}

void csg_scan_end(struct csg_scan *scan, uint64_t index)
{
	csg_packets_end(&scan->packets, index, scan->reader.fed);
}

void csg_scan_restart(struct csg_scan *scan)
{
	csg_reader_restart(&scan->reader);
	csg_packets_restart(&scan->packets);
}

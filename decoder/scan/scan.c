/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/scan.h"

#include <stdlib.h>

#include "csguest/element.h"
#include "csguest/error.h"
#include "scan/ocsd.h"

struct csg_scan {
	struct csg_ocsd *tree;
	struct csg_positions positions;
	struct csg_packets packets;
	csg_track_fn out;
	void *arg;
};

static void on_packet(void *arg, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	struct csg_scan *scan = arg;

	csg_packets_feed(&scan->packets, index, packet);
}

int csg_scan_create(struct csg_scan **result, const struct csg_source *source, csg_track_fn out,
		    void *arg, const struct csg_diag_sink *sink)
{
	struct csg_scan *scan = calloc(1, sizeof(*scan));
	const struct csg_ocsd_client client = {.arg = scan, .packet = on_packet};
	int err;

	*result = NULL;
	if (!scan)
		return -CSG_E_NO_MEMORY;
	scan->out = out;
	scan->arg = arg;
	err = csg_packets_init(&scan->packets, source, &scan->positions, out, arg);
	if (!err)
		err = csg_ocsd_create(&scan->tree, source, CSG_OCSD_PACKETS, &client, sink);
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
	csg_ocsd_destroy(scan->tree);
	csg_packets_fini(&scan->packets);
	free(scan);
}

/* OpenCSD gave up: begin anew behind what it took, as the flow decoder will. */
static void recover(struct csg_scan *scan, uint64_t index)
{
	const struct csg_track_event gap = {.kind = CSG_TRACK_GAP,
					    .index = index,
					    .gap = CSG_GAP_DECODER,
					    .context = CSG_CONTEXT_UNKNOWN};

	csg_ocsd_reset(scan->tree, index);
	csg_packets_restart(&scan->packets);
	scan->out(scan->arg, &gap);
}

void csg_scan_feed(struct csg_scan *scan, uint64_t index, const uint8_t *bytes, size_t n)
{
	csg_positions_run(&scan->positions, index, n);
	while (n) {
		uint32_t used, part = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
		enum csg_ocsd_state state = csg_ocsd_data(scan->tree, index, bytes, part, &used);

		if (!used)
			used = 1; /* always make progress */
		index += used;
		bytes += used;
		n -= used;
		if (state == CSG_OCSD_DEAD)
			recover(scan, index);
	}
}

void csg_scan_end(struct csg_scan *scan, uint64_t index)
{
	csg_ocsd_end(scan->tree);
	csg_packets_end(&scan->packets, index);
}

void csg_scan_restart(struct csg_scan *scan, uint64_t index)
{
	csg_ocsd_reset(scan->tree, index);
	scan->positions = (struct csg_positions){0};
	csg_packets_restart(&scan->packets);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/scan.h"

#include <stdlib.h>

#include "csguest/element.h"
#include "csguest/error.h"
#include "scan/elements.h"
#include "scan/ocsd.h"

struct csg_scan {
	struct csg_ocsd *tree;
	bool by_packets;
	struct csg_positions positions;
	struct csg_packets packets;
	struct csg_elements elements;
	csg_track_fn out;
	void *arg;
};

static void on_packet(void *arg, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	struct csg_scan *scan = arg;

	csg_packets_feed(&scan->packets, index, packet);
}

static bool on_element(void *arg, uint64_t index, const ocsd_generic_trace_elem *element)
{
	struct csg_scan *scan = arg;

	csg_elements_feed(&scan->elements, index, element);
	return true;
}

static uint32_t no_memory(void *arg, uint64_t address, ocsd_mem_space_acc_t space, uint32_t want,
			  uint8_t *out)
{
	(void)arg;
	(void)address;
	(void)space;
	(void)want;
	(void)out;
	return 0;
}

/* TRCIDR8.MAXSPEC: with speculation, packets may be cancelled later. */
static bool speculates(const struct csg_source *source)
{
	return (uint32_t)source->trcidr8 != 0;
}

static int create_tree(struct csg_scan *scan, const struct csg_source *source,
		       const struct csg_diag_sink *sink)
{
	const struct csg_ocsd_client client = {
		.arg = scan, .packet = on_packet, .element = on_element, .memory = no_memory};
	int err = -CSG_E_UNSUPPORTED;

	if (!speculates(source))
		err = csg_ocsd_create(&scan->tree, source, CSG_OCSD_PACKETS, &client, NULL);
	scan->by_packets = !err;
	if (err == -CSG_E_UNSUPPORTED)
		err = csg_ocsd_create(&scan->tree, source, CSG_OCSD_FULL, &client, sink);
	return err;
}

int csg_scan_create(struct csg_scan **result, const struct csg_source *source, csg_track_fn out,
		    void *arg, const struct csg_diag_sink *sink)
{
	struct csg_scan *scan = calloc(1, sizeof(*scan));
	int err;

	*result = NULL;
	if (!scan)
		return -CSG_E_NO_MEMORY;
	scan->out = out;
	scan->arg = arg;
	csg_packets_init(&scan->packets, source->trcconfigr, &scan->positions, out, arg);
	csg_elements_init(&scan->elements, source->trcconfigr, &scan->positions, out, arg);
	err = create_tree(scan, source, sink);
	if (err) {
		free(scan);
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
	free(scan);
}

bool csg_scan_by_packets(const struct csg_scan *scan)
{
	return scan->by_packets;
}

/* OpenCSD gave up: begin anew behind what it took, as the flow decoder will. */
static void recover(struct csg_scan *scan, uint64_t index)
{
	const struct csg_track_event gap = {.kind = CSG_TRACK_GAP,
					    .index = index,
					    .gap = CSG_GAP_DECODER,
					    .context = CSG_CONTEXT_UNKNOWN};

	csg_ocsd_reset(scan->tree, index);
	csg_packets_restart(&scan->packets, index);
	scan->out(scan->arg, &gap);
}

void csg_scan_feed(struct csg_scan *scan, uint64_t index, const uint8_t *bytes, size_t n)
{
	csg_positions_run(&scan->positions, index, n);
	while (n) {
		uint32_t used, part = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
		enum csg_ocsd_state state = csg_ocsd_data(scan->tree, index, bytes, part, &used);

		if (state == CSG_OCSD_DEAD && !used)
			used = 1; /* always make progress */
		index += used;
		bytes += used;
		n -= used;
		if (state == CSG_OCSD_DEAD)
			recover(scan, index);
		else if (!used)
			break; /* never happens without a pause, which this client does not ask for */
	}
}

void csg_scan_end(struct csg_scan *scan)
{
	csg_ocsd_end(scan->tree);
	if (scan->by_packets)
		csg_packets_end(&scan->packets);
	else
		csg_elements_end(&scan->elements);
}

void csg_scan_restart(struct csg_scan *scan, uint64_t index)
{
	csg_ocsd_reset(scan->tree, index);
	scan->positions = (struct csg_positions){0};
	csg_packets_restart(&scan->packets, index);
	csg_elements_restart(&scan->elements);
}

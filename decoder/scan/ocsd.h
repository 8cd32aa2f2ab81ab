/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one adapter to OpenCSD's C API.
 *
 * A tree decodes one stream: one decode tree per trace ID, because the memory cache of
 * OpenCSD 1.3.3 ignores the ID.  It is fed with the bytes of that ID only (source
 * type SINGLE), which scan/demux.h has picked out.  Datapath responses are followed
 * exactly: after a WAIT nothing is fed until a FLUSH has drained the tree; a FATAL
 * response ends the tree's state, which a reset makes anew.
 */
#ifndef DECODER_SCAN_OCSD_H
#define DECODER_SCAN_OCSD_H

#include <stdbool.h>
#include <stdint.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "csguest/diag.h"
#include "recording/recording.h"

/* Whom a tree calls.  Only the callbacks of its mode are needed. */
struct csg_ocsd_client {
	void *arg;
	/* A packet (mode PACKETS); op is DATA, or EOT and RESET without packet. */
	void (*packet)(void *arg, uint64_t index, const ocsd_etmv4_i_pkt *packet);
	/* An element (mode FULL). False pauses the tree until csg_ocsd_resume(). */
	bool (*element)(void *arg, uint64_t index, const ocsd_generic_trace_elem *element);
	/* Code at address (mode FULL): copies up to want bytes to out, returns how many. */
	uint32_t (*memory)(void *arg, uint64_t address, ocsd_mem_space_acc_t space, uint32_t want,
			   uint8_t *out);
};

enum csg_ocsd_mode {
	CSG_OCSD_PACKETS, /* packet processor only */
	CSG_OCSD_FULL,	  /* packet processor and decoder */
};

struct csg_ocsd;

/*
 * Code beyond is never asked for: none is there, and the cache of OpenCSD 1.3.3 reads anywhere when
 * address and size wrap around.
 */
#define CSG_OCSD_LAST_CODE (UINT64_MAX - 0x1000)

/*
 * Data tracing, loads and stores as P0 elements and conditional instruction tracing change what
 * atoms mean.  OpenCSD knows none of them, but only logs that (TRCCONFIGR INSTP0, COND, DA and
 * DV, where TRCIDR0 says that the unit has them).
 */
bool csg_ocsd_can_decode(const struct csg_source *source);

/* Makes a tree for source.  -CSG_E_UNSUPPORTED where OpenCSD cannot decode such a configuration. */
int csg_ocsd_create(struct csg_ocsd **tree, const struct csg_source *source,
		    enum csg_ocsd_mode mode, const struct csg_ocsd_client *client,
		    const struct csg_diag_sink *sink);
void csg_ocsd_destroy(struct csg_ocsd *tree);

enum csg_ocsd_state {
	CSG_OCSD_READY,	 /* goes on */
	CSG_OCSD_PAUSED, /* the client paused it: csg_ocsd_resume() before anything else */
	CSG_OCSD_DEAD,	 /* OpenCSD gave up: csg_ocsd_reset() before anything else */
};

/* Feeds n bytes that lie at index; *used says how many were taken. */
enum csg_ocsd_state csg_ocsd_data(struct csg_ocsd *tree, uint64_t index, const uint8_t *bytes,
				  uint32_t n, uint32_t *used);

/* Drains what a pause held back. */
enum csg_ocsd_state csg_ocsd_resume(struct csg_ocsd *tree);

/* No more trace comes: pending elements are output. */
enum csg_ocsd_state csg_ocsd_end(struct csg_ocsd *tree);

/* Memory was out in OpenCSD: what came out of it is not to be used. */
bool csg_ocsd_failed(const struct csg_ocsd *tree);

/* Forgets all decoding state; the next A-Sync begins anew. */
void csg_ocsd_reset(struct csg_ocsd *tree, uint64_t index);

/* Forgets cached code, because another owner or another image is in force now. */
void csg_ocsd_forget_code(struct csg_ocsd *tree);

#endif

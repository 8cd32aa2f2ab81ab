/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/ocsd.h"

#include <stdlib.h>
#include <string.h>

#include <opencsd/ete/trc_pkt_types_ete.h>
#include <opencsd/etmv4/trc_pkt_types_etmv4.h>

#include "util/report.h"
#include "scan/arch.h"
#include "scan/new_failures.h"
#include "scan/reader.h"

struct csg_ocsd {
	dcd_tree_handle_t tree;
	struct csg_ocsd_client client;
	bool full;
	bool deaf; /* elements are nobody's */

	/* Mode FULL: reads along until the first Trace Info. */
	struct csg_reader reader;
	uint32_t max_spec;
	bool informed;	/* it was there */
	bool bad_depth; /* it tells of more uncommitted elements than the unit can have */
	uint64_t end;	/* index after the bytes fed last */
	bool failed;
	unsigned int failures; /* csg_new_failures() at first */
};

/* OpenCSD's indices have 32 bits; what it speaks of lies less than 4 GB back. */
static uint64_t widen(const struct csg_ocsd *tree, ocsd_trc_index_t index)
{
	return tree->end - (uint32_t)((uint32_t)tree->end - (uint32_t)index);
}

static ocsd_datapath_resp_t on_packet(const void *arg, const ocsd_datapath_op_t op,
				      const ocsd_trc_index_t index, const void *packet)
{
	const struct csg_ocsd *tree = arg;

	if (op == OCSD_OP_DATA)
		tree->client.packet(tree->client.arg, widen(tree, index), packet);
	return OCSD_RESP_CONT;
}

static ocsd_datapath_resp_t on_element(const void *arg, const ocsd_trc_index_t index,
				       const uint8_t id, const ocsd_generic_trace_elem *element)
{
	const struct csg_ocsd *tree = arg;

	(void)id;
	if (tree->deaf)
		return OCSD_RESP_CONT;
	return tree->client.element(tree->client.arg, widen(tree, index), element) ? OCSD_RESP_CONT
										   : OCSD_RESP_WAIT;
}

static uint32_t on_memory(const void *arg, const ocsd_vaddr_t address,
			  const ocsd_mem_space_acc_t space, const uint32_t want, uint8_t *out)
{
	const struct csg_ocsd *tree = arg;

	return tree->client.memory(tree->client.arg, address, space, want, out);
}

/*
 * The architecture decides which encodings are branches.  The newest is right for every
 * A and R profile core: what it adds (pointer authentication, BC.cond, WFIT, TSTART) is
 * undefined on older ones, so it was never executed there.
 */
static void architecture(const struct csg_source *source, ocsd_arch_version_t *arch,
			 ocsd_core_profile_t *profile)
{
	const char *core = source->core_type ? source->core_type : "";

	*arch = ARCH_AA64;
	*profile = profile_CortexA;
	if (source->cortex_m || !strncmp(core, "Cortex-M", 8)) {
		*arch = csg_arch_is_v8m(source) ? ARCH_V8 : ARCH_V7;
		*profile = profile_CortexM;
	}
}

/*
 * TRCIDR1 with the version of an ETE, which its TRCDEVARCH holds, as the fourth and
 * fifth nibble say ETMv4's: the packet processor of both is one and goes by the version.
 */
static uint32_t ete_idr1(const struct csg_source *source)
{
	uint32_t major = (uint32_t)(source->trcdevarch >> 12) & 0xf;
	uint32_t minor = (uint32_t)(source->trcdevarch >> 16) & 0xf;

	return ((uint32_t)source->trcidr1 & ~0xff0u) | major << 8 | minor << 4;
}

static ocsd_err_t create_etmv4(struct csg_ocsd *tree, const struct csg_source *source, int flags,
			       unsigned char *id)
{
	bool ete = source->protocol == CSG_PROTOCOL_ETE;
	ocsd_etmv4_cfg cfg = {
		.reg_idr0 = (uint32_t)source->trcidr0,
		.reg_idr1 = ete ? ete_idr1(source) : (uint32_t)source->trcidr1,
		.reg_idr2 = (uint32_t)source->trcidr2,
		.reg_idr8 = (uint32_t)source->trcidr8,
		.reg_configr = (uint32_t)source->trcconfigr,
		.reg_traceidr = source->trace_id,
	};

	architecture(source, &cfg.arch_ver, &cfg.core_prof);
	return ocsd_dt_create_decoder(tree->tree, OCSD_BUILTIN_DCD_ETMV4I, flags, &cfg, id);
}

static ocsd_err_t create_ete(struct csg_ocsd *tree, const struct csg_source *source, int flags,
			     unsigned char *id)
{
	ocsd_ete_cfg cfg = {
		.reg_idr0 = (uint32_t)source->trcidr0,
		.reg_idr1 = (uint32_t)source->trcidr1,
		.reg_idr2 = (uint32_t)source->trcidr2,
		.reg_idr8 = (uint32_t)source->trcidr8,
		.reg_devarch = (uint32_t)source->trcdevarch,
		.reg_configr = (uint32_t)source->trcconfigr,
		.reg_traceidr = source->trace_id,
	};

	architecture(source, &cfg.arch_ver, &cfg.core_prof);
	return ocsd_dt_create_decoder(tree->tree, OCSD_BUILTIN_DCD_ETE, flags, &cfg, id);
}

static ocsd_err_t add_code(struct csg_ocsd *tree)
{
	return ocsd_dt_add_callback_mem_acc(tree->tree, 0, CSG_OCSD_LAST_CODE, OCSD_MEM_SPACE_ANY,
					    on_memory, tree);
}

static ocsd_err_t set_up(struct csg_ocsd *tree, const struct csg_source *source)
{
	/*
	 * Left to itself, the decoder resets its element stack in the middle of walking it when
	 * packets make no sense, and crashes (1.3.3).  Told to halt, it returns a fatal response;
	 * our reset then does the same in safety.
	 */
	int flags = tree->full ? OCSD_CREATE_FLG_FULL_DECODER | OCSD_OPFLG_PKTDEC_ERROR_BAD_PKTS |
					 OCSD_OPFLG_PKTDEC_HALT_BAD_PKTS
			       : OCSD_CREATE_FLG_PACKET_PROC;
	unsigned char id = 0;
	ocsd_err_t err;

	/* Packets of an ETE, too, come from the ETMv4 decoder: 1.3.3 has no callback for ETE's. */
	if (source->protocol == CSG_PROTOCOL_ETE && tree->full)
		err = create_ete(tree, source, flags, &id);
	else
		err = create_etmv4(tree, source, flags, &id);
	if (err != OCSD_OK)
		return err;
	if (!tree->full)
		return ocsd_dt_attach_packet_callback(tree->tree, id, OCSD_C_API_CB_PKT_SINK,
						      (void *)on_packet, tree);
	err = ocsd_dt_set_gen_elem_outfn(tree->tree, on_element, tree);
	return err == OCSD_OK ? add_code(tree) : err;
}

bool csg_ocsd_can_decode(const struct csg_source *source)
{
	uint64_t idr0 = source->trcidr0, config = source->trcconfigr;
	bool memory_p0 = (idr0 >> 1 & 3) && (config >> 1 & 3);
	bool data = (idr0 >> 3 & 3) && (config >> 16 & 3);
	bool conditional = (idr0 >> 6 & 1) && (config >> 8 & 7);

	return source->protocol == CSG_PROTOCOL_ETE || !(memory_p0 || data || conditional);
}

/*
 * The decoder never sets the address it begins at: an exception or Q element that comes before any
 * address would be walked from wherever the memory says.  This sets it to 0, of A32: A-Sync, Trace
 * Info, that address, and an atom which, for want of a context, is not walked.
 */
static void set_address(struct csg_ocsd *tree, const struct csg_source *source)
{
	static const uint8_t trace[] = {0, 0,	 0, 0, 0, 0, 0, 0, 0, 0, 0,    0x80, 0x01, 0x01,
					0, 0x9d, 0, 0, 0, 0, 0, 0, 0, 0, 0xf7, 0x2d, 0x01};
	bool speculates = (uint32_t)source->trcidr8;
	uint32_t n = sizeof(trace) - (speculates ? 0 : 2), used;

	tree->deaf = true;
	ocsd_dt_process_data(tree->tree, OCSD_OP_DATA, 0, n, trace, &used);
	csg_ocsd_reset(tree, 0);
	tree->deaf = false;
}

static void on_read(void *arg, const struct csg_packet *packet)
{
	struct csg_ocsd *tree = arg;

	if (packet->kind != CSG_PACKET_TRACE_INFO)
		return;
	tree->informed = true;
	tree->bad_depth = packet->n > tree->max_spec;
}

int csg_ocsd_create(struct csg_ocsd **result, const struct csg_source *source,
		    enum csg_ocsd_mode mode, const struct csg_ocsd_client *client,
		    const struct csg_diag_sink *sink)
{
	struct csg_ocsd *tree = calloc(1, sizeof(*tree));
	ocsd_err_t err;
	bool no_memory;

	*result = NULL;
	if (!tree)
		return -CSG_E_NO_MEMORY;
	tree->client = *client;
	tree->full = mode == CSG_OCSD_FULL;
	tree->max_spec = (uint32_t)source->trcidr8;
	csg_reader_init(&tree->reader, source, on_read, tree);
	tree->failures = csg_new_failures_watch();
	tree->tree = ocsd_create_dcd_tree(OCSD_TRC_SRC_SINGLE, 0);
	if (tree->tree == C_API_INVALID_TREE_HANDLE) {
		csg_ocsd_destroy(tree);
		return -CSG_E_NO_MEMORY;
	}
	err = csg_ocsd_can_decode(source) ? set_up(tree, source) : OCSD_ERR_HW_CFG_UNSUPP;
	if (err == OCSD_OK && tree->full)
		set_address(tree, source);
	no_memory = csg_ocsd_failed(tree);
	if (err == OCSD_OK && !no_memory) {
		*result = tree;
		return 0;
	}
	csg_ocsd_destroy(tree);
	if (no_memory)
		return -CSG_E_NO_MEMORY;
	if (err == OCSD_ERR_NO_PROTOCOL)
		return -CSG_E_UNSUPPORTED;
	return csg_report(sink, CSG_WARNING, CSG_E_UNSUPPORTED, NULL, CSG_NO_OFFSET,
			  "record without data, load/store P0 or conditional instruction tracing",
			  "trace ID 0x%02x: OpenCSD cannot decode TRCCONFIGR 0x%llx (error %d)",
			  source->trace_id, (unsigned long long)source->trcconfigr, (int)err);
}

void csg_ocsd_destroy(struct csg_ocsd *tree)
{
	if (!tree)
		return;
	ocsd_destroy_dcd_tree(tree->tree);
	csg_new_failures_unwatch();
	free(tree);
}

static enum csg_ocsd_state state_of(struct csg_ocsd *tree, ocsd_datapath_resp_t response)
{
	/* What it throws that is no error of its own is std::bad_alloc. */
	tree->failed |= response == OCSD_RESP_FATAL_SYS_ERR;
	if (OCSD_DATA_RESP_IS_FATAL(response))
		return CSG_OCSD_DEAD;
	return OCSD_DATA_RESP_IS_WAIT(response) ? CSG_OCSD_PAUSED : CSG_OCSD_READY;
}

static void read_along_anew(struct csg_ocsd *tree)
{
	csg_reader_restart(&tree->reader);
	tree->informed = tree->bad_depth = false;
}

/*
 * A Trace Info that tells of more uncommitted elements than the unit can have makes OpenCSD commit
 * what is not there; 1.3.3 crashes.  It is not given to it: how many bytes come before its last.
 */
static uint32_t up_to_bad_depth(struct csg_ocsd *tree, uint64_t index, const uint8_t *bytes,
				uint32_t n)
{
	for (uint32_t i = 0; i < n && tree->full && !tree->informed; i++) {
		csg_reader_byte(&tree->reader, index + i, bytes[i]);
		if (tree->bad_depth)
			return i;
	}
	return n;
}

static enum csg_ocsd_state give(struct csg_ocsd *tree, uint64_t index, const uint8_t *bytes,
				uint32_t n, uint32_t *used)
{
	*used = 0;
	tree->end = index + n;
	return state_of(tree, ocsd_dt_process_data(tree->tree, OCSD_OP_DATA,
						   (ocsd_trc_index_t)index, n, bytes, used));
}

enum csg_ocsd_state csg_ocsd_data(struct csg_ocsd *tree, uint64_t index, const uint8_t *bytes,
				  uint32_t n, uint32_t *used)
{
	uint32_t good = up_to_bad_depth(tree, index, bytes, n);
	enum csg_ocsd_state state = CSG_OCSD_READY;

	*used = 0;
	if (good)
		state = give(tree, index, bytes, good, used);
	if (good == n || state != CSG_OCSD_READY)
		return state;
	(*used)++;
	return CSG_OCSD_DEAD;
}

enum csg_ocsd_state csg_ocsd_resume(struct csg_ocsd *tree)
{
	return state_of(tree, ocsd_dt_process_data(tree->tree, OCSD_OP_FLUSH, 0, 0, NULL, NULL));
}

enum csg_ocsd_state csg_ocsd_end(struct csg_ocsd *tree)
{
	return state_of(tree, ocsd_dt_process_data(tree->tree, OCSD_OP_EOT, 0, 0, NULL, NULL));
}

bool csg_ocsd_failed(const struct csg_ocsd *tree)
{
	return tree->failed || csg_new_failures() != tree->failures;
}

void csg_ocsd_reset(struct csg_ocsd *tree, uint64_t index)
{
	ocsd_dt_process_data(tree->tree, OCSD_OP_RESET, (ocsd_trc_index_t)index, 0, NULL, NULL);
	read_along_anew(tree);
}

/* The C API has no other way to drop the accessor's cache than to change the accessors. */
void csg_ocsd_forget_code(struct csg_ocsd *tree)
{
	if (!tree->full)
		return;
	ocsd_dt_remove_mem_acc(tree->tree, 0, OCSD_MEM_SPACE_ANY);
	add_code(tree);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/decode.h"

#include <stdlib.h>
#include <string.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "csguest/error.h"
#include "encoder/elems.h"

/*
 * OpenCSD forgets to free the addresses it drops at a mispredict; that is not a leak
 * of ours.
 */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#define LEAKS_OFF() __lsan_disable()
#define LEAKS_ON() __lsan_enable()
#else
#define LEAKS_OFF()
#define LEAKS_ON()
#endif

struct run {
	const struct csg_enc_decode *d;
	struct csg_enc_elems *out;
	struct csg_enc_elem state; /* the context, latched */
};

uint32_t csg_enc_decode_version(void)
{
	return ocsd_get_version();
}

static uint32_t read_code(const void *arg, const ocsd_vaddr_t address,
			  const ocsd_mem_space_acc_t space, const uint8_t id, const uint32_t size,
			  uint8_t *buffer)
{
	const struct run *run = arg;

	(void)id;
	if (run->d->el)
		*run->d->el = space == OCSD_MEM_SPACE_EL2 ? 2 : run->state.el;
	return (uint32_t)run->d->read(run->d->arg, address, buffer, size);
}

static void latch(struct run *run, const ocsd_pe_context *c)
{
	static const uint8_t security[] = {
		[ocsd_sec_secure] = CSG_ENC_SECURE,
		[ocsd_sec_nonsecure] = CSG_ENC_NONSECURE,
		[ocsd_sec_root] = CSG_ENC_ROOT,
		[ocsd_sec_realm] = CSG_ENC_REALM,
	};

	if (c->el_valid)
		run->state.el = (uint8_t)c->exception_level;
	run->state.security = security[c->security_level];
	run->state.aarch32 = !c->bits64;
	if (c->ctxt_id_valid)
		run->state.id = c->context_id;
	if (c->vmid_valid)
		run->state.virt = c->vmid;
}

static void range(struct csg_enc_elem *e, const ocsd_generic_trace_elem *in)
{
	e->start = in->st_addr;
	e->end = in->en_addr;
	e->count = in->num_instr_range;
	e->executed = in->last_instr_exec;
}

static ocsd_datapath_resp_t element(const void *arg, const ocsd_trc_index_t index, const uint8_t id,
				    const ocsd_generic_trace_elem *in)
{
	struct run *run = (struct run *)(uintptr_t)arg;
	struct csg_enc_elem e = run->state;

	(void)index;
	(void)id;
	switch (in->elem_type) {
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		memset(&run->state, 0, sizeof(run->state));
		memset(&e, 0, sizeof(e));
		e.kind = CSG_ENC_ELEM_NO_SYNC;
		break;
	case OCSD_GEN_TRC_ELEM_TRACE_ON:
		e.kind = CSG_ENC_ELEM_TRACE_ON;
		break;
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		latch(run, &in->context);
		return OCSD_RESP_CONT;
	case OCSD_GEN_TRC_ELEM_EO_TRACE:
		return OCSD_RESP_CONT;
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		e.kind = CSG_ENC_ELEM_RANGE;
		range(&e, in);
		break;
	case OCSD_GEN_TRC_ELEM_I_RANGE_NOPATH:
		e.kind = CSG_ENC_ELEM_NO_PATH;
		range(&e, in);
		e.executed = false;
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION:
		e.kind = CSG_ENC_ELEM_EXCEPTION;
		e.value = in->exception_number;
		e.end = in->en_addr;
		break;
	case OCSD_GEN_TRC_ELEM_EXCEPTION_RET:
		e.kind = CSG_ENC_ELEM_EXCEPTION_RETURN;
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		e.kind = CSG_ENC_ELEM_TIME;
		e.value = in->timestamp;
		e.count = in->has_cc ? in->cycle_count : 0;
		break;
	case OCSD_GEN_TRC_ELEM_CYCLE_COUNT:
		e.kind = CSG_ENC_ELEM_CYCLES;
		e.value = in->cycle_count;
		break;
	case OCSD_GEN_TRC_ELEM_EVENT:
		e.kind = CSG_ENC_ELEM_EVENT;
		e.value = in->trace_event.ev_number;
		break;
	case OCSD_GEN_TRC_ELEM_SYNC_MARKER:
		e.kind = CSG_ENC_ELEM_MARKER;
		break;
	case OCSD_GEN_TRC_ELEM_MEMTRANS:
		e.kind = CSG_ENC_ELEM_TRANSACTION;
		e.value = in->mem_trans;
		break;
#if OCSD_VER_NUM >= 0x010500
	case OCSD_GEN_TRC_ELEM_INSTRUMENTATION:
		e.kind = CSG_ENC_ELEM_INSTRUMENTATION;
		e.count = in->sw_ite.el;
		e.value = in->sw_ite.value;
		break;
#endif
	default:
		e.kind = CSG_ENC_ELEM_OTHER;
		e.start = in->st_addr;
		e.value = in->elem_type;
		break;
	}
	csg_enc_elems_add(run->out, &e);
	return OCSD_RESP_CONT;
}

static int create_decoder(dcd_tree_handle_t tree, const struct csg_enc_model *model)
{
	struct csg_enc_registers r;
	unsigned char id;
	int flags = OCSD_CREATE_FLG_FULL_DECODER;

	csg_enc_model_registers(model, &r);
	if (model->ete) {
		ocsd_ete_cfg cfg = {
			.reg_idr0 = r.idr0,
			.reg_idr1 = r.idr1,
			.reg_idr2 = r.idr2,
			.reg_idr8 = r.idr8,
			.reg_devarch = r.devarch,
			.reg_configr = r.configr,
			.reg_traceidr = r.traceidr,
			.arch_ver = ARCH_AA64,
			.core_prof = profile_CortexA,
		};

		/* ranges end at branches not taken before a source address, too */
		flags |= ETE_OPFLG_PKTDEC_SRCADDR_N_ATOMS;
		return ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETE, flags, &cfg, &id);
	} else {
		ocsd_etmv4_cfg cfg = {
			.reg_idr0 = r.idr0,
			.reg_idr1 = r.idr1,
			.reg_idr2 = r.idr2,
			.reg_idr8 = r.idr8,
			.reg_configr = r.configr,
			.reg_traceidr = r.traceidr,
			.arch_ver = ARCH_AA64,
			.core_prof = profile_CortexA,
		};

		return ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETMV4I, flags, &cfg, &id);
	}
}

static int process(dcd_tree_handle_t tree, const struct csg_enc_decode *d)
{
	size_t at = 0;
	uint32_t used;
	ocsd_datapath_resp_t resp = OCSD_RESP_CONT;

	while (at < d->size) {
		uint32_t piece = d->size - at > 0x10000 ? 0x10000 : (uint32_t)(d->size - at);

		resp = ocsd_dt_process_data(tree, OCSD_OP_DATA, at, piece, d->data + at, &used);
		if (resp != OCSD_RESP_CONT || !used)
			return -(int)resp - 1000;
		at += used;
	}
	resp = ocsd_dt_process_data(tree, OCSD_OP_EOT, 0, 0, NULL, &used);
	return resp == OCSD_RESP_CONT ? 0 : -(int)resp - 2000;
}

int csg_enc_decode(const struct csg_enc_decode *d, struct csg_enc_elems *out)
{
	struct run run = {.d = d, .out = out};
	dcd_tree_handle_t tree;
	int ret;

	LEAKS_OFF();
	ocsd_def_errlog_init(OCSD_ERR_SEV_NONE, 0);
	tree = ocsd_create_dcd_tree(
		d->formatted ? OCSD_TRC_SRC_FRAME_FORMATTED : OCSD_TRC_SRC_SINGLE,
		d->formatted ? OCSD_DFRMTR_FRAME_MEM_ALIGN | OCSD_DFRMTR_RESET_ON_4X_FSYNC : 0);
	if (!tree) {
		LEAKS_ON();
		return -CSG_E_NO_MEMORY;
	}
	ret = create_decoder(tree, d->model);
	if (!ret)
		ret = ocsd_dt_add_callback_trcid_mem_acc(tree, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY,
							 read_code, &run);
	if (!ret)
		ret = ocsd_dt_set_gen_elem_outfn(tree, element, &run);
	if (!ret)
		ret = process(tree, d);
	ocsd_destroy_dcd_tree(tree);
	LEAKS_ON();
	return ret < 0 ? ret : -ret;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "encoder/model.h"

#include <string.h>

void csg_enc_model_init(struct csg_enc_model *model, bool ete)
{
	memset(model, 0, sizeof(*model));
	model->ete = ete;
	model->minor = ete ? 1 : 2;
	model->commit_mode1 = true;
	model->transaction_p0 = true;
	model->vmid_bytes = 4;
	model->time_bits = 64;
	model->stack_depth = 3;
	model->trace_id = 0x10;
	model->virt = CSG_ENC_VIRTUAL_CONTEXTIDR2;
	model->clock = CSG_ENC_CLOCK_VIRTUAL;
	model->cc_threshold = 0x100;
	model->clock_mult = 1;
	model->clock_div = 1;
}

static uint32_t idr0(const struct csg_enc_model *m)
{
	uint32_t v = 1; /* RES1 */

	v |= 1u << 5;				   /* TRCBB */
	v |= 1u << 7;				   /* TRCCCI */
	v |= 1u << 9;				   /* RETSTACK */
	v |= 3u << 10;				   /* NUMEVENT: four */
	v |= (m->q_elements ? 3u : 0u) << 15;	   /* QSUPP: with and without count */
	v |= (m->marker ? 1u : 0u) << 23;	   /* TSMARK */
	v |= (m->time_bits == 48 ? 6u : 8u) << 24; /* TSSIZE */
	v |= (m->commit_mode1 ? 1u : 0u) << 29;	   /* COMMOPT */
	v |= (m->transaction_p0 ? 0u : 1u) << 30;  /* COMTRANS */
	return v;
}

static uint32_t idr2(const struct csg_enc_model *m)
{
	uint32_t v = 8; /* IASIZE: 64 bits */

	v |= 4u << 5;			    /* CIDSIZE: 32 bits */
	v |= (uint32_t)m->vmid_bytes << 10; /* VMIDSIZE */
	v |= 8u << 25;			    /* CCSIZE: 20 bits */
	v |= 1u << 29;			    /* VMIDOPT: programmable */
	v |= (m->wfx_p0 ? 1u : 0u) << 31;
	return v;
}

static uint32_t configr(const struct csg_enc_model *m)
{
	uint32_t v = 1; /* RES1 */

	v |= (m->branch_broadcast ? 1u : 0u) << 3;
	v |= (m->cycle_counts ? 1u : 0u) << 4;
	v |= (m->context_id ? 1u : 0u) << 6;
	v |= (m->virt != CSG_ENC_VIRTUAL_ABSENT ? 1u : 0u) << 7;
	v |= (m->clock != CSG_ENC_CLOCK_NONE ? 1u : 0u) << 11;
	v |= (m->return_stack ? 1u : 0u) << 12;
	v |= (m->q_elements ? 3u : 0u) << 13;
	if (m->virt >= CSG_ENC_VIRTUAL_CONTEXTIDR2)
		v |= 1u << 15; /* VMIDOPT */
	return v;
}

void csg_enc_model_registers(const struct csg_enc_model *model, struct csg_enc_registers *regs)
{
	memset(regs, 0, sizeof(*regs));
	regs->configr = configr(model);
	regs->traceidr = model->trace_id;
	regs->idr0 = idr0(model);
	regs->idr1 = model->ete ? 0x4100fff3u : 0x4100f403u | (uint32_t)model->minor << 4;
	regs->idr2 = idr2(model);
	regs->idr8 = model->max_spec;
	regs->authstatus = 0xcc;
	if (model->ete)
		regs->devarch = 0x47705a13u | (uint32_t)model->minor << 16;
}

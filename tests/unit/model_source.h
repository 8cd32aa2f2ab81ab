/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace unit of a model as a recording would describe it. */
#ifndef TESTS_UNIT_MODEL_SOURCE_H
#define TESTS_UNIT_MODEL_SOURCE_H

#include "encoder/model.h"
#include "recording/recording.h"

static inline struct csg_source model_source(const struct csg_enc_model *model)
{
	struct csg_enc_registers regs;

	csg_enc_model_registers(model, &regs);
	return (struct csg_source){
		.trace_id = model->trace_id,
		.protocol = model->ete ? CSG_PROTOCOL_ETE : CSG_PROTOCOL_ETMV4,
		.trcconfigr = regs.configr,
		.trctraceidr = regs.traceidr,
		.trcidr0 = regs.idr0,
		.trcidr1 = regs.idr1,
		.trcidr2 = regs.idr2,
		.trcidr8 = regs.idr8,
		.trcdevarch = regs.devarch,
	};
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/trace_unit.h"

#define TRCCONFIGR_VMID (1u << 7)
#define TRCCONFIGR_VMIDOPT (1u << 15)

enum csg_vctx_kind csg_trace_unit_vctx(const struct csg_trace_unit *unit)
{
	if (!unit || !(unit->trcconfigr & TRCCONFIGR_VMID))
		return CSG_VCTX_NONE;
	return unit->trcconfigr & TRCCONFIGR_VMIDOPT ? CSG_VCTX_CONTEXTIDR_EL2 : CSG_VCTX_VMID;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/row_text.h"

#include <inttypes.h>
#include <stdio.h>

static const char *number(char *buf, int64_t n, const char *unknown)
{
	if (n < 0)
		return unknown;
	snprintf(buf, CSG_ROW_TEXT_MAX, "%" PRId64, n);
	return buf;
}

const char *csg_row_cell(const struct csg_report_row *row, enum csg_report_key key, char *buf)
{
	const struct csg_report_label *l = &row->label;

	switch (key) {
	case CSG_REPORT_WORLD:
		return csg_world_name(l->world);
	case CSG_REPORT_EL:
		snprintf(buf, CSG_ROW_TEXT_MAX, "EL%u", l->el);
		return l->el < CSG_EL_UNKNOWN ? buf : NULL;
	case CSG_REPORT_VM:
		return number(buf, l->vm, NULL);
	case CSG_REPORT_GUEST:
		return l->guest[0] ? l->guest : NULL;
	case CSG_REPORT_VCPU:
		return number(buf, l->vcpu, NULL);
	case CSG_REPORT_LEVEL:
		return l->level == CSG_LEVEL_UNKNOWN ? NULL : number(buf, l->level, NULL);
	case CSG_REPORT_NESTED:
		return number(buf, l->nested, NULL);
	case CSG_REPORT_GUEST_TID:
		return number(buf, l->guest_tid, NULL);
	case CSG_REPORT_PID:
		return number(buf, l->pid, NULL);
	case CSG_REPORT_TID:
		return number(buf, l->tid, NULL);
	case CSG_REPORT_CPU:
		return number(buf, l->cpu, NULL);
	case CSG_REPORT_PROCESS:
		return l->process[0] ? l->process : NULL;
	case CSG_REPORT_COMM:
		return l->comm[0] ? l->comm : NULL;
	case CSG_REPORT_DSO:
		return row->dso;
	case CSG_REPORT_SYMBOL:
		return row->symbol;
	case CSG_REPORT_SRCLINE:
		return row->srcline;
	case CSG_REPORT_EVIDENCE:
		csg_evidence_text(l->evidence, buf, CSG_ROW_TEXT_MAX);
		return buf;
	case CSG_REPORT_REASON:
		return l->reason ? csg_reason_text(l->reason) : NULL;
	default:
		return NULL;
	}
}

/* What the text shows where a cell is not known. */
static const char *unknown_text(const struct csg_report_row *row, enum csg_report_key key)
{
	switch (key) {
	case CSG_REPORT_SYMBOL:
		return row->no_path ? "[path unknown]" : "[unknown]";
	case CSG_REPORT_PROCESS:
	case CSG_REPORT_COMM:
	case CSG_REPORT_DSO:
	case CSG_REPORT_SRCLINE:
		return "[unknown]";
	case CSG_REPORT_REASON:
		return "-";
	default:
		return "?";
	}
}

const char *csg_row_text(const struct csg_report_row *row, enum csg_report_key key, char *buf)
{
	const char *text = csg_row_cell(row, key, buf);

	if ((key == CSG_REPORT_VM && row->label.vm == CSG_VM_HOST) ||
	    (key == CSG_REPORT_NESTED && row->label.nested == CSG_VM_HOST) ||
	    (key == CSG_REPORT_GUEST_TID && row->label.guest_tid == CSG_REPORT_NO_GUEST_TID))
		return "-";
	if (key == CSG_REPORT_VM && row->label.vm > 0) {
		csg_vm_text(row->label.vm, buf, CSG_ROW_TEXT_MAX);
		return buf;
	}
	if ((key == CSG_REPORT_VCPU || key == CSG_REPORT_GUEST) && !text &&
	    row->label.world != CSG_WORLD_GUEST)
		return "-";
	return text ? text : unknown_text(row, key);
}

bool csg_row_is_number(enum csg_report_key key)
{
	return key == CSG_REPORT_VM || key == CSG_REPORT_VCPU || key == CSG_REPORT_PID ||
	       key == CSG_REPORT_TID || key == CSG_REPORT_CPU || key == CSG_REPORT_LEVEL ||
	       key == CSG_REPORT_NESTED || key == CSG_REPORT_GUEST_TID;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/model/kvm_events.h"

static void read_format(struct csg_kvm_format *format, const uint8_t *bytes, size_t len,
			const char *name, bool exit)
{
	struct csg_kvm_format found = {.known = true};
	struct csg_tracepoint_format text;

	if (csg_tracing_data_find(bytes, len, "kvm", name, &text) &&
	    csg_tracepoint_id(&text, &found.id) &&
	    csg_tracepoint_find(&text, "vcpu_pc", &found.pc) && found.pc.size == 8 &&
	    (!exit || (csg_tracepoint_find(&text, "ret", &found.ret) &&
		       csg_tracepoint_find(&text, "esr_ec", &found.esr_ec))))
		*format = found;
}

void csg_kvm_formats_read(struct csg_kvm_formats *formats, const uint8_t *bytes, size_t len)
{
	read_format(&formats->entry, bytes, len, "kvm_entry", false);
	read_format(&formats->exit, bytes, len, "kvm_exit", true);
}

bool csg_kvm_event_read(const struct csg_kvm_formats *formats, const char *name, uint64_t config,
			const uint8_t *raw, size_t len, struct csg_kvm_event *event)
{
	const bool exit = csg_tracepoint_is(name, "kvm:kvm_exit");
	const bool nested = csg_tracepoint_is(name, "kvm:kvm_nested_eret") ||
			    csg_tracepoint_is(name, "kvm:kvm_inject_nested_exception");
	const struct csg_kvm_format *format = exit ? &formats->exit : &formats->entry;
	uint64_t ret = 0, esr_ec = 0;

	if (!exit && !nested && !csg_tracepoint_is(name, "kvm:kvm_entry"))
		return false;
	*event = (struct csg_kvm_event){.exit = exit, .nested = nested};
	if (nested || !format->known || format->id != config ||
	    !csg_tracepoint_get(&format->pc, raw, len, &event->pc))
		return true;
	event->has_pc = !exit || (csg_tracepoint_get(&format->ret, raw, len, &ret) &&
				  csg_tracepoint_get(&format->esr_ec, raw, len, &esr_ec));
	event->ret = (int32_t)ret;
	event->esr_ec = (uint32_t)esr_ec;
	return true;
}

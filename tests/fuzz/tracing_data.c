/* SPDX-License-Identifier: BSD-3-Clause */
/* HEADER_TRACING_DATA: formats of KVM's events, and a sample's raw bytes read by them. */
#include "fuzz/input.h"
#include "recording/model/kvm_events.h"

#define RAW 32 /* bytes at the end are the sample's */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csg_kvm_formats formats = {0};
	struct csg_kvm_event event;
	size_t raw = size < RAW ? size : RAW;

	csg_kvm_formats_read(&formats, data, size - raw);
	csg_kvm_event_read(&formats, "kvm:kvm_entry", formats.entry.id, data + size - raw, raw,
			   &event);
	fuzz_require(!event.exit && (!event.has_pc || formats.entry.known),
		     "an entry has a PC by its format only");
	csg_kvm_event_read(&formats, "kvm:kvm_exit", formats.exit.id, data + size - raw, raw,
			   &event);
	fuzz_require(event.exit && (!event.has_pc || formats.exit.known),
		     "an exit has a PC by its format only");
	return 0;
}

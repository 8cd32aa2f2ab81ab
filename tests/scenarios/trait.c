/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "encoder/perf_writer.h"
#include "scenario.h"

/* Words of `trace:`: what the unit and its programming are. */
static const struct {
	const char *word;
	size_t offset;
	unsigned size;
	uint64_t value;
} traits[] = {
#define TRAIT(word, member, value)                                                                 \
	{                                                                                          \
		word, offsetof(struct scn, member), sizeof(((struct scn *)0)->member), value       \
	}
	TRAIT("CONTEXTIDR_EL2", model.virt, CSG_ENC_VIRTUAL_CONTEXTIDR2),
	TRAIT("VMID", model.virt, CSG_ENC_VIRTUAL_VMID),
	TRAIT("zero-context", model.virt, CSG_ENC_VIRTUAL_ZERO),
	TRAIT("silent-context", model.virt, CSG_ENC_VIRTUAL_SILENT),
	TRAIT("no-virtual-context", model.virt, CSG_ENC_VIRTUAL_ABSENT),
	TRAIT("CONTEXTIDR_EL1", model.context_id, true),
	TRAIT("virtual-time", model.clock, CSG_ENC_CLOCK_VIRTUAL),
	TRAIT("physical-time", model.clock, CSG_ENC_CLOCK_PHYSICAL),
	TRAIT("unrelated-time", model.clock, CSG_ENC_CLOCK_UNRELATED),
	TRAIT("zero-time", model.clock, CSG_ENC_CLOCK_ZERO),
	TRAIT("no-time", model.clock, CSG_ENC_CLOCK_NONE),
	TRAIT("return-stack", model.return_stack, true),
	TRAIT("speculates", model.max_spec, 8),
	TRAIT("commits-late", model.lazy_commit, true),
	TRAIT("user-only", model.exclude_el, 4),
	TRAIT("no-EL1", model.exclude_el, 2),
	TRAIT("no-kernel", model.exclude_el, 6),
	TRAIT("no-guest", model.exclude_guest, true),
	TRAIT("no-host", model.exclude_host, true),
	TRAIT("no-EL2", model.exclude_el, 4),
	TRAIT("no-EL2-no-EL3", model.exclude_el, 12),
	TRAIT("context-after-on-omitted", model.after_on, CSG_ENC_AFTER_ON_OMITTED),
	TRAIT("context-after-on-same", model.after_on, CSG_ENC_AFTER_ON_SAME),
	TRAIT("context-after-on-short", model.after_on, CSG_ENC_AFTER_ON_SHORT),
	TRAIT("eret-after-target", model.address_before_eret, true),
	TRAIT("no-excluded-target", model.no_excluded_target, true),
	TRAIT("no-context-at-exceptions", model.no_exception_context, true),
	TRAIT("no-time-at-sync", model.no_time_at_sync, true),
	TRAIT("dense-sync", model.sync_period, 24),
	TRAIT("instrumentation", model.minor, 3),
	TRAIT("snapshot", snapshot, true),
	TRAIT("own-sinks", separate_sinks, true),
	TRAIT("raw", raw, true),
	TRAIT("no-switches", no_switches, true),
	TRAIT("no-comms", no_comms, true),
	TRAIT("per-thread", per_thread, true),
	TRAIT("exclude_kernel", etm_flags, CSG_ENC_ATTR_EXCLUDE_KERNEL),
	TRAIT("exclude_guest", etm_flags, CSG_ENC_ATTR_EXCLUDE_GUEST),
	TRAIT("exclude_host", etm_flags, CSG_ENC_ATTR_EXCLUDE_HOST),
#undef TRAIT
};

void scn_trace_line(struct scn *s, const struct scn_line *l)
{
	for (unsigned w = 1; w < l->count; w++) {
		unsigned i = 0;

		if (!strcmp(l->words[w], "ETE") || !strcmp(l->words[w], "ETMv4")) {
			csg_enc_model_init(&s->model,
					   l->words[w][1] == 'T' && l->words[w][2] == 'E');
			continue;
		}
		while (i < sizeof(traits) / sizeof(*traits) &&
		       strcmp(traits[i].word, l->words[w]) != 0)
			i++;
		if (i == sizeof(traits) / sizeof(*traits))
			scn_die(l, "trace has no '%s'", l->words[w]);
		memcpy((char *)s + traits[i].offset, &traits[i].value, traits[i].size);
	}
}

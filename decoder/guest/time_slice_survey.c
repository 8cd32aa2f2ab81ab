/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/time_slice_survey.h"

#include <stdlib.h>

#include "base/abi.h"
#include "csguest/error.h"
#include "guest/facts/attribution_facts.h"
#include "guest/slices/time_slice_match.h"
#include "guest/slices/time_slice_watch.h"
#include "world/policy.h"

struct csg_time_slice_survey {
	const struct csg_facts *facts;
	int32_t cpu;
	struct csg_time_slices slices; /* of the current piece */
	struct csg_time_slice_watch watch;
};

bool csg_time_slice_survey_tells(const struct csg_facts *facts, const struct csg_trace_unit *unit)
{
	size_t intervals;

	/* Only a Linux that runs at EL2 is known to be the host's kernel without more. */
	csg_residency_intervals(&facts->residency, unit->cpu, &intervals);
	return csg_policy_has(facts->options.hypervisor, CSG_TRAIT_HOST_AT_EL2) && intervals &&
	       csg_trace_unit_vctx(unit) != CSG_VCTX_CONTEXTIDR_EL2;
}

int csg_time_slice_survey_create(struct csg_time_slice_survey **result,
				 const struct csg_attribution *attribution,
				 const struct csg_trace_unit *unit, uint64_t switch_to)
{
	const struct csg_facts *facts;
	struct csg_time_slice_survey *survey;
	struct csg_trace_unit copy;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!attribution || csg_abi_take(&copy, sizeof(copy), sizeof(copy), unit))
		return -CSG_E_USAGE;
	facts = csg_attribution_facts(attribution);
	if (!switch_to || !csg_time_slice_survey_tells(facts, &copy))
		return 0;
	survey = calloc(1, sizeof(*survey));
	if (!survey)
		return -CSG_E_NO_MEMORY;
	survey->facts = facts;
	survey->cpu = copy.cpu;
	survey->watch =
		(struct csg_time_slice_watch){.slices = &survey->slices,
					      .switch_to = switch_to,
					      .sights = facts->kvm_visits.count > 0,
					      .steady = copy.ts_source != CSG_TS_SOURCE_VIRTUAL};
	*result = survey;
	return 1;
}

void csg_time_slice_survey_destroy(struct csg_time_slice_survey *survey)
{
	if (!survey)
		return;
	csg_time_slices_fini(&survey->slices);
	free(survey);
}

void csg_time_slice_survey_begin(struct csg_time_slice_survey *survey, uint64_t index)
{
	if (!survey)
		return;
	survey->slices.count = 0;
	/* A time slice is between two indices; the first byte is in it. */
	survey->slices.vcpus = &survey->facts->vcpus;
	csg_time_slice_watch_begin(&survey->watch, index ? index - 1 : 0);
}

int csg_time_slice_survey_see(struct csg_time_slice_survey *survey,
			      const struct csg_element *element, const struct csg_owner *owner)
{
	if (!survey || !element || !owner)
		return -CSG_E_USAGE;
	return csg_time_slice_watch_see(&survey->watch, element, owner);
}

int csg_time_slice_survey_end(struct csg_time_slice_survey *survey, uint64_t begin_time,
			      uint64_t end_time, const struct csg_attribution_time_slice **slices,
			      size_t *n)
{
	int err;

	if (!survey || !slices || !n)
		return -CSG_E_USAGE;
	err = csg_time_slice_watch_end(&survey->watch);
	if (!err)
		err = csg_time_slices_match(&survey->slices, 0, &survey->facts->residency,
					    &survey->facts->kvm_visits, survey->cpu, begin_time,
					    end_time);
	*n = err ? 0 : survey->slices.count;
	*slices = *n ? survey->slices.slices : NULL;
	return err;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/time_slice_survey.h"

#include <stdlib.h>

#include "base/abi.h"
#include "csguest/error.h"
#include "guest/attribution_state.h"
#include "guest/slices/time_slice_match.h"
#include "world/policy.h"

bool csg_time_slice_survey_tells(const struct csg_attribution *a, const struct csg_trace_unit *unit)
{
	size_t intervals;

	/* Only a Linux that runs at EL2 is known to be the host's kernel without more. */
	csg_residency_intervals(&a->facts.residency, unit->cpu, &intervals);
	return csg_policy_has(a->facts.options.hypervisor, CSG_TRAIT_HOST_AT_EL2) && intervals &&
	       csg_trace_unit_vctx(unit) != CSG_VCTX_CONTEXTIDR_EL2;
}

void csg_time_slice_survey_init(struct csg_time_slice_survey *survey,
				const struct csg_attribution *attribution,
				const struct csg_trace_unit *unit, struct csg_time_slices *slices)
{
	*survey = (struct csg_time_slice_survey){
		.attribution = attribution,
		.cpu = unit->cpu,
		.slices = slices,
		.watch = {.slices = slices,
			  .sights = attribution->facts.kvm_visits.count > 0,
			  .steady = unit->ts_source != CSG_TS_SOURCE_VIRTUAL},
	};
	slices->vcpus = &attribution->facts.vcpus;
}

void csg_time_slice_survey_go_on(struct csg_time_slice_survey *survey, uint64_t index)
{
	/* A time slice is between two indices; the first byte is in it. */
	csg_time_slice_watch_begin(&survey->watch, index ? index - 1 : 0);
}

int csg_time_slice_survey_close(struct csg_time_slice_survey *survey)
{
	return csg_time_slice_watch_end(&survey->watch);
}

int csg_time_slice_survey_match(struct csg_time_slice_survey *survey, size_t first, uint64_t from,
				uint64_t until)
{
	const struct csg_facts *facts = &survey->attribution->facts;

	return csg_time_slices_match(survey->slices, first, &facts->residency, &facts->kvm_visits,
				     survey->cpu, from, until);
}

/* --- csguest/time_slice_survey.h --- */

int csg_time_slice_survey_create(struct csg_time_slice_survey **result,
				 const struct csg_attribution *attribution,
				 const struct csg_trace_unit *unit, uint64_t switch_to)
{
	struct csg_time_slice_survey *survey;
	struct csg_time_slices *slices;
	struct csg_trace_unit copy;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!attribution || csg_abi_take(&copy, sizeof(copy), sizeof(copy), unit))
		return -CSG_E_USAGE;
	if (!switch_to || !csg_time_slice_survey_tells(attribution, &copy))
		return 0;
	survey = calloc(1, sizeof(*survey));
	slices = calloc(1, sizeof(*slices));
	if (!survey || !slices) {
		free(survey);
		free(slices);
		return -CSG_E_NO_MEMORY;
	}
	csg_time_slice_survey_init(survey, attribution, &copy, slices);
	survey->watch.switch_to = switch_to;
	*result = survey;
	return 1;
}

void csg_time_slice_survey_destroy(struct csg_time_slice_survey *survey)
{
	if (!survey)
		return;
	csg_time_slices_fini(survey->slices);
	free(survey->slices);
	free(survey);
}

void csg_time_slice_survey_begin(struct csg_time_slice_survey *survey, uint64_t index)
{
	if (!survey)
		return;
	survey->slices->count = 0;
	csg_time_slice_survey_go_on(survey, index);
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
	err = csg_time_slice_survey_close(survey);
	if (!err)
		err = csg_time_slice_survey_match(survey, 0, begin_time, end_time);
	*n = err ? 0 : survey->slices->count;
	*slices = *n ? survey->slices->slices : NULL;
	return err;
}

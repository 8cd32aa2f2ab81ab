/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/level_survey.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "csguest/session.h"
#include "guest/answers.h"
#include "guest/attribution.h"
#include "guest/level_watch.h"
#include "image/kernel/kernel_extent.h"
#include "image/kernel/kernel_proof.h"
#include "image/machine.h"
#include "image/space.h"
#include "session/open/each_batch.h"
#include "util/array.h"
#include "world/returns_at_once.h"

/* Kernels without nested guests have few of the needed ones, so these are asked for first. */
static int find_anchors(struct csg_space *kernel, uint64_t *anchors, bool needed, bool *found)
{
	int err = 0;

	*found = true;
	for (size_t i = 0; !err && *found && i < CSG_LEVEL_ANCHOR_COUNT; i++) {
		const enum csg_level_anchor anchor = (enum csg_level_anchor)i;

		if (csg_level_anchor_is_needed(anchor) != needed)
			continue;
		err = csg_space_kernel_address(kernel, csg_level_anchor_name(anchor), &anchors[i]);
		*found = !needed || anchors[i];
	}
	return err;
}

static int read_kernel(void *arg, uint64_t address, const uint8_t **bytes, size_t *len)
{
	return csg_space_peek(arg, address, UINT64_MAX, bytes, len, NULL);
}

/* What kvm_nested_flush_hwstate() calls, it calls for vCPUs with vEL2: without any call it shows
 * nothing. */
static int find_flush_end(struct csg_level_survey *survey, struct csg_space *kernel)
{
	const uint64_t start = survey->anchors[CSG_LEVEL_FLUSH_AT];
	struct csg_symbol symbol = {0};
	int err = csg_space_symbol(kernel, start, UINT64_MAX, &symbol);

	survey->flush_end =
		csg_code_has_call(start, symbol.end, read_kernel, kernel) ? symbol.end : 0;
	return err == -CSG_E_NO_MEMORY ? err : 0;
}

/*
 * KVM runs guests of guests where the CPUs have ARM64_HAS_NESTED_VIRT, which Linux sets with
 * kvm-arm.mode=nested alone.  Code that came with the recording is patched by it; a vmlinux is not.
 */
static bool lacks_nesting(const struct csg_level_survey *survey, struct csg_space *kernel)
{
	return survey->flush_end && !csg_machine_names_kernel_code(survey->registry->host) &&
	       csg_code_returns_at_once(survey->anchors[CSG_LEVEL_FLUSH_AT], read_kernel, kernel);
}

/* Symbols with KVM's entry and no function of its nested guests: the kernel is older, or lacks
 * them. */
static int find_no_nesting(struct csg_level_survey *survey, struct csg_space *kernel)
{
	uint64_t entry = 0;
	int err = csg_space_kernel_address(kernel, "__guest_enter", &entry);

	survey->ruled_out = entry && !survey->anchors[CSG_LEVEL_FLUSH_AT];
	return err;
}

int csg_level_survey_init(struct csg_level_survey *survey)
{
	const struct csg_attribution *attribution = survey->registry->attribution;
	struct csg_space *kernel = csg_machine_kernel(survey->registry->host);
	bool found;
	int err;

	survey->anchors = NULL;
	survey->ruled_out = false;
	if (!kernel || csg_attribution_hypervisor(attribution) != CSG_HV_KVM_VHE ||
	    !csg_attribution_shows_guests(attribution))
		return 0;
	survey->anchors = calloc(CSG_LEVEL_ANCHOR_COUNT, sizeof(*survey->anchors));
	if (!survey->anchors)
		return -CSG_E_NO_MEMORY;
	err = find_anchors(kernel, survey->anchors, true, &found);
	if (!err && found)
		err = find_anchors(kernel, survey->anchors, false, &found);
	if (!err && found)
		err = find_flush_end(survey, kernel);
	if (!err && found)
		survey->ruled_out = lacks_nesting(survey, kernel);
	else if (!err)
		err = find_no_nesting(survey, kernel);
	if (err || !found || survey->ruled_out)
		csg_level_survey_fini(survey);
	return err;
}

void csg_level_survey_fini(struct csg_level_survey *survey)
{
	free(survey->anchors);
	free(survey->vms);
	survey->anchors = NULL;
	survey->vms = NULL;
}

int csg_level_survey_settle(struct csg_level_survey *survey)
{
	int err = 0;

	for (size_t i = 0; !err && i < survey->vm_count; i++) {
		const struct csg_level_vm *vm = &survey->vms[i];

		if (vm->plain && !vm->has_el2 && vm->vm == CSG_VM_UNKNOWN)
			continue;
		if (vm->plain && !vm->has_el2)
			err = csg_attribution_plain_vm(survey->registry->attribution, vm->vm);
		else
			survey->nests = true;
	}
	if (!err && survey->nests)
		csg_attribution_nests(survey->registry->attribution);
	return err;
}

int csg_level_survey_nesting(struct csg_registry *registry)
{
	struct csg_level_survey survey = {.registry = registry};
	int err = csg_level_survey_init(&survey), nesting = 0;

	if (survey.anchors && survey.flush_end && !csg_machine_names_kernel_code(registry->host))
		nesting |= CSG_NESTING_HOST;
	if (registry->nested_ran || csg_attribution_shows_nested(registry->attribution))
		nesting |= CSG_NESTING_GUESTS;
	csg_level_survey_fini(&survey);
	return err ? err : nesting;
}

struct surveyor {
	struct csg_level_watch watch;
	struct csg_level_survey *survey;
	struct csg_level_vm *last;
	struct csg_registry *registry;
	const struct csg_chunk *chunk;
	int32_t cpu;
	int err;
};

static void on_conflict(void *arg, uint64_t index)
{
	struct surveyor *s = arg;
	int err = csg_attribution_levels_conflict(s->registry->attribution, s->cpu, index,
						  s->chunk->begin_time);

	s->err = err ? err : s->err;
}

static struct csg_level_vm *find_vm(struct csg_level_survey *survey, int32_t vm)
{
	size_t i = 0;

	while (i < survey->vm_count && survey->vms[i].vm != vm)
		i++;
	if (i == survey->vm_count) {
		if (csg_array_grow((void **)&survey->vms, i, &survey->vm_capacity,
				   sizeof(*survey->vms)))
			return NULL;
		survey->vms[survey->vm_count++] = (struct csg_level_vm){.vm = vm};
	}
	return &survey->vms[i];
}

static void on_vm(void *arg, int32_t vm, enum csg_level_vcpu vcpu)
{
	struct surveyor *s = arg;
	struct csg_level_vm *known = s->last;

	if (!known || known->vm != vm)
		known = find_vm(s->survey, vm);
	s->last = known;
	if (!known) {
		s->err = -CSG_E_NO_MEMORY;
		return;
	}
	known->plain |= vcpu == CSG_LEVEL_VCPU_PLAIN;
	known->has_el2 |= vcpu == CSG_LEVEL_VCPU_HAS_EL2;
}

static int see_batch(void *arg, const struct csg_batch *batch)
{
	struct surveyor *s = arg;
	const struct csg_chunk *chunk = batch->chunk;
	bool goes_on = s->chunk && (s->chunk == chunk ||
				    (s->chunk + 1 == chunk && chunk->flags & CSG_CHUNK_CONTINUES));
	int err = 0;

	if (!goes_on)
		csg_level_watch_begin(&s->watch, chunk->position);
	s->chunk = chunk;
	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct csg_element *e = &batch->elements[i];

		err = csg_level_watch_see(&s->watch, e,
					  csg_owner_table_get(&s->registry->owners, e->owner));
	}
	return err ? err : s->err;
}

int csg_level_survey_source(struct csg_level_survey *survey, const struct csg_source *source,
			    struct csg_switch_survey *found)
{
	const struct csg_stream_setup setup = {.rec = survey->rec,
					       .source = source,
					       .registry = survey->registry,
					       .engine = CSG_ENGINE_FAST,
					       .pool = survey->pool,
					       .host_only = true};
	struct surveyor s = {.survey = survey, .registry = survey->registry, .cpu = source->cpu};
	struct csg_stream *stream;
	int err;

	s.watch = (struct csg_level_watch){
		.flush_end = survey->flush_end, .conflict = on_conflict, .vm = on_vm, .arg = &s};
	memcpy(s.watch.anchors, survey->anchors, sizeof(s.watch.anchors));
	err = csg_stream_create(&stream, &setup);
	if (!err)
		err = csg_each_batch(stream, see_batch, &s);
	csg_stream_destroy(stream);
	csg_level_watch_end(&s.watch);
	if (err) {
		csg_level_watch_fini(&s.watch);
		return err;
	}
	survey->nests |=
		s.watch.nests || csg_attribution_shows_nested(survey->registry->attribution);
	found->levels = s.watch.levels;
	found->level_count = s.watch.count;
	for (size_t i = 0; i < found->level_count; i++)
		s.registry->nested_ran |= found->levels[i].level == CSG_LEVEL_NESTED;
	return 0;
}

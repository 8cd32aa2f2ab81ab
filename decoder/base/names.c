/* SPDX-License-Identifier: BSD-3-Clause */
/* The words for the enumerations of the public headers. */
#include <stdio.h>
#include <string.h>

#include "csguest/element.h"
#include "csguest/error.h"
#include "csguest/hypervisor.h"
#include "csguest/owner.h"

#define TEXT(name, text) text,
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const char *const worlds[] = {CSG_WORLDS(TEXT)};
static const char *const reasons[] = {CSG_REASONS(TEXT)};
static const char *const elements[] = {CSG_ELEMENTS(TEXT)};
static const char *const gaps[] = {CSG_GAPS(TEXT)};
static const char *const hypervisors[] = {CSG_HYPERVISORS(TEXT)};

static const struct {
	uint32_t bit;
	const char *text;
} sources[] = {
#define EVIDENCE(name, bit, text) {1u << (bit), text},
	CSG_EVIDENCE_SOURCES(EVIDENCE)
#undef EVIDENCE
};

static const char *word(const char *const *words, size_t count, size_t n)
{
	return n < count ? words[n] : "invalid";
}

const char *csg_world_name(enum csg_world world)
{
	return word(worlds, LENGTH(worlds), world);
}

const char *csg_reason_text(enum csg_reason reason)
{
	return word(reasons, LENGTH(reasons), reason);
}

const char *csg_element_name(enum csg_element_kind kind)
{
	return word(elements, LENGTH(elements), kind);
}

const char *csg_gap_name(enum csg_gap gap)
{
	return word(gaps, LENGTH(gaps), gap);
}

const char *csg_hypervisor_name(enum csg_hypervisor kind)
{
	return word(hypervisors, LENGTH(hypervisors), kind);
}

int csg_hypervisor_parse(const char *text)
{
	for (size_t i = 0; text && i < LENGTH(hypervisors); i++)
		if (!strcmp(text, hypervisors[i]))
			return (int)i;
	return -CSG_E_USAGE;
}

int csg_evidence_text(uint32_t evidence, char *buf, size_t size)
{
	size_t len = 0;

	if (!evidence)
		return snprintf(buf, size, "none");
	for (size_t i = 0; i < LENGTH(sources); i++) {
		if (!(evidence & sources[i].bit))
			continue;
		len += (size_t)snprintf(len < size ? buf + len : NULL, len < size ? size - len : 0,
					"%s%s", len ? ", " : "", sources[i].text);
	}
	return (int)len;
}

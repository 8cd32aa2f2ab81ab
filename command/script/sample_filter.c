/* SPDX-License-Identifier: BSD-3-Clause */
#include "script/sample_filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "text/number_set.h"

#define NS_PER_S 1000000000u
#define NS_DIGITS 9

void csg_sample_filter_fini(struct csg_sample_filter *filter)
{
	for (size_t i = 0; i < filter->comm_count; i++)
		free(filter->comms[i]);
	free(filter->comms);
	free(filter->times);
	*filter = (struct csg_sample_filter){0};
}

static size_t pieces(const char *text, char divider)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == divider;
	return n;
}

int csg_sample_filter_comms(struct csg_sample_filter *filter, const char *text)
{
	size_t n = pieces(text, ',');
	char **comms = realloc(filter->comms, (filter->comm_count + n) * sizeof(*comms));

	if (!comms)
		return -CSG_E_NO_MEMORY;
	filter->comms = comms;
	while (n--) {
		size_t length = strcspn(text, ",");

		if (!length)
			return -CSG_E_USAGE;
		comms[filter->comm_count] = strndup(text, length);
		if (!comms[filter->comm_count])
			return -CSG_E_NO_MEMORY;
		filter->comm_count++;
		text += length + (text[length] == ',');
	}
	return 0;
}

/* --- times --- */

/* Seconds with up to nine digits behind the point, up to end; nothing there is 0. */
static bool read_seconds(const char *text, const char *end, uint64_t *ns)
{
	uint64_t seconds = 0, scale = NS_PER_S;

	*ns = 0;
	if (text < end && !isdigit((unsigned char)*text))
		return false;
	for (; text < end && isdigit((unsigned char)*text); text++) {
		if (seconds > UINT64_MAX / NS_PER_S / 10 - 1)
			return false;
		seconds = seconds * 10 + (uint64_t)(*text - '0');
	}
	*ns = seconds * NS_PER_S;
	if (text == end)
		return true;
	if (*text++ != '.' || end - text > NS_DIGITS)
		return false;
	for (; text < end && isdigit((unsigned char)*text); text++) {
		scale /= 10;
		*ns += scale * (uint64_t)(*text - '0');
	}
	return text == end;
}

/* "A,B" */
static int read_interval(const char *text, size_t length, struct csg_time_range *range)
{
	const char *comma = memchr(text, ',', length), *end = text + length;

	if (!comma || !read_seconds(text, comma, &range->begin) ||
	    !read_seconds(comma + 1, end, &range->end) || (range->end && range->end < range->begin))
		return -CSG_E_USAGE;
	return 0;
}

static int read_intervals(struct csg_sample_filter *filter, const char *text)
{
	for (;;) {
		size_t length;

		text += strspn(text, " ");
		length = strcspn(text, " ");
		if (!length)
			return filter->time_count ? 0 : -CSG_E_USAGE;
		if (read_interval(text, length, &filter->times[filter->time_count]))
			return -CSG_E_USAGE;
		filter->time_count++;
		text += length;
	}
}

static bool read_percent(const char **at, double *part)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	*part = strtod(*at, &end) / 100.0;
	if (*end != '%')
		return false;
	*at = end + 1;
	return true;
}

/* "P%/N", "P%-Q%", "P%": *from and *to as parts of the whole */
static bool read_part(const char **at, double *from, double *to)
{
	double percent;
	int64_t n = 1;

	if (!read_percent(at, &percent))
		return false;
	if (**at == '-') {
		(*at)++;
		*from = percent;
		if (!read_percent(at, to))
			return false;
	} else {
		if (**at == '/') {
			(*at)++;
			if (!csg_number_read(at, &n) || n < 1 || percent <= 0)
				return false;
		}
		*from = percent * (double)(n - 1);
		*to = percent * (double)n;
	}
	return *from >= 0 && *to <= 1.0 + 1e-9 && *from <= *to;
}

static int read_parts(struct csg_sample_filter *filter, const char *text, uint64_t first,
		      uint64_t last)
{
	double total = (double)(last - first), from, to;

	if (last <= first)
		return -CSG_E_USAGE;
	for (;; text++) {
		struct csg_time_range *range = &filter->times[filter->time_count];

		if (!read_part(&text, &from, &to))
			return -CSG_E_USAGE;
		range->begin = first + (uint64_t)(from * total + 0.5);
		range->end = first + (uint64_t)(to * total + 0.5);
		/* Slices that follow each other share no nanosecond. */
		if (range->end > range->begin && range->end < last)
			range->end--;
		filter->time_count++;
		if (!*text)
			return 0;
		if (*text != ',')
			return -CSG_E_USAGE;
	}
}

int csg_sample_filter_times(struct csg_sample_filter *filter, const char *text, uint64_t first,
			    uint64_t last)
{
	free(filter->times);
	filter->time_count = 0;
	filter->times = calloc(strlen(text) + 1, sizeof(*filter->times));
	if (!filter->times)
		return -CSG_E_NO_MEMORY;
	return strchr(text, '%') ? read_parts(filter, text, first, last)
				 : read_intervals(filter, text);
}

/* --- passing --- */

bool csg_sample_passes(const struct csg_sample_filter *filter, const struct csg_sample *sample)
{
	if (!filter->time_count || !sample->time)
		return true;
	for (size_t i = 0; i < filter->time_count; i++)
		if (sample->time >= filter->times[i].begin &&
		    (!filter->times[i].end || sample->time <= filter->times[i].end))
			return true;
	return false;
}

bool csg_sample_filter_wants_who(const struct csg_sample_filter *filter)
{
	return filter->comm_count;
}

bool csg_sample_who_passes(const struct csg_sample_filter *filter, const struct csg_sample_who *who)
{
	bool named = !filter->comm_count;

	for (size_t i = 0; !named && who->comm && i < filter->comm_count; i++)
		named = !strcmp(filter->comms[i], who->comm);
	return named;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "text/time_ranges.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "text/number_set.h"

#define NS_PER_S 1000000000u
#define NS_DIGITS 9
#define WHOLE (1.0 + 1e-9) /* as sums of parts may be rounded */

/* Seconds with up to nine digits after the point, up to end; nothing there is 0. */
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
	    !read_seconds(comma + 1, end, &range->end))
		return -CSG_E_USAGE;
	if (!range->end)
		range->end = UINT64_MAX;
	else if (range->end == range->begin)
		range->end++;
	return range->end > range->begin ? 0 : -CSG_E_USAGE;
}

static int read_intervals(struct csg_time_ranges *ranges, const char *text)
{
	for (;;) {
		size_t length;

		text += strspn(text, " ");
		length = strcspn(text, " ");
		if (!length)
			return ranges->n ? 0 : -CSG_E_USAGE;
		if (read_interval(text, length, &ranges->ranges[ranges->n]))
			return -CSG_E_USAGE;
		ranges->n++;
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
	return *from >= 0 && *to <= WHOLE && *from <= *to;
}

/* Of the whole, with what is dated beyond its ends. */
static struct csg_time_range part_of(double from, double to, uint64_t first, uint64_t last)
{
	const double total = (double)(last - first);

	return (struct csg_time_range){
		.begin = from > 0 ? first + (uint64_t)(from * total + 0.5) : 0,
		.end = to < 2.0 - WHOLE ? first + (uint64_t)(to * total + 0.5) : UINT64_MAX,
	};
}

static int read_parts(struct csg_time_ranges *ranges, const char *text, uint64_t first,
		      uint64_t last)
{
	double from, to;

	if (last <= first)
		return -CSG_E_USAGE;
	for (;; text++) {
		if (!read_part(&text, &from, &to))
			return -CSG_E_USAGE;
		ranges->ranges[ranges->n++] = part_of(from, to, first, last);
		if (!*text)
			return 0;
		if (*text != ',')
			return -CSG_E_USAGE;
	}
}

int csg_time_ranges_parse(struct csg_time_ranges *ranges, const char *text, uint64_t first,
			  uint64_t last)
{
	csg_time_ranges_fini(ranges);
	ranges->ranges = calloc(strlen(text) + 1, sizeof(*ranges->ranges));
	if (!ranges->ranges)
		return -CSG_E_NO_MEMORY;
	return strchr(text, '%') ? read_parts(ranges, text, first, last)
				 : read_intervals(ranges, text);
}

void csg_time_ranges_fini(struct csg_time_ranges *ranges)
{
	free(ranges->ranges);
	*ranges = (struct csg_time_ranges){0};
}

bool csg_time_ranges_have(const struct csg_time_ranges *ranges, uint64_t time)
{
	for (size_t i = 0; i < ranges->n; i++)
		if (time >= ranges->ranges[i].begin && time < ranges->ranges[i].end)
			return true;
	return !ranges->n;
}

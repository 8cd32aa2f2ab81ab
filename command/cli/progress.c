/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ull
#define FIRST_NS (NS_PER_S / 2)
#define STEP_NS (NS_PER_S / 10)
#define BAR_MIN 10 /* columns of the bar itself; narrower terminals get none */
#define BAR_MAX 40

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

void csg_progress_init(struct csg_progress *p, bool wanted)
{
	memset(p, 0, sizeof(*p));
	p->active = wanted && isatty(STDERR_FILENO);
	csg_progress_begin(p, "reading");
}

void csg_progress_begin(struct csg_progress *p, const char *what)
{
	p->what = what;
	if (!p->active)
		return;
	csg_progress_clear(p);
	p->begin_ns = now();
	p->next_ns = p->begin_ns + FIRST_NS;
}

/* "812 KB", "1.4 GB" */
void csg_progress_bytes(char *buf, size_t size, double n)
{
	static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
	size_t unit = 0;

	while (n >= 1000 && unit + 1 < sizeof(units) / sizeof(*units)) {
		n /= 1000;
		unit++;
	}
	snprintf(buf, size, unit && n < 10 ? "%.1f %s" : "%.0f %s", n, units[unit]);
}

static void time_text(char *buf, size_t size, double seconds)
{
	uint64_t s = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : 1000000000;

	if (s < 60)
		snprintf(buf, size, "%" PRIu64 " s", s);
	else if (s < 3600)
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 " min", s / 60, s % 60);
	else
		snprintf(buf, size, "%" PRIu64 ":%02" PRIu64 " h", s / 3600, s / 60 % 60);
}

/* "[####    ] " of what the terminal has room for beside used columns; "" where that is too little.
 */
static void bar_text(char *buf, size_t size, int capacity, double share)
{
	int width = capacity > BAR_MAX ? BAR_MAX : capacity, full;

	buf[0] = 0;
	if (width < BAR_MIN || (size_t)width + 4 > size)
		return;
	full = (int)(share * width);
	buf[0] = '[';
	memset(buf + 1, '#', (size_t)full);
	memset(buf + 1 + full, ' ', (size_t)(width - full));
	strcpy(buf + 1 + width, "] ");
}

int csg_progress_text(char *buf, size_t size, int width, const char *what, uint64_t done,
		      uint64_t total, uint64_t elapsed_ns)
{
	char head[96], bar[BAR_MAX + 8], done_text[24], total_text[24], rate_text[24],
		left_text[24];
	double seconds = (double)elapsed_ns / NS_PER_S, rate, share;
	int n;

	if (done > total)
		done = total;
	share = total ? (double)done / (double)total : 0;
	rate = seconds > 0 ? (double)done / seconds : 0;
	csg_progress_bytes(done_text, sizeof(done_text), (double)done);
	csg_progress_bytes(total_text, sizeof(total_text), (double)total);
	csg_progress_bytes(rate_text, sizeof(rate_text), rate);
	if (rate > 0)
		time_text(left_text, sizeof(left_text), (double)(total - done) / rate);
	else
		strcpy(left_text, "?");
	n = snprintf(head, sizeof(head), "%3.0f%% %s of %s, %s/s, %s left", share * 100, done_text,
		     total_text, rate_text, left_text);
	bar_text(bar, sizeof(bar), width - (int)strlen(what) - n - 6, share);
	n = snprintf(buf, size, "%s %s%s", what, bar, head);
	if (n > width && width >= 0 && (size_t)width < size)
		buf[n = width] = 0;
	return n;
}

void csg_progress_update(void *arg, uint64_t done, uint64_t total)
{
	struct csg_progress *p = arg;
	struct winsize ws = {0};
	char text[256];
	uint64_t t;
	int width = 80;

	p->done = done;
	p->total = total;
	if (!p->active)
		return;
	t = now();
	if (t < p->next_ns)
		return;
	p->next_ns = t + STEP_NS;
	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) && ws.ws_col)
		width = ws.ws_col;
	if (width >= (int)sizeof(text))
		width = sizeof(text) - 1;
	csg_progress_text(text, sizeof(text), width - 1, p->what, done, total, t - p->begin_ns);
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
	p->drawn = true;
}

void csg_progress_clear(struct csg_progress *p)
{
	if (!p->drawn)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->drawn = false;
}

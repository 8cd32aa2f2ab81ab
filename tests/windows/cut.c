/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of a stream are encoded again, those that lie in windows. */
#include <stdlib.h>

#include "encoder/frame.h"
#include "windows/functions.h"
#include "windows/windows.h"

void *windows_grow(void *list, size_t n, size_t size)
{
	if (n & (n - 1) || (n && n < 16))
		return list;
	list = realloc(list, (n ? 2 * n : 16) * size);
	if (!list)
		abort();
	return list;
}

/* The next n instructions are executed; traced: in a window, from address on. */
static void execute(struct cut *c, uint64_t address, uint64_t n, bool traced, uint64_t offset)
{
	c->all += n;
	while (n) {
		const struct run *run = &c->runs[c->run];
		uint64_t some;

		if (c->run == c->run_n) {
			c->error = "more is decoded than the truth has";
			return;
		}
		some = run->count - c->run_done < n ? run->count - c->run_done : n;
		if (c->functions && some)
			functions_add(c->functions, c->source->cpu, traced ? c->windows : 0,
				      c->vms[run->owner], c->space, address, some, run->time);
		if (traced && some) {
			c->pieces = windows_grow(c->pieces, c->piece_n, sizeof(*c->pieces));
			c->pieces[c->piece_n++] = (struct piece){
				.owner = run->owner,
				.window = c->windows,
				.address = address,
				.count = some,
				.offset = offset,
				.lo = run->time,
				.hi = c->run + 1 < c->run_n ? run[1].time : UINT64_MAX,
				.run = c->run,
				.done = c->run_done};
		}
		address += 4 * some;
		n -= some;
		c->run_done += some;
		if (c->run_done == run->count) {
			c->run++;
			c->run_done = 0;
		}
	}
}

static void put(struct cut *c, const struct csg_enc_event *event)
{
	if (!c->error && csg_enc_etm_put(&c->etm, event) < 0)
		c->error = c->etm.error ? c->etm.error : "the encoder refuses an event";
}

static uint64_t about(struct cut *c, uint64_t n)
{
	return n / 2 + csg_enc_random_below(&c->random, (uint32_t)n + 1);
}

/*
 * An instruction takes 1 ns, and after it the CPU may stand still until the next run begins.  When
 * what was executed so far was over, and when what follows it is executed: the host's times.
 */
static uint64_t time_before(const struct cut *c)
{
	const struct run *run = &c->runs[c->run];

	if (c->run < c->run_n && c->run_done)
		return run->time + c->run_done;
	return c->run ? run[-1].time + run[-1].count : run->time;
}

static uint64_t time_ahead(const struct cut *c)
{
	return c->run < c->run_n ? c->runs[c->run].time + c->run_done : time_before(c);
}

/* No earlier than the last timestamp: the CPU may have stood still within a run as well. */
static uint64_t latest(const struct cut *c)
{
	return c->stamp.time > time_before(c) ? c->stamp.time : time_before(c);
}

/* The ring is read, when a timestamp says: what the unit has sent so far is in it, and it goes
 * on. */
static void snapshot(struct cut *c, const struct csg_element *e)
{
	const uint64_t last = c->aux_n ? c->aux[c->aux_n - 1].end : 0;

	if (!c->options->ring || c->options->samples || e->reserved[1] != HOSTS_TIMESTAMP)
		return;
	if (c->options->at ? c->aux_n || e->start < c->options->at
			   : c->etm.out.size < last + c->options->every)
		return;
	c->aux = windows_grow(c->aux, c->aux_n, sizeof(*c->aux));
	c->aux[c->aux_n++] = (struct aux){.end = c->etm.out.size, .time = e->start};
}

static uint64_t next_address(const struct cut *c, size_t at);

#define HANDLED 8u /* ranges of a handler, in which it does not switch threads */

/* Before the element is executed: whether an interrupt of the host's code is handled from there
 * on. */
static void note_handler(struct cut *c, const struct csg_element *e)
{
	const struct run *run = &c->runs[c->run];

	if (e->kind == CSG_ELEMENT_RANGE && e->branch != CSG_BRANCH_ERET && c->handled.ranges) {
		c->handled.ranges -= e->branch != CSG_BRANCH_NONE;
		return;
	}
	if (e->kind != CSG_ELEMENT_RANGE && e->kind != CSG_ELEMENT_EXCEPTION)
		return;
	c->handled.ip = 0;
	if (e->kind == CSG_ELEMENT_RANGE || e->info != CSG_ENC_EXC_IRQ || !c->open ||
	    c->run == c->run_n || c->run_done + c->count > run->count ||
	    e->reserved[0] == GUESTS_ELEMENT)
		return;
	c->handled.ip = e->end;
	c->handled.owner = run->owner;
	c->handled.ranges = 1 + csg_enc_random_below(&c->random, HANDLED);
}

/* An event is sampled between two instructions: what was executed is in the buffer, in whole. */
static void sample(struct cut *c, size_t at)
{
	const struct csg_element *e = &c->elements[at];
	const bool handlers = c->options->handlers;
	const uint64_t last = c->aux_n ? c->aux[c->aux_n - 1].end : 0;
	const uint64_t ip = handlers ? c->handled.ip : next_address(c, at), most = c->options->ring;

	if (!c->options->samples || e->kind != CSG_ELEMENT_RANGE || c->open || !c->on || !ip ||
	    (handlers && c->handled.ranges) || c->run >= c->run_n ||
	    c->etm.out.size < last + about(c, c->options->every))
		return;
	if (csg_enc_etm_finish(&c->etm) < 0)
		c->error = "the encoder does not finish";
	c->aux = windows_grow(c->aux, c->aux_n, sizeof(*c->aux));
	c->aux[c->aux_n++] = (struct aux){
		.end = c->etm.out.size,
		.time = latest(c),
		.ip = ip,
		.owner = handlers ? c->handled.owner : c->runs[c->run].owner,
		.bytes = (uint32_t)(most / 2) +
			 csg_enc_random_below(&c->random, (uint32_t)(most / 2)),
	};
}

/* What the unit has sent goes to the buffer. */
static void flush(struct cut *c)
{
	if (csg_enc_etm_finish(&c->etm) < 0)
		c->error = "the encoder does not finish";
	c->aux = windows_grow(c->aux, c->aux_n, sizeof(*c->aux));
	c->aux[c->aux_n++] = (struct aux){.end = c->etm.out.size, .time = latest(c)};
}

static void end_window(struct cut *c)
{
	const struct csg_enc_event off = {.kind = CSG_ENC_OFF};
	uint64_t window = c->options->window, period = c->options->period;

	put(c, &off);
	if (c->options->paused)
		flush(c);
	c->on = false;
	c->left = about(c, period > window ? period - window : 1);
}

#define FAR 5000 /* ns, by which a timestamp and the truth's times may differ */

/* When the next run begins: the CPU may stand still before.  After the last one it does not. */
static uint64_t time_of_next(const struct cut *c)
{
	return c->run + 1 < c->run_n ? c->runs[c->run + 1].time
				     : c->runs[c->run_n - 1].time + c->runs[c->run_n - 1].count;
}

/* The host's time of a timestamp, of whichever counter it is: of that which fits the truth; 0: none
 * does. */
static uint64_t host_time(const struct cut *c, uint64_t raw)
{
	for (size_t i = 0; i <= c->offset_n; i++) {
		const uint64_t offset = i ? c->offsets[i - 1] : 0;
		const uint64_t time = csg_session_time(c->session, raw + offset);

		if (time + FAR >= time_before(c) && time <= time_of_next(c) + FAR)
			return time;
	}
	return 0;
}

/* The timestamp that the unit would have now.  False: it is not known. */
static bool time_now(const struct cut *c, size_t at, uint64_t *value)
{
	const uint64_t now = time_ahead(c), from = c->stamp.raw;
	uint64_t ns; /* of a million ticks */
	size_t i;

	for (i = at; i < c->element_n && c->elements[i].kind != CSG_ELEMENT_TIMESTAMP;)
		i++;
	/* A counter offset lies between the two, or all is idle. */
	if (!c->stamp.time || i == c->element_n || c->elements[i].timestamp < from ||
	    c->elements[i].timestamp - from >= (c->options->host ? 200 : 10000))
		return false;
	ns = csg_session_time(c->session, from + 1000000) - csg_session_time(c->session, from);
	*value = from + (now > c->stamp.time && ns ? (now - c->stamp.time) * 1000000 / ns : 0);
	if (*value > c->elements[i].timestamp)
		*value = c->elements[i].timestamp;
	return true;
}

/* Whether the window carries a timestamp: it has one more, or it begins. */
static void note_timestamp(struct cut *c, bool stamped)
{
	while (c->stamped_n <= c->windows) {
		c->stamped = windows_grow(c->stamped, c->stamped_n, sizeof(*c->stamped));
		c->stamped[c->stamped_n++] = false;
	}
	c->stamped[c->windows] |= stamped;
}

static void begin_window(struct cut *c, size_t at, uint64_t address)
{
	const struct csg_enc_event sync = {.kind = CSG_ENC_SYNC};
	const struct csg_enc_event on = {.kind = CSG_ENC_ON, .address = address};
	struct csg_enc_event time = {.kind = CSG_ENC_TIME};
	const bool known = time_now(c, at, &time.time.cntpct);

	/* What synchronises says the time as well: 0 where nobody knows it. */
	if (!known)
		time.time.cntpct = 0;
	put(c, &time);
	if (c->options->paused)
		put(c, &sync);
	put(c, &on);
	time.time.traced = c->options->time && known;
	put(c, &time);
	c->on = true;
	c->windows++;
	note_timestamp(c, time.time.traced);
	c->left = c->options->whole || c->options->host ? UINT64_MAX : about(c, c->options->window);
}

static void stop(struct cut *c)
{
	const struct csg_enc_event off = {.kind = CSG_ENC_OFF};

	if (c->on)
		put(c, &off);
	c->on = false;
}

/* It is a guest's, of which nothing is to be traced. */
static bool is_hidden(const struct cut *c, size_t at)
{
	return c->options->host && at < c->element_n &&
	       c->elements[at].reserved[0] == GUESTS_ELEMENT;
}

/*
 * Instructions from start on, and the branch or exception that ends them.  *first: how many of them
 * are not traced.  False: none is.
 */
static bool in_window(struct cut *c, size_t at, uint64_t start, uint64_t n, uint64_t *first)
{
	*first = 0;
	if (is_hidden(c, at)) {
		stop(c);
		c->left = 0;
		execute(c, start, n, false, 0);
		return false;
	}
	if (c->on && !c->left)
		end_window(c);
	if (!c->on) {
		if (c->left >= n) {
			c->left -= n;
			execute(c, start, n, false, 0);
			return false;
		}
		*first = c->left;
		execute(c, start, *first, false, 0);
		begin_window(c, at, start + 4 * *first);
	}
	execute(c, start + 4 * *first, n - *first, true, c->etm.out.size);
	c->left -= c->left < n - *first ? c->left : n - *first;
	return true;
}

static enum csg_enc_p0 p0_of(const struct csg_element *e)
{
	static const enum csg_enc_p0 of[] = {
		[CSG_BRANCH_DIRECT] = CSG_ENC_DIRECT,
		[CSG_BRANCH_CALL] = CSG_ENC_DIRECT_CALL,
		[CSG_BRANCH_INDIRECT] = CSG_ENC_INDIRECT,
		[CSG_BRANCH_INDIRECT_CALL] = CSG_ENC_INDIRECT_CALL,
		[CSG_BRANCH_RETURN] = CSG_ENC_RET,
		[CSG_BRANCH_ERET] = CSG_ENC_ERET,
		[CSG_BRANCH_BARRIER] = CSG_ENC_ISB,
		[CSG_BRANCH_WAIT] = CSG_ENC_WFX,
		[CSG_BRANCH_TSTART] = CSG_ENC_TSTART,
	};

	return of[e->branch];
}

/* Where execution goes on after an element; 0: that is not traced. */
static uint64_t next_address(const struct cut *c, size_t at)
{
	for (size_t i = at + 1; i < c->element_n; i++) {
		const struct csg_element *e = &c->elements[i];

		if (e->kind == CSG_ELEMENT_RANGE)
			return e->start;
		if (e->kind == CSG_ELEMENT_EXCEPTION)
			return e->end;
		if (e->kind == CSG_ELEMENT_GAP)
			return 0;
	}
	return 0;
}

static void on_range(struct cut *c, size_t at)
{
	const struct csg_element *e = &c->elements[at];
	struct csg_enc_event event = {.kind = CSG_ENC_BRANCH};
	uint64_t target = next_address(c, at), first;

	if (!c->open)
		c->start = e->start;
	c->space = csg_session_space(c->session, e->owner);
	c->count = c->open ? c->count + e->instructions : e->instructions;
	c->open = e->branch == CSG_BRANCH_NONE;
	if (c->open)
		return;
	/* Where it went to, no trace says. */
	if (!target && e->taken && e->branch > CSG_BRANCH_CALL) {
		c->element_n = at;
		return;
	}
	if (!in_window(c, at, c->start, c->count, &first))
		return;
	event.branch = (struct csg_enc_branch){
		.start = c->start + 4 * first,
		.end = e->end,
		.target = target ? target : e->end,
		.count = (uint32_t)(c->count - first),
		.p0 = p0_of(e),
		.taken = e->taken,
	};
	put(c, &event);
}

static void on_exception(struct cut *c, size_t at)
{
	const struct csg_element *e = &c->elements[at];
	struct csg_enc_event event = {.kind = CSG_ENC_EXCEPTION};
	uint64_t count = c->open ? c->count : 0, first;

	if (!c->open)
		c->start = e->end;
	c->open = false;
	if (!in_window(c, at, c->start, count, &first))
		return;
	event.exception = (struct csg_enc_exception){.start = c->start + 4 * first,
						     .ret = e->end,
						     .target = next_address(c, at),
						     .count = (uint32_t)(count - first),
						     .number = (uint16_t)e->info};
	put(c, &event);
}

static void on_context(struct cut *c, const struct csg_element *e)
{
	struct csg_enc_event event = {.kind = CSG_ENC_CONTEXT};

	c->context.el = e->el;
	if (e->info & CSG_CONTEXT_HAS_CONTEXTIDR)
		c->context.contextidr_el1 = (uint32_t)e->start;
	if (e->info & CSG_CONTEXT_HAS_VCTX)
		c->context.contextidr_el2 = c->context.vmid = (uint32_t)e->end;
	event.context = c->context;
	put(c, &event);
}

/* The context that is stated before anything is executed: what is traced again is in that one. */
static void context_after(struct cut *c, size_t at)
{
	for (size_t i = at + 1; i < c->element_n; i++) {
		const struct csg_element *e = &c->elements[i];

		if (e->kind == CSG_ELEMENT_CONTEXT)
			on_context(c, e);
		if (e->kind == CSG_ELEMENT_RANGE || e->kind == CSG_ELEMENT_EXCEPTION ||
		    e->kind == CSG_ELEMENT_GAP)
			return;
	}
}

/* What is not traced in between is not in the truth either. */
static void on_gap(struct cut *c, size_t at)
{
	static const struct csg_enc_event off = {.kind = CSG_ENC_OFF};
	struct csg_enc_event on = {.kind = CSG_ENC_ON, .address = next_address(c, at)};
	const struct csg_element *e = &c->elements[at];

	if (e->gap != CSG_GAP_TRACE_ON && e->gap != CSG_GAP_GUEST)
		c->error = csg_gap_name((enum csg_gap)e->gap);
	if (is_hidden(c, at + 1))
		stop(c);
	if (!c->on)
		return;
	put(c, &off);
	context_after(c, at);
	put(c, &on);
}

static void on_timestamp(struct cut *c, const struct csg_element *e)
{
	struct csg_enc_event event = {.kind = CSG_ENC_TIME};

	c->stamp.raw = e->timestamp;
	c->stamp.time = host_time(c, e->timestamp);
	event.time = (struct csg_enc_time){.cntpct = e->timestamp, .traced = true};
	if (!c->on || !c->left)
		return;
	put(c, &event);
	note_timestamp(c, true);
	if (!c->stamp.time)
		return;
	c->sent = windows_grow(c->sent, c->sent_n, sizeof(*c->sent));
	c->sent[c->sent_n++] = (struct sent){.end = c->etm.out.size, .time = c->stamp.time};
}

void windows_cut(struct cut *c)
{
	const struct csg_enc_event off = {.kind = CSG_ENC_OFF};

	put(c, &off);
	c->left = c->options->whole || c->options->host ? 0 : about(c, c->options->period);
	for (size_t i = 0; i < c->element_n && !c->error; i++) {
		const struct csg_element *e = &c->elements[i];

		if (c->options->handlers)
			note_handler(c, e);
		if (e->kind == CSG_ELEMENT_RANGE)
			on_range(c, i);
		else if (e->kind == CSG_ELEMENT_EXCEPTION)
			on_exception(c, i);
		else if (e->kind == CSG_ELEMENT_CONTEXT)
			on_context(c, e);
		else if (e->kind == CSG_ELEMENT_GAP)
			on_gap(c, i);
		else if (e->kind == CSG_ELEMENT_TIMESTAMP)
			on_timestamp(c, e);
		snapshot(c, e);
		sample(c, i);
	}
	if (c->on)
		end_window(c);
	if (!c->options->paused && !(c->options->at && c->aux_n))
		flush(c);
}

void windows_frame(struct cut *c)
{
	struct csg_enc_frames frames = {0};
	size_t from = 0;

	for (size_t i = 0; i < c->aux_n; i++)
		c->aux[i].sent = c->aux[i].end;
	if (!c->framed) {
		csg_enc_bytes_put(&c->trace, c->etm.out.data, c->etm.out.size);
		return;
	}
	csg_enc_frames_barrier(&frames);
	for (size_t i = 0; i < c->aux_n; i++) {
		csg_enc_frames_put(&frames, c->etm.model.trace_id, c->etm.out.data + from,
				   c->aux[i].end - from);
		csg_enc_frames_flush(&frames);
		from = c->aux[i].end;
		c->aux[i].end = frames.out.size;
	}
	csg_enc_bytes_put(&c->trace, frames.out.data, frames.out.size);
	csg_enc_frames_fini(&frames);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "encoder/random.h"
#include "locality/locality.h"
#include "lookup/arrays.h"
#include "scan/run.h"
#include "util/bisect.h"

extern char **environ;

static void copy_data(const struct run *r, const char *from, char to[4096])
{
	char path[4096], block[65536];
	FILE *in, *out;
	size_t n;

	snprintf(path, sizeof(path), "%s%s%s", from, r->data ? "/" : "", r->data ? r->data : "");
	snprintf(to, 4096, "%s%s%s", r->damaged, r->data ? "/" : "", r->data ? r->data : "");
	in = fopen(path, "r");
	out = fopen(to, "w");
	while (in && out && (n = fread(block, 1, sizeof(block), in)))
		fwrite(block, 1, n, out);
	if (!in || !out || fclose(in) || fclose(out))
		locality_stop("the data cannot be copied");
}

static void call(const struct run *r, const char *tool, const char *const *args)
{
	char path[4096];
	const char *argv[ARGS] = {path};
	posix_spawn_file_actions_t quiet;
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/%s", r->tools, tool);
	for (int i = 0; i < ARGS - 2 && args[i]; i++)
		argv[i + 1] = args[i];
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, path, &quiet, NULL, (char **)argv, environ) ||
	    waitpid(pid, &status, 0) < 0 || status)
		locality_stop("a tool fails");
	posix_spawn_file_actions_destroy(&quiet);
}

/*
 * A loss that the AUX record marks lies where its time is known: where the next run of the truth
 * begins. All before that place ran before that time, and all that follows ran later.
 */
static void place_loss(const struct stream *s, uint64_t last, struct damage *damage)
{
	size_t i;

	CSG_BISECT(i, s->n, s->entries[i].index < damage->at);
	while (i && i + 1 < s->n && !s->entries[i].begins)
		i++;
	if (i == s->n || (s->entries[i].index & ~UINT64_C(15)) > last)
		i = 0;
	damage->at = s->entries[i].index & ~UINT64_C(15);
	damage->time = s->entries[i].from;
}

/* Records of the time that was traced: others are of no consequence. */
static void lie(const struct run *r, const char *path, char *const *words)
{
	char first[24], last[24];
	uint64_t from = UINT64_MAX, until = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct stream *s = &r->streams[i];

		from = s->begun < from ? s->begun : from;
		until = s->entries[s->n - 1].from > until ? s->entries[s->n - 1].from : until;
	}
	snprintf(first, sizeof(first), "%" PRIu64, from);
	snprintf(last, sizeof(last), "%" PRIu64, until);
	call(r, "lie",
	     (const char *const[]){path, words[1], words[2], words[3], first, last, NULL});
}

/* Draws the place, and damages it. */
static void damage_trace(struct run *r, struct place *place, const char *path, const char *kind,
			 uint64_t size, uint64_t seed)
{
	struct csg_enc_random random = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
	bool flip = !strcmp(kind, "flip"), moves = csg_damage_moves(kind);
	const struct stream *s = &r->streams[csg_enc_random_below(&random, (uint32_t)r->n)];
	uint64_t end = s->packets[s->packet_n - 1].index, unit;

	if (size > end / 4)
		size = end / 4 & ~UINT64_C(15);
	unit = flip ? 1 : moves ? size : CSG_FRAME_SIZE;
	place->damage = (struct damage){.kind = kind, .queue = s->queue, .size = size};
	place->damage.at = csg_enc_random_below(&random, (uint32_t)((end - size) / unit)) * unit;
	place->damage.bits = (uint8_t)(1u << csg_enc_random_below(&random, 8));
	if (!strcmp(kind, "lost"))
		place_loss(s, end - size, &place->damage);
	do
		place->damage.other =
			csg_enc_random_below(&random, (uint32_t)((end - size) / unit)) * unit;
	while (place->damage.other == place->damage.at);
	place->in_trace = true;
	place->zones[place->n++] = (struct zone){place->damage.at, place->damage.at + size};
	/* The last byte of a frame has a bit of each other one. */
	if (flip)
		place->zones[0] = (struct zone){place->damage.at & ~UINT64_C(15),
						(place->damage.at | 15) + 1};
	if (!strcmp(kind, "swap"))
		place->zones[place->n++] =
			(struct zone){place->damage.other, place->damage.other + size};
	if (!flip && !moves)
		place->removed = size;
	if (!csg_damage(path, &place->damage))
		locality_stop("the trace cannot be damaged");
}

void locality_damage(struct run *r, const char *line, struct place *place)
{
	static char copy[128];
	char path[4096], *words[4];

	*place = (struct place){.n = 0};
	copy_data(r, r->argv[r->argc - 1], path);
	snprintf(copy, sizeof(copy), "%s", line);
	words[0] = strtok(copy, " ");
	for (int i = 1; i < 4; i++)
		words[i] = words[i - 1] ? strtok(NULL, " ") : NULL;
	if (words[0] && !strcmp(words[0], "none"))
		return;
	if (!words[3])
		locality_stop("the plan has a line of fewer words");
	if (!strcmp(words[0], "trace"))
		damage_trace(r, place, path, words[1], strtoull(words[2], NULL, 0),
			     strtoull(words[3], NULL, 0));
	else if (!strcmp(words[0], "lie"))
		lie(r, path, words);
	else if (!strcmp(words[0], "less"))
		call(r, "less", (const char *const[]){words[1], path, words[2], words[3], NULL});
	else
		locality_stop("the plan has an unknown line");
}

uint64_t locality_index(const struct place *p, uint32_t queue, uint64_t index)
{
	return p->in_trace && queue == p->damage.queue && index >= p->damage.at ? index + p->removed
										: index;
}

static bool same_packet(const struct csg_packet *a, const struct csg_packet *b)
{
	return a->kind == b->kind && a->value == b->value && a->context.el == b->context.el &&
	       a->context.ns == b->context.ns && a->context.has_vmid == b->context.has_vmid &&
	       a->context.has_contextid == b->context.has_contextid &&
	       a->context.vmid == b->context.vmid && a->context.contextid == b->context.contextid;
}

/* What of the state of a source is stated again. */
struct stated {
	bool address, vmid, contextid;
};

static bool is_all(const struct stated *stated, const struct csg_source *source)
{
	return stated->address && (stated->vmid || !(source->trcconfigr >> 7 & 1)) &&
	       (stated->contextid || !(source->trcconfigr >> 6 & 1));
}

static void state(struct stated *stated, const struct csg_packet *packet)
{
	stated->address |= packet->kind == CSG_PACKET_ADDRESS_CONTEXT && packet->context.updated;
	stated->vmid |= packet->context.updated && packet->context.has_vmid;
	stated->contextid |= packet->context.updated && packet->context.has_contextid;
}

/* From index on: where both have stated the same address with context, and the same IDs. */
static uint64_t resynchronised(const struct csg_source *source, const struct stream *intact,
			       const struct stream *damaged, const struct place *p, uint64_t index)
{
	struct stated stated = {0};
	size_t k = 0;

	for (size_t i = 0; i < intact->packet_n; i++) {
		const struct csg_packet *packet = &intact->packets[i];

		if (packet->index < index || (packet->kind != CSG_PACKET_ADDRESS_CONTEXT &&
					      packet->kind != CSG_PACKET_CONTEXT))
			continue;
		while (k < damaged->packet_n &&
		       locality_index(p, intact->queue, damaged->packets[k].index) < packet->index)
			k++;
		if (k < damaged->packet_n &&
		    locality_index(p, intact->queue, damaged->packets[k].index) == packet->index &&
		    same_packet(packet, &damaged->packets[k]))
			state(&stated, packet);
		if (is_all(&stated, source))
			return packet->index;
	}
	return UINT64_MAX;
}

/* Where the element begins whose packets reach to index: an exception is followed by its
 * addresses. */
static uint64_t element_before(const struct stream *s, uint64_t index)
{
	size_t i;

	CSG_BISECT(i, s->packet_n, s->packets[i].index < index);
	if (i)
		i--;
	while (i && s->packets[i].kind != CSG_PACKET_EXCEPTION &&
	       s->packets[i - 1].kind == CSG_PACKET_EXCEPTION)
		i--;
	return s->packet_n && s->packets[i].index < index ? s->packets[i].index : index;
}

void locality_extend(struct run *r, struct place *p)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(r->d->session, &n);

	for (size_t z = 0; z < p->n; z++) {
		uint64_t from = p->zones[z].from, to = p->zones[z].to, begin;

		for (size_t i = 0; i < n; i++) {
			const struct csg_source *source = streams[i].source;
			const struct stream *intact = locality_stream(r, source);
			struct stream damaged = {0};
			uint64_t end;

			if (!intact || source->queue != p->damage.queue)
				continue;
			locality_read_packets(csg_session_recording(r->d->session), source,
					      &damaged);
			end = resynchronised(source, intact, &damaged, p, p->zones[z].to);
			to = end > to ? end : to;
			free(damaged.packets);
			begin = element_before(intact, p->zones[z].from);
			from = begin < from ? begin : from;
		}
		p->zones[z].from = from;
		p->zones[z].to = to;
	}
}

bool locality_is_inside(const struct place *p, uint32_t queue, uint64_t index)
{
	for (size_t z = 0; z < p->n; z++)
		if (queue == p->damage.queue && index >= p->zones[z].from && index < p->zones[z].to)
			return true;
	return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/opencsd/packet_list.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "scan/demux.h"
#include "scan/ocsd.h"
#include "util/array.h"

#define BLOCK (64u << 10) /* bytes read at a time */
#define PIECE 64u	  /* bytes fed at a time: bounds how many packets wait */
#define TEXT_MAX 512	  /* longest text of a packet; longer ones are cut */

struct entry {
	uint64_t index;
	size_t text; /* offset in texts */
};

struct csg_packet_list {
	struct csg_window *window;
	struct csg_ocsd *tree;
	const struct csg_source *source;
	const struct csg_chunk *chunk, *chunk_end; /* current chunk */
	const struct csg_chunk *out_chunk;	   /* of the packets that wait */
	bool begun;				   /* in chunk */
	uint64_t offset;
	struct csg_demux demux;
	struct csg_run run;
	size_t run_done;

	/* Packets that came out and wait to be taken. */
	struct entry *entries;
	size_t count, capacity, next;
	char *texts;
	size_t text_used, text_capacity;
	bool no_memory;
};

/* Makes room for one more packet. */
static bool make_room(struct csg_packet_list *l)
{
	return !csg_array_grow((void **)&l->entries, l->count, &l->capacity, sizeof(*l->entries)) &&
	       !csg_array_reserve((void **)&l->texts, &l->text_capacity, l->text_used + TEXT_MAX,
				  1);
}

static void on_packet(void *arg, uint64_t index, const ocsd_etmv4_i_pkt *packet)
{
	struct csg_packet_list *l = arg;
	char *text;

	if (!make_room(l)) {
		l->no_memory = true;
		return;
	}
	text = l->texts + l->text_used;
	text[0] = 0;
	/* ETE's packets are the same struct; older versions print it under this name only. */
	ocsd_pkt_str(OCSD_PROTOCOL_ETMV4I, packet, text, TEXT_MAX);
	text[TEXT_MAX - 1] = 0;
	l->entries[l->count++] = (struct entry){.index = index, .text = l->text_used};
	l->text_used += strlen(text) + 1;
}

static int begin(struct csg_packet_list *l, struct csg_recording *rec,
		 const struct csg_source *source, const struct csg_diag_sink *sink)
{
	const struct csg_ocsd_client client = {.arg = l, .packet = on_packet};
	size_t n;
	int err;

	l->source = source;
	l->chunk = csg_recording_queue(rec, source->queue, &n);
	l->chunk_end = l->chunk + n;
	err = csg_window_create(&l->window, rec);
	return err ? err : csg_ocsd_create(&l->tree, source, CSG_OCSD_PACKETS, &client, sink);
}

int csg_packet_list_open(struct csg_packet_list **result, struct csg_recording *rec,
			 const struct csg_source *source, const struct csg_diag_sink *sink)
{
	struct csg_packet_list *l;
	int err;

	if (!result)
		return -CSG_E_USAGE;
	*result = NULL;
	if (!rec || !source)
		return -CSG_E_USAGE;
	l = calloc(1, sizeof(*l));
	if (!l)
		return -CSG_E_NO_MEMORY;
	err = begin(l, rec, source, sink);
	if (err) {
		csg_packet_list_close(l);
		return err;
	}
	*result = l;
	return 0;
}

void csg_packet_list_close(struct csg_packet_list *l)
{
	if (!l)
		return;
	csg_ocsd_destroy(l->tree);
	csg_window_destroy(l->window);
	free(l->entries);
	free(l->texts);
	free(l);
}

static void begin_chunk(struct csg_packet_list *l)
{
	l->begun = true;
	l->offset = 0;
	l->run = (struct csg_run){0};
	l->run_done = 0;
	csg_demux_begin(&l->demux, l->chunk->framing, l->source);
	csg_ocsd_reset(l->tree, l->chunk->position);
}

static void end_chunk(struct csg_packet_list *l)
{
	csg_ocsd_end(l->tree);
	l->begun = false;
	l->chunk++;
}

/* Gives OpenCSD a piece of the current run. */
static void feed(struct csg_packet_list *l)
{
	size_t n = l->run.n - l->run_done;
	uint64_t index = l->run.index + l->run_done;
	enum csg_ocsd_state state;
	uint32_t used;

	n = n < PIECE ? n : PIECE;
	state = csg_ocsd_data(l->tree, index, l->run.bytes + l->run_done, (uint32_t)n, &used);
	l->no_memory |= csg_ocsd_failed(l->tree);
	if (!used)
		used = 1; /* always make progress */
	l->run_done += used;
	if (state == CSG_OCSD_DEAD)
		csg_ocsd_reset(l->tree, index + used);
}

/* Gives the demultiplexer the next bytes of the chunk, or ends it. */
static void read_block(struct csg_packet_list *l)
{
	const uint8_t *bytes;
	size_t n = BLOCK;

	if (csg_window_read(l->window, l->chunk, l->offset, &bytes, &n) || !n) {
		end_chunk(l);
		return;
	}
	csg_demux_input(&l->demux, l->chunk->position + l->offset, bytes, n);
	l->offset += n;
}

/* One step on the way to the next packet. */
static void step(struct csg_packet_list *l)
{
	if (l->run_done < l->run.n) {
		feed(l);
		return;
	}
	l->run_done = 0;
	l->run.n = 0;
	if (!csg_demux_next(&l->demux, &l->run))
		read_block(l);
	else if (l->run.reset)
		csg_ocsd_reset(l->tree, l->run.index);
}

int csg_packet_list_next(struct csg_packet_list *l, struct csg_packet_line *line, size_t size)
{
	if (!l || !line || size < sizeof(*line))
		return -CSG_E_USAGE;
	if (l->next == l->count) {
		l->next = l->count = l->text_used = 0;
		while (!l->count && l->chunk < l->chunk_end) {
			l->out_chunk = l->chunk;
			if (!csg_chunk_is_of(l->chunk, l->source))
				l->chunk++;
			else if (!l->begun)
				begin_chunk(l);
			else
				step(l);
		}
	}
	if (l->no_memory)
		return -CSG_E_NO_MEMORY;
	if (l->next == l->count)
		return 0;
	*line = (struct csg_packet_line){.chunk = l->out_chunk,
					 .index = l->entries[l->next].index,
					 .text = l->texts + l->entries[l->next].text};
	l->next++;
	return 1;
}

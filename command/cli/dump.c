/* SPDX-License-Identifier: BSD-3-Clause */
/* csguest dump: elements and packets, stream after stream. */
#include "cli/command.h"
#include "cli/filtered.h"
#include "csguest/error.h"
#include "csguest/packet.h"
#include "dump/listing.h"
#include "lookup/arrays.h"

/* The packets of the current stream, if asked for. */
struct packets {
	struct csg_decode *d;
	struct csg_packet_list *list;
	const struct csg_source *source;
	struct csg_packet_line line;
	bool ready; /* line is yet to be printed */
};

static int next_packet(struct packets *p)
{
	int ret = p->list ? csg_packet_list_next(p->list, &p->line, sizeof(p->line)) : 0;

	p->ready = ret > 0;
	return ret < 0 ? ret : 0;
}

static void print_packet(struct packets *p)
{
	csg_listing_packet(&p->d->out, p->source, p->line.index, p->line.text);
}

/* Prints the packets that begin up to a place in the trace; a NULL chunk: all. */
static int print_packets(struct packets *p, const struct csg_chunk *chunk, uint64_t index)
{
	int err = 0;

	while (!err && p->ready && !p->d->out.error &&
	       (!chunk || p->line.chunk < chunk ||
		(p->line.chunk == chunk && p->line.index <= index))) {
		print_packet(p);
		err = next_packet(p);
	}
	return err;
}

static int begin_stream(struct packets *p, const struct csg_stream_info *stream, bool wanted)
{
	int err;

	csg_packet_list_close(p->list);
	p->list = NULL;
	p->source = stream->source;
	csg_listing_stream(&p->d->out, stream->source, stream->stream);
	if (!wanted)
		return 0;
	err = csg_packet_list_open(&p->list, csg_session_recording(p->d->session), stream->source,
				   NULL);
	if (err == -CSG_E_UNSUPPORTED) {
		csg_out_str(&p->d->out,
			    "# no packets: this OpenCSD does not hand them out for ETE\n");
		return 0;
	}
	return err ? err : next_packet(p);
}

/* Packets only: nothing is decoded. */
static int dump_packets(struct packets *p)
{
	size_t n;
	const struct csg_stream_info *streams = csg_array_streams(p->d->session, &n);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		err = begin_stream(p, &streams[i], true);
		if (!err)
			err = print_packets(p, NULL, 0);
	}
	return err;
}

static int dump_batch(struct packets *p, const struct csg_batch *batch)
{
	struct csg_decode *d = p->d;
	int err = 0;

	for (size_t i = 0; i < batch->n && !err; i++) {
		const struct csg_element *e = &batch->elements[i];

		err = print_packets(p, batch->chunk, e->index);
		if (!csg_filtered_element(d, batch, e))
			continue;
		csg_listing_element(&d->out, p->source, e, csg_session_owner(d->session, e->owner),
				    batch->time);
	}
	return err;
}

/* Elements, and in between packets where wanted. */
static int dump_elements(struct packets *p, bool with_packets)
{
	size_t n, next = 0;
	const struct csg_stream_info *streams = csg_array_streams(p->d->session, &n);
	struct csg_batch batch;
	int ret, err;

	while ((ret = csg_decode_next(p->d, false, &batch)) > 0) {
		for (; next <= batch.stream; next++) {
			err = print_packets(p, NULL, 0);
			if (!err)
				err = begin_stream(p, &streams[next], with_packets);
			if (err)
				return err;
		}
		err = dump_batch(p, &batch);
		if (err)
			return err;
	}
	err = print_packets(p, NULL, 0);
	return ret ? ret : err;
}

static int check_packets(const struct csg_decode *d)
{
	if (d->anonymise || d->anonymise_key)
		return csg_usage_error("dump", "--packets shows addresses bit by bit: not with "
					       "--anonymise");
	if (csg_filtered_chooses(d))
		return csg_usage_error("dump", "--packets is of all owners, code and time: of the "
					       "filters it takes -C");
	return 0;
}

int csg_cmd_dump(int argc, char **argv)
{
	bool elements = false, packets = false;
	struct csg_decode d;
	struct packets p = {.d = &d};
	int first, err;

	csg_decode_init(&d, "dump");
	d.lists = d.takes_owners = true;
	const struct csg_option options[] = {
		CSG_OPTION_FLAG(
			"elements", 0, &elements,
			"what decoding yields: ranges, exceptions, contexts, gaps ... (default)"),
		CSG_OPTION_FLAG("packets", 0, &packets, "trace packets; with --elements both"),
		CSG_OPTION_END,
	};
	const struct csg_option_group groups[] = {
		{"Dump", options},
		CSG_DECODE_GROUPS(&d),
	};
	const struct csg_usage usage = {
		.command = "dump",
		.summary = "elements and packets of the trace, with position and owner",
		.operands = "[RECORDING]",
		.description =
			"One line for each, stream after stream: position in the trace, trace "
			"ID, what it is, exception level, owner.",
		.groups = groups,
	};

	first = csg_options_parse(&usage, argc, argv);
	if (first <= 0)
		return csg_decode_drop(&d, first);
	d.decodes_nothing = packets && !elements;
	err = packets && check_packets(&d) ? -CSG_E_USAGE : csg_decode_open(&d, first, argc, argv);
	if (!err)
		err = csg_filtered_open(&d);
	if (!err)
		err = d.decodes_nothing ? dump_packets(&p) : dump_elements(&p, packets);
	csg_packet_list_close(p.list);
	return csg_decode_finish(&d, err);
}

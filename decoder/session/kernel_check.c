/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/kernel_check.h"

#include <inttypes.h>
#include <stdio.h>

#include "csguest/error.h"
#include "flow/insn.h"
#include "scan/demux.h"
#include "scan/packets.h"
#include "session/code_sample.h"

#define LOOK_BYTES (8u << 20) /* of all streams together */
#define LOOK_BLOCK (64u << 10)
#define TEXT_MAX 256

/* One machine's sample, taken from one source after the other. */
struct sampler {
	const struct csg_kernel_check *check;
	struct csg_space *kernel;
	int32_t vm;
	struct csg_code_sample sample;
	/* the source at hand */
	struct csg_reader reader;
	struct csg_packets packets;
	unsigned int features;
	bool names_threads; /* the virtual context is CONTEXTIDR_EL2 */
	uint64_t time;	    /* of the chunk */
	uint64_t address;
	bool at_address; /* execution goes on at address; nothing but a context came since */
};

/* --- whose code --- */

static bool is_host_kernel(const struct sampler *s, const struct csg_context *context)
{
	switch (s->check->kind) {
	case CSG_HV_KVM_VHE:
		return context->el == CSG_EL2;
	case CSG_HV_NONE:
		return context->el == CSG_EL1;
	case CSG_HV_KVM_NVHE:
		return context->el == CSG_EL1 && !s->check->guests;
	default:
		return false;
	}
}

static bool is_guest_kernel(const struct sampler *s, const struct csg_context *context)
{
	const struct csg_vcpu_entry *vcpu;

	if (s->check->kind != CSG_HV_KVM_VHE || context->el != CSG_EL1)
		return false;
	if (s->vm == CSG_ONLY_GUEST)
		return true;
	if (!s->names_threads || !context->has_vctx)
		return false;
	vcpu = csg_attribution_vcpu_of(s->check->people->attribution, (int32_t)context->vctx);
	return vcpu && !vcpu->contradicted && vcpu->vm == s->vm;
}

static bool is_wanted(const struct sampler *s)
{
	const struct csg_context *context = &s->packets.context;

	/* Bit 55 chooses TTBR1: a kernel's own code, not a process's. */
	if (!context->aarch64 || context->security != CSG_NON_SECURE || !(s->address >> 55 & 1))
		return false;
	return s->vm == CSG_VM_HOST ? is_host_kernel(s, context) : is_guest_kernel(s, context);
}

static int read_code(void *arg, uint64_t address, const uint8_t **bytes, size_t *len)
{
	struct sampler *s = arg;

	return csg_space_peek(s->kernel, address, s->time, bytes, len, NULL);
}

/* --- packets --- */

static void ignore(void *arg, const struct csg_track_event *event)
{
	(void)arg;
	(void)event;
}

static void look(struct sampler *s, const struct csg_packet *packet, bool is_return)
{
	switch (packet->kind) {
	case CSG_PACKET_ADDRESS:
	case CSG_PACKET_ADDRESS_CONTEXT:
		/* The one that comes with an exception says where it returns to. */
		s->at_address = !is_return;
		s->address = packet->value;
		break;
	case CSG_PACKET_ATOMS:
		if (s->at_address && is_wanted(s))
			csg_code_sample_take(&s->sample, s->features, s->address, packet->pattern,
					     packet->atoms, read_code, s);
		s->at_address = false;
		break;
	case CSG_PACKET_CONTEXT:
	case CSG_PACKET_TIMESTAMP:
	case CSG_PACKET_TS_MARKER:
	case CSG_PACKET_EVENT:
	case CSG_PACKET_IGNORE:
		break;
	default:
		s->at_address = false;
		break;
	}
}

static void on_packet(void *arg, const struct csg_packet *packet)
{
	struct sampler *s = arg;
	bool is_return = s->packets.exception_open;

	if (!csg_packets_feed(&s->packets, packet)) {
		csg_reader_search(&s->reader);
		s->at_address = false;
	} else if (s->packets.state == CSG_PACKETS_SYNCED) {
		look(s, packet, is_return);
	} else {
		s->at_address = false;
	}
}

/* --- trace --- */

static bool has_enough(const struct sampler *s)
{
	return csg_code_sample_places(&s->sample) >= CSG_CODE_SAMPLE_ENOUGH;
}

static void feed(struct sampler *s, struct csg_demux *demux)
{
	struct csg_run run;

	while (csg_demux_next(demux, &run)) {
		if (run.reset) {
			csg_reader_restart(&s->reader);
			csg_packets_restart(&s->packets);
			s->at_address = false;
		} else {
			csg_reader_feed(&s->reader, &run);
		}
	}
}

static void look_at_chunk(struct sampler *s, struct csg_window *window,
			  const struct csg_source *source, const struct csg_chunk *chunk,
			  uint64_t *left)
{
	struct csg_demux demux;
	uint64_t offset = 0;

	csg_demux_begin(&demux, chunk->framing, source);
	demux.joins = true;
	csg_reader_restart(&s->reader);
	csg_packets_restart(&s->packets);
	s->at_address = false;
	s->time = chunk->time;
	while (*left && !has_enough(s)) {
		size_t n = *left < LOOK_BLOCK ? *left : LOOK_BLOCK;
		const uint8_t *bytes;

		if (csg_window_read(window, chunk, offset, &bytes, &n) || !n)
			return;
		csg_demux_input(&demux, chunk->position + offset, bytes, n);
		feed(s, &demux);
		offset += n;
		*left -= n;
	}
}

static int look_at_source(struct sampler *s, const struct csg_source *source, uint64_t left)
{
	struct csg_recording *rec = s->check->rec;
	const struct csg_chunk *chunks;
	struct csg_window *window;
	size_t n;
	int err = csg_window_create(&window, rec);

	if (err)
		return err;
	csg_reader_init(&s->reader, source, on_packet, s);
	csg_reader_tell_atoms(&s->reader, true);
	err = csg_packets_init(&s->packets, source, ignore, NULL);
	s->features = csg_insn_features(source, UINT32_MAX);
	s->names_threads = csg_source_vctx(source) == CSG_VCTX_CONTEXTIDR_EL2;
	chunks = csg_recording_queue(rec, source->queue, &n);
	/* What was told may be cancelled. */
	if (s->packets.uncommitted.max_spec)
		n = 0;
	for (size_t i = 0; !err && i < n && left && !has_enough(s); i++)
		if (csg_chunk_is_of(&chunks[i], source))
			look_at_chunk(s, window, source, &chunks[i], &left);
	if (!err)
		csg_packets_fini(&s->packets);
	csg_window_destroy(window);
	return err;
}

static int take_sample(struct sampler *s)
{
	size_t n;
	const struct csg_source *sources = csg_recording_sources(s->check->rec, &n);
	int err = 0;

	for (size_t i = 0; !err && i < n && !has_enough(s); i++)
		if (sources[i].protocol != CSG_PROTOCOL_OTHER)
			err = look_at_source(s, &sources[i], LOOK_BYTES / n);
	return err;
}

int csg_check_kernel(const struct csg_kernel_check *check, int32_t vm)
{
	struct csg_machine *machine;
	char text[TEXT_MAX];
	int err = csg_image_machine(check->people->image, vm, &machine);

	/* Of the recording itself, or of nothing, there is nothing to doubt. */
	while (!err && csg_machine_names_kernel_code(machine)) {
		struct sampler s = {
			.check = check, .vm = vm, .kernel = csg_machine_kernel(machine)};

		err = take_sample(&s);
		if (err || !csg_code_sample_refutes(&s.sample))
			return err;
		snprintf(text, sizeof(text),
			 "not the kernel that ran, or not where it ran: the trace contradicts "
			 "%" PRIu32 " of %" PRIu32 " branches of it, the first at 0x%" PRIx64,
			 s.sample.contradicted, csg_code_sample_places(&s.sample), s.sample.first);
		csg_machine_refuse_kernel_code(machine, text);
	}
	return err;
}

// SPDX-License-Identifier: BSD-3-Clause
/*
 * fixcheck DIR [VARIANT]: does a composed recording, as it is committed, agree with its truth?
 *
 * Nothing but the files in DIR is used. Each stream of perf.data is decoded with OpenCSD, under the
 * registers that AUXTRACE_INFO names, with the code of the images that the truth's owners name: the
 * kcore of the machine, or the file that the machine's own sideband maps there. The instructions
 * decoded must be those of the truth's runs, one for one: each run begins at its address, at its
 * exception level; the context ID traced is its thread, timestamps lie in its time. Exit status 1
 * when they differ.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>

#include <opencsd/c_api/opencsd_c_api.h>

#include "fixture.h"
#include "util.h"

/* OpenCSD 1.3.3's C interface does not free its callback objects: no leaks of ours. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

struct decoding {
	struct fixture *fixture;
	const struct fx_stream *stream;
	size_t run;	  /* that the next instruction belongs to */
	uint64_t done;	  /* instructions of that run */
	uint64_t decoded; /* of the stream */
	uint64_t elements, times;
	ocsd_pe_context context;
	bool has_context;
	unsigned differences;
};

__attribute__((format(printf, 2, 3))) static void differ(struct decoding *d, const char *format,
							 ...)
{
	va_list list;

	if (d->differences++ >= 5)
		return;
	printf("cpu %u, instruction %" PRIu64 ", run %zu: ", d->stream->cpu, d->decoded, d->run);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
}

static const struct fx_run *run_at(const struct decoding *d, size_t run)
{
	return run < d->stream->runs ? &d->stream->run[run] : NULL;
}

static const struct fx_owner *owner_at(const struct decoding *d, size_t run)
{
	const struct fx_run *r = run_at(d, run);

	return r ? &d->fixture->owner[r->owner] : NULL;
}

static uint32_t read_code(const void *arg, const ocsd_vaddr_t address,
			  const ocsd_mem_space_acc_t space, const uint8_t id, const uint32_t size,
			  uint8_t *buffer)
{
	const struct decoding *d = arg;
	const struct fx_owner *o = owner_at(d, d->run);

	(void)space;
	(void)id;
	/* One instruction at a time: the decoder keeps what it got, whoever comes next. */
	return o && size >= 4 && fx_code(d->fixture, o, run_at(d, d->run)->time, address, buffer)
		       ? 4
		       : 0;
}

/*
 * A kernel writes the context ID some instructions before or after it becomes visible in the trace:
 * inside a kernel a neighbouring run's is right as well. A user's must be exact.
 */
static bool is_thread(const struct decoding *d, uint32_t traced, bool host)
{
	const struct fx_owner *o = owner_at(d, d->run);

	for (size_t i = d->run ? d->run - 1 : 0; i <= d->run + 1; i++) {
		const struct fx_owner *n = owner_at(d, i);

		if (n && (i == d->run || !o->user) &&
		    (uint32_t)(host ? n->host_tid : n->tid) == traced)
			return true;
	}
	return false;
}

/* Of Xen the VM is the VMID; KVM's VMIDs are other numbers, one for each guest and each guest of a
 * guest. */
static bool is_vmid(struct decoding *d, const struct fx_owner *o, unsigned vmid)
{
	bool fits = true;

	if (d->fixture->snapshot)
		return vmid == (unsigned)o->vm;
	for (size_t i = 0; i < d->fixture->machines; i++) {
		struct fx_machine *m = &d->fixture->machine[i];
		bool mine = m->vm == o->vm && m->nested == o->nested;

		if (mine && !m->vmid)
			m->vmid = vmid;
		fits = fits && (!m->vmid || mine == (m->vmid == vmid));
	}
	return fits;
}

static void check_context(struct decoding *d)
{
	const struct fx_owner *o = owner_at(d, d->run);

	if (!d->has_context || !o)
		return;
	if ((unsigned)d->context.exception_level != o->el)
		differ(d, "the trace says EL%u, the truth EL%u", d->context.exception_level, o->el);
	if (d->context.vmid_valid && d->stream->virt_is_thread &&
	    !is_thread(d, d->context.vmid, true))
		differ(d, "CONTEXTIDR_EL2 is %u, the host's thread is %d", d->context.vmid,
		       o->host_tid);
	if (d->context.vmid_valid && !d->stream->virt_is_thread && o->vm &&
	    !is_vmid(d, o, d->context.vmid))
		differ(d, "the trace says VMID %u, the truth %d", d->context.vmid, o->vm);
	if (d->context.ctxt_id_valid && o->vm && !is_thread(d, d->context.context_id, false))
		differ(d, "CONTEXTIDR_EL1 is %u, the guest's thread is %d", d->context.context_id,
		       o->tid);
}

static void on_range(struct decoding *d, const ocsd_generic_trace_elem *e)
{
	uint64_t left = e->num_instr_range, at = e->st_addr;

	check_context(d);
	while (left) {
		const struct fx_run *r = run_at(d, d->run);
		uint64_t n;

		if (!r) {
			differ(d, "%" PRIu64 " instructions more than the truth has, at %#" PRIx64,
			       left, at);
			d->decoded += left;
			return;
		}
		if (!d->done && at != r->address)
			differ(d, "is at %#" PRIx64 ", the truth at %#" PRIx64, at, r->address);
		n = r->n - d->done < left ? r->n - d->done : left;
		d->done += n;
		d->decoded += n;
		left -= n;
		at += 4 * n;
		if (d->done == r->n) {
			d->run++;
			d->done = 0;
		}
	}
}

/* A timestamp speaks of what stands before it: it lies in this run's time, or at its seams. */
static void on_time(struct decoding *d, uint64_t value)
{
	const struct fx_run *first = run_at(d, d->run ? d->run - 1 : 0),
			    *after = run_at(d, d->run + 1);
	uint64_t low = first ? first->time : 0, high = after ? after->time : UINT64_MAX;
	bool fits = false;

	d->times++;
	if (!d->stream->has_clock)
		return;
	for (size_t i = 0; !fits && i <= d->fixture->machines; i++) {
		const struct fx_owner *o = owner_at(d, d->run);
		const struct fx_machine *m = i ? &d->fixture->machine[i - 1] : NULL;
		uint64_t time = sb_time(&d->fixture->host, value + (m ? m->cntvoff : 0));

		/* A guest's own, always; in the host a guest's may be loaded: that of this thread's
		   VM. */
		if (d->stream->clock_is_physical ? m != NULL : o && o->vm && (!m || o->vm != m->vm))
			continue;
		fits = time + FIXTURE_TIME_SLACK >= low &&
		       (time <= high || time - high <= FIXTURE_TIME_SLACK);
	}
	if (!fits)
		differ(d, "timestamp %" PRIu64 " lies outside of %" PRIu64 " to %" PRIu64 " ns",
		       value, low, high);
}

static ocsd_datapath_resp_t element(const void *arg, const ocsd_trc_index_t index, const uint8_t id,
				    const ocsd_generic_trace_elem *e)
{
	struct decoding *d = (struct decoding *)(uintptr_t)arg;

	(void)index;
	(void)id;
	d->elements++;
	switch (e->elem_type) {
	case OCSD_GEN_TRC_ELEM_PE_CONTEXT:
		d->context = e->context;
		d->has_context = true;
		break;
	case OCSD_GEN_TRC_ELEM_INSTR_RANGE:
		on_range(d, e);
		break;
	case OCSD_GEN_TRC_ELEM_TIMESTAMP:
		on_time(d, e->timestamp);
		break;
	case OCSD_GEN_TRC_ELEM_ADDR_NACC:
		differ(d, "no image holds %#" PRIx64, e->st_addr);
		break;
	case OCSD_GEN_TRC_ELEM_NO_SYNC:
		if (d->decoded)
			differ(d, "the decoder has lost its way");
		break;
	default:
		break;
	}
	return OCSD_RESP_CONT;
}

static int create_decoder(dcd_tree_handle_t tree, const struct fx_stream *s)
{
	const uint64_t *r = s->reg;
	unsigned char id;

	if (s->ete) {
		ocsd_ete_cfg ete = {.reg_configr = (uint32_t)r[0],
				    .reg_traceidr = s->id,
				    .reg_idr0 = (uint32_t)r[2],
				    .reg_idr1 = (uint32_t)r[3],
				    .reg_idr2 = (uint32_t)r[4],
				    .reg_idr8 = (uint32_t)r[5],
				    .reg_devarch = (uint32_t)r[7],
				    .arch_ver = ARCH_AA64,
				    .core_prof = profile_CortexA};

		return (int)ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETE,
						   OCSD_CREATE_FLG_FULL_DECODER, &ete, &id);
	}
	ocsd_etmv4_cfg etm = {.reg_configr = (uint32_t)r[0],
			      .reg_traceidr = s->id,
			      .reg_idr0 = (uint32_t)r[2],
			      .reg_idr1 = (uint32_t)r[3],
			      .reg_idr2 = (uint32_t)r[4],
			      .reg_idr8 = (uint32_t)r[5],
			      .arch_ver = ARCH_V8,
			      .core_prof = profile_CortexA};

	return (int)ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETMV4I,
					   OCSD_CREATE_FLG_FULL_DECODER, &etm, &id);
}

static int decode(const struct fx_stream *s, dcd_tree_handle_t tree)
{
	uint32_t used;

	for (size_t at = 0; at < s->size;) {
		uint32_t piece = s->size - at > 1 << 16 ? 1 << 16 : (uint32_t)(s->size - at);
		ocsd_datapath_resp_t resp =
			ocsd_dt_process_data(tree, OCSD_OP_DATA, at, piece, s->trace + at, &used);

		if (resp != OCSD_RESP_CONT || !used)
			return -1;
		at += used;
	}
	return ocsd_dt_process_data(tree, OCSD_OP_EOT, 0, 0, NULL, &used) == OCSD_RESP_CONT ? 0
											    : -1;
}

static bool check_stream(struct fixture *f, const struct fx_stream *s)
{
	struct decoding d = {.fixture = f, .stream = s};
	dcd_tree_handle_t tree;
	int error;

	ocsd_def_errlog_init(OCSD_ERR_SEV_NONE, 0);
	tree = ocsd_create_dcd_tree(
		s->raw ? OCSD_TRC_SRC_SINGLE : OCSD_TRC_SRC_FRAME_FORMATTED,
		s->raw ? 0 : OCSD_DFRMTR_FRAME_MEM_ALIGN | OCSD_DFRMTR_RESET_ON_4X_FSYNC);
	if (!tree)
		return false;
	error = create_decoder(tree, s);
	if (!error)
		error = (int)ocsd_dt_add_callback_trcid_mem_acc(tree, 0, UINT64_MAX,
								OCSD_MEM_SPACE_ANY, read_code, &d);
	if (!error)
		error = (int)ocsd_dt_set_gen_elem_outfn(tree, element, &d);
	if (error || decode(s, tree))
		differ(&d, "OpenCSD gives up");
	ocsd_destroy_dcd_tree(tree);
	if (d.decoded < s->instructions)
		differ(&d, "the trace ends %" PRIu64 " instructions before the truth",
		       s->instructions - d.decoded);
	printf("cpu %u: %" PRIu64 " instructions of %" PRIu64 " in %zu runs, %" PRIu64
	       " timestamps: %u "
	       "differences\n",
	       s->cpu, d.decoded, s->instructions, s->runs, d.times, d.differences);
	return !d.differences;
}

int main(int argc, char **argv)
{
	static struct fixture f;
	bool good = true;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: fixcheck DIR [VARIANT]\n");
		return 2;
	}
	if (fixture_open(&f, argv[1], argv[2]))
		return 2;
	for (size_t i = 0; i < f.streams; i++)
		good &= check_stream(&f, &f.stream[i]);
	if (!f.streams) {
		printf("no stream\n");
		good = false;
	}
	fixture_close(&f);
	return good ? 0 : 1;
}

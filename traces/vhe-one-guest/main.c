/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plays the script, traces it, and writes perf.data and truth.txt: see make.sh.
 *
 *	make PERF-DATA TRUTH
 *	make PERF-DATA TURNS TICKS	a long one, without a truth: see play_long()
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoder/decode.h"
#include "encoder/etm.h"
#include "encoder/frame.h"
#include "encoder/perf_writer.h"
#include "machine.h"

/* Host time in ns is the counter, 1 GHz, plus this. */
#define TIME_ZERO UINT64_C(40000000000)
#define TIME_SHIFT 20

/* The trace units: ETMv4.2 that stamp virtual time, as with FEAT_TRF, one ID per CPU. */
static struct csg_enc_model unit(unsigned cpu)
{
	struct csg_enc_model m;

	csg_enc_model_init(&m, false);
	m.trace_id = (uint8_t)(0x10 + 2 * cpu);
	m.sync_period = 1024;
	m.address_before_eret = true;
	return m;
}

struct verify {
	struct machine *m;
	unsigned el;
};

/* EL0 code lies at different addresses in host and guest, so the address tells. */
static size_t verify_read(void *arg, uint64_t address, void *data, size_t size)
{
	struct verify *v = arg;
	size_t n = 0;

	if (v->el)
		return image_read(mapped(v->m, GUEST_APP, v->el), address, data, size);
	for (enum who w = 0; w < OWNERS && !n; w++)
		n = image_read(mapped(v->m, w, 0), address, data, size);
	return n;
}

/* OpenCSD must decode what is written to what was executed. */
static void verify(struct machine *m, const struct csg_enc_model *model,
		   const struct csg_enc_path *path, const struct csg_enc_bytes *frames)
{
	struct verify v = {.m = m};
	struct csg_enc_decode d = {
		.model = model,
		.data = frames->data,
		.size = frames->size,
		.formatted = true,
		.read = verify_read,
		.arg = &v,
		.el = &v.el,
	};
	struct csg_enc_elems expected = {0}, seen = {0};
	char text[600] = "not decoded";

	csg_enc_expect(model, path, &expected);
	if (csg_enc_decode(&d, &seen) < 0 ||
	    !csg_enc_elems_equal(model, &expected, &seen, text, sizeof(text))) {
		fprintf(stderr, "%s\n", text);
		exit(1);
	}
	csg_enc_elems_fini(&expected);
	csg_enc_elems_fini(&seen);
}

/* One pass as the frames of its AUX buffer. */
static void trace(struct machine *m, unsigned cpu, unsigned pass, bool check,
		  struct csg_enc_bytes *out)
{
	struct csg_enc_model model = unit(cpu);
	struct csg_enc_frames f = {0};
	struct csg_enc_etm etm;

	csg_enc_etm_init(&etm, &model);
	if (csg_enc_etm_path(&etm, &m->cpus[cpu].passes[pass]) < 0) {
		fprintf(stderr, "%s\n", etm.error);
		exit(1);
	}
	csg_enc_frames_barrier(&f);
	csg_enc_frames_put(&f, model.trace_id, etm.out.data, etm.out.size);
	csg_enc_frames_flush(&f);
	if (check)
		verify(m, &model, &m->cpus[cpu].passes[pass], &f.out);
	csg_enc_bytes_put(out, f.out.data, f.out.size);
	csg_enc_frames_fini(&f);
	csg_enc_etm_fini(&etm);
}

static uint64_t ns(uint64_t counter)
{
	return counter + TIME_ZERO;
}

static struct csg_enc_perf_sample sample(enum who who, unsigned cpu, uint64_t time, uint64_t id)
{
	return (struct csg_enc_perf_sample){owners[who].pid, owners[who].tid, cpu, time, id + cpu};
}

/* What perf synthesises when it starts: the kernel, the processes, their code. */
static void put_start(struct machine *m, struct csg_enc_perf *p)
{
	static const struct {
		enum who who;
		enum image_name image;
	} processes[] = {{MAIN_THREAD, VMM}, {SSHD_THREAD, SSHD}};
	const struct image *kernel = &m->images[HOST];
	struct csg_enc_perf_sample none = {0};
	struct csg_enc_perf_mmap map = {
		.pid = UINT32_MAX,
		.start = kernel->start,
		.size = kernel->end - kernel->start,
		.offset = kernel->start,
		.name = "[kernel.kallsyms]_text",
	};

	csg_enc_perf_mmap(p, CSG_ENC_MISC_KERNEL, &map, &none);
	csg_enc_perf_add_build_id(p, CSG_ENC_MISC_KERNEL, UINT32_MAX, kernel->build_id,
				  kernel->path);
	for (unsigned i = 0; i < 2; i++) {
		const struct owner *o = &owners[processes[i].who];
		const struct image *image = &m->images[processes[i].image];

		csg_enc_perf_comm(p, o->pid, o->tid, o->comm, false, &none);
		map = (struct csg_enc_perf_mmap){
			.pid = o->pid,
			.tid = o->tid,
			.name = image->path,
			.major = 8,
			.minor = 2,
			.inode = 1000 + i,
			.offset = image->offset & ~0xfffu,
			.start = image->start & ~UINT64_C(0xfff),
		};
		map.size = ((image->end + 0xfff) & ~UINT64_C(0xfff)) - map.start;
		csg_enc_perf_mmap2(p, CSG_ENC_MISC_USER, &map, &none);
		csg_enc_perf_add_build_id(p, CSG_ENC_MISC_USER, UINT32_MAX, image->build_id,
					  image->path);
	}
	csg_enc_perf_task(p, false, owners[VCPU_THREAD].pid, owners[VCPU_THREAD].tid,
			  owners[VCPU_THREAD].pid, owners[VCPU_THREAD].pid, &none);
	csg_enc_perf_comm(p, owners[VCPU_THREAD].pid, owners[VCPU_THREAD].tid,
			  owners[VCPU_THREAD].comm, false, &none);
	csg_enc_perf_finished_init(p);
}

/* The trace of one CPU: its AUX records in time, its bytes. */
static void put_trace(struct machine *m, struct csg_enc_perf *p, unsigned cpu, uint64_t etm_id)
{
	struct csg_enc_bytes aux = {0};
	struct cpu *c = &m->cpus[cpu];

	for (unsigned pass = 0; pass < c->pass; pass++) {
		size_t at = aux.size;
		struct csg_enc_perf_sample s =
			sample(MAIN_THREAD, cpu, ns(c->pass_end[pass]), etm_id);

		trace(m, cpu, pass, true, &aux);
		csg_enc_perf_aux(p, at, aux.size - at, 0, &s);
	}
	csg_enc_perf_auxtrace(p, cpu, CSG_ENC_PERF_ANY, 0, 0x1234 + cpu, aux.data, aux.size);
	csg_enc_bytes_fini(&aux);
}

/* Who is traced on each CPU, with which trace ID. */
static void put_units(struct machine *m, struct csg_enc_perf *p, uint64_t etm_id)
{
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		struct csg_enc_perf_sample s = sample(cpu ? MAIN_THREAD : VCPU_THREAD, cpu,
						      ns(m->cpus[cpu].pass_start[0] - 100), etm_id);

		csg_enc_perf_hw_id(p, unit(cpu).trace_id, 0, 0, &s);
		csg_enc_perf_itrace_start(p, s.pid, s.tid, &s);
	}
}

static void put_switches(struct machine *m, struct csg_enc_perf *p, uint64_t id)
{
	for (unsigned i = 0; i < m->switch_count; i++) {
		const struct switched *w = &m->switches[i];
		struct csg_enc_perf_sample s = sample(w->from, w->cpu, ns(w->time - 40), id);

		csg_enc_perf_switch(p, true, owners[w->to].pid, owners[w->to].tid, &s);
		s = sample(w->to, w->cpu, ns(w->time + 40), id);
		csg_enc_perf_switch(p, false, owners[w->from].pid, owners[w->from].tid, &s);
	}
}

/* A perf.data that is written. */
struct file {
	struct machine *m;
	struct csg_enc_perf p;
	uint64_t etm_id, dummy_id;
	struct csg_enc_bytes aux[CPUS]; /* of a long one */
};

static void begin_file(struct file *f, struct machine *m)
{
	struct csg_enc_model units[CPUS] = {unit(0), unit(1)};
	struct csg_enc_perf *p = &f->p;

	f->m = m;
	csg_enc_perf_init(p);
	p->options.cpus = CPUS;
	p->options.hostname = "vhe-host";
	p->options.release = "6.12.0";
	p->options.cmdline = "perf record -a -e cs_etm/contextid2/GH";
	f->etm_id = csg_enc_perf_add_etm(p, &units[0], CSG_ENC_ATTR_DISABLED | CSG_ENC_ATTR_INHERIT,
					 CSG_ENC_PERF_ANY);
	f->dummy_id = csg_enc_perf_add_dummy(
		p,
		CSG_ENC_ATTR_INHERIT | CSG_ENC_ATTR_EXCLUDE_KERNEL | CSG_ENC_ATTR_EXCLUDE_HV |
			CSG_ENC_ATTR_MMAP | CSG_ENC_ATTR_COMM | CSG_ENC_ATTR_TASK |
			CSG_ENC_ATTR_MMAP2 | CSG_ENC_ATTR_COMM_EXEC | CSG_ENC_ATTR_CONTEXT_SWITCH,
		CSG_ENC_PERF_ANY);
	csg_enc_perf_time_conv(p, TIME_SHIFT, UINT64_C(1) << TIME_SHIFT, TIME_ZERO);
	csg_enc_perf_id_index(p);
	csg_enc_perf_auxtrace_info(p, 1, units, CPUS, 1);
	put_start(m, p);
	put_units(m, p, f->etm_id);
}

static int end_file(struct file *f, const char *path)
{
	struct csg_enc_bytes file = {0};
	int ret;

	csg_enc_perf_finished_round(&f->p);
	csg_enc_perf_finish(&f->p, &file);
	ret = csg_enc_bytes_save(&file, path);
	csg_enc_bytes_fini(&file);
	csg_enc_perf_fini(&f->p);
	return ret;
}

static int write_perf(struct machine *m, const char *path)
{
	struct file f = {0};

	begin_file(&f, m);
	put_switches(m, &f.p, f.dummy_id);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		put_trace(m, &f.p, cpu, f.etm_id);
	return end_file(&f, path);
}

/* A buffer of a long recording is full. */
static void take_buffer(void *arg, struct cpu *cpu)
{
	struct file *f = arg;
	struct csg_enc_bytes *aux = &f->aux[cpu->number];
	struct csg_enc_perf_sample s =
		sample(MAIN_THREAD, cpu->number, ns(cpu->pass_end[0]), f->etm_id);
	size_t at = aux->size;

	trace(f->m, cpu->number, 0, false, aux);
	put_switches(f->m, &f->p, f->dummy_id);
	f->m->switch_count = 0;
	csg_enc_perf_aux(&f->p, at, aux->size - at, 0, &s);
}

static int write_long(struct machine *m, const char *path, unsigned turns, uint64_t ticks)
{
	struct file f = {0};

	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		m->cpus[cpu].pass_start[0] = m->cpus[cpu].now;
	begin_file(&f, m);
	play_long(m, turns, ticks, take_buffer, &f);
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		csg_enc_perf_auxtrace(&f.p, cpu, CSG_ENC_PERF_ANY, 0, 0x1234 + cpu, f.aux[cpu].data,
				      f.aux[cpu].size);
		csg_enc_bytes_fini(&f.aux[cpu]);
	}
	return end_file(&f, path);
}

static void truth_range(FILE *f, unsigned cpu, uint64_t start, uint64_t end,
			const struct csg_enc_context *c)
{
	const struct owner *o = &owners[c->owner];

	if (start != end)
		fprintf(f, "%u %" PRIx64 " %" PRIx64 " %u %s %u %d %u %u %u\n", cpu, start, end,
			c->el, o->guest ? "guest" : "host", o->vm, o->vcpu, o->pid, o->tid,
			o->host_tid);
}

static int write_truth(struct machine *m, const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		return -1;
	fprintf(f, "# SPDX-License-Identifier: BSD-3-Clause\n");
	fprintf(f, "# cpu start end el world vm vcpu pid tid host_tid\n");
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		for (unsigned pass = 0; pass < m->cpus[cpu].pass; pass++) {
			const struct csg_enc_path *p = &m->cpus[cpu].passes[pass];
			struct csg_enc_context c = {0};

			fprintf(f, "# cpu %u buffer %u\n", cpu, pass);
			for (size_t i = 0; i < p->count; i++) {
				const struct csg_enc_event *e = &p->events[i];

				if (e->kind == CSG_ENC_CONTEXT)
					c = e->context;
				else if (e->kind == CSG_ENC_BRANCH)
					truth_range(f, cpu, e->branch.start, e->branch.end, &c);
				else if (e->kind == CSG_ENC_EXCEPTION)
					truth_range(f, cpu, e->exception.start, e->exception.ret,
						    &c);
			}
		}
	}
	return fclose(f);
}

int main(int argc, char **argv)
{
	static struct machine m;

	if (argc != 3 && argc != 4)
		return 2;
	machine_init(&m);
	if (argc == 4)
		return write_long(&m, argv[1], (unsigned)strtoul(argv[2], NULL, 10),
				  strtoull(argv[3], NULL, 10)) < 0;
	play(&m);
	if (write_perf(&m, argv[1]) < 0 || write_truth(&m, argv[2]))
		return 1;
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "scale/scale.h"

#include <sys/stat.h>

#define FLAGS                                                                                      \
	(CSG_ENC_ATTR_MMAP | CSG_ENC_ATTR_COMM | CSG_ENC_ATTR_TASK | CSG_ENC_ATTR_SAMPLE_ID_ALL |  \
	 CSG_ENC_ATTR_MMAP2 | CSG_ENC_ATTR_COMM_EXEC | CSG_ENC_ATTR_CONTEXT_SWITCH)

static struct csg_enc_perf_sample found(void)
{
	return (struct csg_enc_perf_sample){.id = side_id};
}

static void begin_recording(const struct csg_enc_model *models)
{
	struct csg_enc_perf_sample when;

	csg_enc_perf_init(&perf);
	perf.options.cpus = (uint32_t)opt.cpus;
	perf.options.hostname = "scale";
	perf.options.release = "6.12.0";
	perf.options.cmdline = "perf record -a -e cs_etm// --switch-events";
	etm_id = csg_enc_perf_add_etm(&perf, &models[0], CSG_ENC_ATTR_SAMPLE_ID_ALL,
				      CSG_ENC_PERF_ANY);
	side_id = csg_enc_perf_add_dummy(&perf, FLAGS, CSG_ENC_PERF_ANY);
	csg_enc_perf_time_conv(&perf, 10, 1024, TIME_ZERO);
	csg_enc_perf_id_index(&perf);
	csg_enc_perf_auxtrace_info(&perf, 1, models, (unsigned)opt.cpus, 1);
	when = found();
	put_map(&perf, 0, &host_kernel, &when);
	for (size_t v = 0; v < opt.vms; v++) {
		csg_enc_perf_task(&perf, false, (uint32_t)vms[v].pid, (uint32_t)vms[v].pid, 1, 1,
				  &when);
		csg_enc_perf_comm(&perf, (uint32_t)vms[v].pid, (uint32_t)vms[v].pid, "qemu", true,
				  &when);
	}
	for (size_t i = 0; i < opt.cpus; i++)
		for (size_t k = 0; k < cpus[i].count; k++)
			put_thread(cpus[i].threads[k], &when);
	csg_enc_perf_finished_init(&perf);
}

static void begin_guest(struct vm *vm)
{
	struct csg_enc_perf_sample when = {0};
	struct csg_enc_perf *p = vm->perf = get(1, sizeof(*p));

	csg_enc_perf_init(p);
	p->options.cpus = vm->vcpu_count;
	p->options.hostname = "guest";
	p->options.release = "6.12.0";
	p->options.cmdline = "perf record -a -e dummy:u --switch-events";
	vm->id = when.id = csg_enc_perf_add_dummy(p, FLAGS, CSG_ENC_PERF_ANY);
	csg_enc_perf_time_conv(p, 10, 1024, GUEST_ZERO);
	csg_enc_perf_id_index(p);
	put_map(p, 0, &guest_kernel, &when);
	for (unsigned k = 0; k < vm->vcpu_count; k++) {
		for (unsigned i = 0; i < opt.guest_processes; i++) {
			const struct thread t = {.vcpu = k};
			uint32_t pid = (uint32_t)guest_pid(&t, i);
			char comm[16];

			snprintf(comm, sizeof(comm), "g%u", i);
			csg_enc_perf_task(p, false, pid, pid, 1, 1, &when);
			csg_enc_perf_comm(p, pid, pid, comm, true, &when);
			put_map(p, pid, &programs[i % FILES], &when);
		}
	}
	csg_enc_perf_finished_init(p);
}

static void save_perf(struct csg_enc_perf *p, const char *path)
{
	struct csg_enc_bytes file = {0};

	csg_enc_perf_finished_round(p);
	csg_enc_perf_finish(p, &file);
	if (csg_enc_bytes_save(&file, path) < 0)
		die(path);
	csg_enc_bytes_fini(&file);
	csg_enc_perf_fini(p);
}

static void append(FILE *to, FILE *from)
{
	char buffer[65536];
	size_t n;

	rewind(from);
	while ((n = fread(buffer, 1, sizeof(buffer), from)) > 0)
		fwrite(buffer, 1, n, to);
}

static void save_truth(const char *path, const struct csg_enc_model *models)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die(path);
	fputs("csguest-truth 1\n", f);
	append(f, owners);
	for (size_t v = 0; v < opt.vms; v++)
		fprintf(f, "machine vm=%d cntvoff=%" PRIu64 "\n", vms[v].pid, vms[v].cntvoff);
	for (size_t i = 0; i < opt.cpus; i++) {
		struct cpu *c = &cpus[i];

		close_run(c);
		fprintf(f, "stream cpu=%zu id=0x%x bytes=%zu instructions=%" PRIu64 "\n", i,
			models[i].trace_id, c->sent.size, c->instructions);
		append(f, c->truth);
	}
	fputs("end\n", f);
	if (fclose(f))
		die(path);
}

void save(const char *dir, const struct csg_enc_model *models)
{
	FILE *args;

	save_perf(&perf, text("%s/perf.data", dir, 0));
	save_truth(text("%s/truth", dir, 0), models);
	for (int root = 0; root < 2; root++) {
		char *base = text(root ? "%s/guest" : "%s/host", dir, 0);

		mkdir(base, 0777);
		mkdir(text("%s/bin", base, 0), 0777);
		save_elf(root ? &guest_kernel : &host_kernel, text("%s/vmlinux", base, 0));
		for (int i = 0; i < FILES; i++)
			save_elf(&programs[i], text("%s/bin/p%d", base, i));
	}
	args = fopen(text("%s/args", dir, 0), "w");
	if (!args)
		die(dir);
	fprintf(args, "--symfs %s/host --vmlinux %s/host/vmlinux", dir, dir);
	for (size_t v = 0; v < opt.guests && v < opt.vms; v++) {
		save_perf(vms[v].perf, text("%s/guest-%d.data", dir, vms[v].pid));
		fprintf(args,
			" --guest "
			"g%d,pid=%d,vmlinux=%s/guest/vmlinux,root=%s/guest,perf=%s/guest-%d.data",
			vms[v].pid, vms[v].pid, dir, dir, dir, vms[v].pid);
	}
	fputc('\n', args);
	fclose(args);
}

void begin_recordings(const struct csg_enc_model *models)
{
	begin_recording(models);
	for (size_t v = 0; v < opt.guests; v++)
		begin_guest(&vms[v]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/array.h"

struct maker {
	struct csg_collect *plan;
	const struct csg_probe *probe;
	const struct csg_collect_options *options;
};

static char *join(struct csg_collect *plan, const char *a, const char *b)
{
	size_t n = strlen(a) + strlen(b) + 2;
	char *text = malloc(n);

	if (!text) {
		plan->no_memory = true;
		return NULL;
	}
	snprintf(text, n, "%s%s%s", a, *b ? "/" : "", b);
	return text;
}

static struct csg_collect_step *add_step(struct maker *m, enum csg_collect_kind kind,
					 const char *file, const char *why)
{
	struct csg_collect_step *step = &m->plan->steps[m->plan->step_count];

	if (m->plan->step_count == CSG_COLLECT_STEPS)
		abort(); /* a plan of ours outgrew the table */
	m->plan->step_count++;
	*step = (struct csg_collect_step){.kind = (uint8_t)kind, .why = why};
	if (file)
		step->file = join(m->plan, m->options->directory, file);
	return step;
}

static void add_argument(struct maker *m, struct csg_collect_step *step, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (!copy || csg_array_reserve((void **)&step->argv, &step->argv_capacity, step->argc + 2,
				       sizeof(*step->argv))) {
		m->plan->no_memory = true;
		free(copy);
		return;
	}
	step->argv[step->argc++] = copy;
	step->argv[step->argc] = NULL;
}

static void add_arguments(struct maker *m, struct csg_collect_step *step, const char *const *list)
{
	for (; *list; list++)
		add_argument(m, step, *list);
}

static void finding(struct maker *m, bool grave, const char *text, const char *remedy)
{
	if (m->plan->finding_count == CSG_COLLECT_FINDINGS)
		abort(); /* as above */
	m->plan->findings[m->plan->finding_count++] = (struct csg_finding){grave, text, remedy};
}

/* --- what the machine cannot give --- */

static bool is_protected(const struct maker *m)
{
	return m->plan->role == CSG_COLLECT_HOST && !strcmp(m->probe->kvm_mode, "protected");
}

/* Addresses of the kernel read as zero: with 2 for root, too. */
static bool hides_addresses(const struct csg_probe *p)
{
	return p->kptr_restrict > (p->root_user ? 1 : 0);
}

/* perf copies the kernel out of /proc/kcore, by kallsyms; some of pKVM's is the hypervisor's. */
static bool takes_kcore(const struct maker *m)
{
	return m->probe->kcore && !is_protected(m) && !hides_addresses(m->probe);
}

static void judge_perf(struct maker *m)
{
	if (m->options->no_perf)
		finding(m, true, "perf is not there: nothing can be recorded",
			"install it (Debian's package linux-perf), or name it: --perf PATH");
}

/* Why there is no event source of trace. */
static void no_pmu(struct maker *m)
{
	const struct csg_probe *p = m->probe;

	if (p->trace_firmware == CSG_PROBE_NO)
		finding(m, true,
			"no cs_etm PMU: the firmware (device tree, ACPI) describes no ETM or ETE "
			"to this kernel, as in virtual machines and on many boards",
			"firmware that describes them; in a guest --role guest");
	else if (p->trace_driver == CSG_PROBE_NO)
		finding(m, true,
			"no cs_etm PMU: this kernel has no driver of ETM and ETE "
			"(CONFIG_CORESIGHT_SOURCE_ETM4X)",
			"a kernel with it, and with the drivers of the sinks");
	else if (p->trace_firmware == CSG_PROBE_YES)
		finding(m, true,
			"no cs_etm PMU: the firmware describes trace units, but no driver has them",
			"modprobe coresight-etm4x and the drivers of the sinks (coresight-tmc, "
			"coresight-trbe); dmesg says why one failed");
	else
		finding(m, true,
			"no cs_etm PMU: the firmware describes no trace units, the kernel has no "
			"CONFIG_CORESIGHT_SOURCE_ETM4X, its module is not loaded, or this is a "
			"guest",
			"modprobe coresight-etm4x and the drivers of the sinks (coresight-tmc, "
			"coresight-trbe), or --role guest");
}

static void judge_trace(struct maker *m)
{
	const struct csg_probe *p = m->probe;
	const char *remedy, *lack = csg_trace_event_lack(p, m->options->windows, &remedy);

	if (strcmp(p->arch, "aarch64") && *p->arch)
		finding(m, true, "this machine is no AArch64: it has no ETM or ETE", NULL);
	else if (!p->pmu)
		no_pmu(m);
	if (!p->pmu)
		return;
	m->plan->impossible = lack;
	if (lack)
		finding(m, true, lack, remedy);
	if (!p->sinks)
		finding(m, true, "no sink takes the trace",
			"modprobe coresight-tmc coresight-trbe coresight-funnel");
	if (!p->has_contextid1_and_2 && !p->has_contextid)
		finding(m, false,
			"context IDs cannot be traced: no vCPU or process will be named "
			"by the trace",
			NULL);
	if (p->trf == CSG_PROBE_NO)
		finding(m, false,
			"no FEAT_TRF: timestamps are those of the CoreSight counter, which nothing "
			"relates to perf's time; owners rest on order and context IDs",
			NULL);
	if (p->trf == CSG_PROBE_YES)
		finding(m, false,
			"FEAT_TRF: kernels without KVM's trace filters of January 2025, 6.12 among "
			"them, trace no guests on such CPUs; without them entries and exits are "
			"all there is",
			"a kernel with those");
}

static void judge_kernel(struct maker *m)
{
	const struct csg_probe *p = m->probe;

	if (p->pid_in_contextidr == CSG_PROBE_NO)
		finding(m, false,
			m->plan->role != CSG_COLLECT_HOST
				? "CONFIG_PID_IN_CONTEXTIDR is off: the trace cannot name this "
				  "machine's processes, its switch records must"
				: "CONFIG_PID_IN_CONTEXTIDR is off: context IDs will be zero, and "
				  "name neither vCPU nor process",
			"a kernel with CONFIG_PID_IN_CONTEXTIDR=y");
	if (!p->root_user && (!p->paranoid_known || p->paranoid > 0))
		finding(m, true,
			"perf_event_paranoid lets only root record the kernel and other "
			"users' "
			"processes: perf will refuse, or say that switch events are not supported",
			"run as root, or sysctl kernel.perf_event_paranoid=-1");
	if (p->pid_namespace)
		finding(m, true,
			"this is another PID namespace than the machine's (a container): perf "
			"would record other thread IDs than the trace has, and none of threads "
			"outside",
			"run it in the first one (docker run --pid=host, hostPID: true)");
	if (hides_addresses(p))
		finding(m, false,
			"kptr_restrict hides the kernel's addresses: it will have no symbols, and "
			"perf cannot copy its code",
			"sysctl kernel.kptr_restrict=0");
	if (!p->kcore)
		finding(m, false,
			"/proc/kcore cannot be read: code that the kernel has patched will be "
			"decoded wrong or not at all",
			"run as root, with CONFIG_PROC_KCORE");
}

static void judge_kvm(struct maker *m)
{
	const struct csg_probe *p = m->probe;

	if (!p->kvm) {
		finding(m, false, "no /dev/kvm: no guests of KVM run here", NULL);
		return;
	}
	if (!strcmp(p->kvm_mode, "nvhe"))
		finding(m, false,
			"kvm-arm.mode=nvhe: the hypervisor's EL2 is not traced, host and guests "
			"share EL1, and no CONTEXTIDR_EL2 names the vCPU",
			"kvm-arm.mode=vhe");
	if (!strcmp(p->kvm_mode, "protected"))
		finding(m, false,
			"kvm-arm.mode=protected: guests are not traced at all, and the kernel's "
			"code is not copied: /proc/kcore has pages of pKVM, to read which is a "
			"panic",
			"kvm-arm.mode=vhe");
	if (p->debugfs != CSG_PROBE_YES)
		finding(m, false,
			"/sys/kernel/debug/kvm cannot be listed: vCPUs are known by the names of "
			"their threads only, which QEMU alone gives them",
			"mount -t debugfs none /sys/kernel/debug, and run as root");
	else if (!p->vms)
		finding(m, false, "no guest of KVM runs now", "start guests before recording");
	else if (!p->vcpu_count || p->vcpus_unseen)
		finding(m, false,
			"KVM's debugfs lists VMs without their vCPUs, as on arm64, and not every "
			"vCPU's thread was seen in KVM_RUN: these are known by their names only, "
			"which QEMU alone gives them",
			"run as root; say them later: --vcpu TID=VM:N");
}

/* perf ends with an error where an event is not to be had. */
static bool takes_kvm_events(const struct maker *m)
{
	return m->options->kvm_events && m->plan->role == CSG_COLLECT_HOST &&
	       m->probe->kvm_events == CSG_PROBE_YES;
}

static void judge_kvm_events(struct maker *m)
{
	if (m->options->kvm_events && !takes_kvm_events(m))
		finding(m, false, "tracefs has no kvm:kvm_entry and kvm:kvm_exit: not recorded",
			"run as root on a host, after mount -t tracefs none /sys/kernel/tracing");
}

static void judge_xen_syms(struct maker *m)
{
	switch (m->options->xen_syms.is) {
	case CSG_COLLECT_SYMS_NONE:
		finding(m, false, "xen-syms is not there: Xen's own code will have no symbols",
			"install it (Debian's package xen-hypervisor-VERSION-arm64-dbg), or keep "
			"that of your build as /boot/xen-syms-VERSION");
		break;
	case CSG_COLLECT_SYMS_OTHER:
		finding(m, false,
			"the xen-syms that is there has another build ID than the Xen that runs: "
			"it is left alone, and Xen's own code will have no symbols",
			"install the one of this Xen (Debian's package "
			"xen-hypervisor-VERSION-arm64-dbg)");
		break;
	case CSG_COLLECT_SYMS_UNCHECKED:
		finding(m, false, "Xen does not report its build ID: xen-syms is not checked",
			"run as root in dom0");
		break;
	default:
		break;
	}
}

static void judge_xl(struct maker *m)
{
	if (m->options->no_xl)
		finding(m, true, "xl is not there: domains of VMIDs are not known",
			"install Xen's tools (Debian's package xen-utils-common)");
	else if (!m->probe->root_user)
		finding(m, true, "xl needs root: domains of VMIDs are not known", "run as root");
	else if (!m->probe->xen_privcmd)
		finding(m, true, "/dev/xen/privcmd is not there: domains of VMIDs are not known",
			"modprobe xen-privcmd xen-evtchn xen-gntdev");
	else if (!m->probe->xenstored)
		finding(m, false,
			"xenstored does not run, or not here: xl list and xl vcpu-list then wait "
			"for it forever; they are given 30 seconds, and domains have no names",
			"systemctl start xenstored, and xen-init-dom0");
}

static void judge_xen(struct maker *m)
{
	const struct csg_probe *p = m->probe;

	if (!p->xen)
		finding(m, true, "Xen does not run below this machine",
			"--role host or --role guest");
	else if (p->xen_dom0 == CSG_PROBE_NO)
		finding(m, true, "this is not Xen's control domain: it cannot ask Xen",
			"run in dom0; here --role guest");
	else if (p->xen_dom0 == CSG_PROBE_UNKNOWN)
		finding(m, false, "whether this is Xen's control domain is not known",
			"mount -t xenfs xenfs /proc/xen");
	judge_xl(m);
	judge_xen_syms(m);
	finding(m, false,
		"Xen traps the trace registers of all domains: record from outside, with a "
		"debugger, as an OpenCSD snapshot",
		NULL);
}

static void judge(struct maker *m)
{
	if (m->plan->role == CSG_COLLECT_XEN)
		judge_xen(m);
	judge_perf(m);
	if (m->plan->role == CSG_COLLECT_HOST) {
		judge_trace(m);
		judge_kvm(m);
	}
	judge_kvm_events(m);
	judge_kernel(m);
}

/* --- what is run --- */
static void add_workload(struct maker *m, struct csg_collect_step *step)
{
	char seconds[24];

	if (!m->options->command && !m->options->seconds)
		return;
	add_argument(m, step, "--");
	if (m->options->command) {
		for (char *const *word = m->options->command; *word; word++)
			add_argument(m, step, *word);
		return;
	}
	snprintf(seconds, sizeof(seconds), "%" PRId64, m->options->seconds);
	add_argument(m, step, "sleep");
	add_argument(m, step, seconds);
}

static void plan_perf(struct maker *m, bool trace)
{
	char size[64], event[CSG_TRACE_EVENT_MAX] = "dummy";
	const char *const record[] = {m->options->perf, "record", "-a", "-e", NULL};
	const char *const kvm[] = {"-e", "kvm:kvm_entry,kvm:kvm_exit", NULL};
	const char *const nested[] = {"-e", CSG_PROBE_NESTED_EVENTS, NULL};
	const char *const wakes[] = {"-e", "sched:sched_waking,sched:sched_wakeup", NULL};
	const char *const aux[] = {"-m", size, NULL};
	const char *const build_ids[] = {"--buildid-all", "-N", NULL};
	const char *const control[] = {"--control", m->options->control, NULL};
	struct csg_collect_step *step =
		add_step(m, CSG_COLLECT_RUN, NULL,
			 trace ? "trace of host and guests, with who was switched in when"
			       : "who was switched in when, and what is mapped where");
	char *output = join(m->plan, m->options->directory, "perf.data");

	if (trace)
		csg_trace_event(event, m->probe, m->options->windows, m->options->preset);
	add_arguments(m, step, record);
	add_argument(m, step, event);
	if (trace)
		add_arguments(m, step, csg_trace_event_options(m->options->windows));
	step->snapshots = trace && m->options->windows == CSG_COLLECT_SNAPSHOT;
	if (takes_kvm_events(m))
		add_arguments(m, step, kvm);
	if (m->probe->nested_events && m->plan->role == CSG_COLLECT_HOST)
		add_arguments(m, step, nested);
	if (m->probe->wake_events && trace)
		add_arguments(m, step, wakes);
	if (trace && m->options->aux_size) {
		snprintf(size, sizeof(size), ",%s", m->options->aux_size);
		add_arguments(m, step, aux);
	}
	add_argument(m, step, "--switch-events");
	/* With trace perf notes all build IDs by itself; without, of what was sampled: nothing. */
	if (!trace)
		add_arguments(m, step, build_ids);
	if (takes_kcore(m))
		add_argument(m, step, "--kcore");
	if ((step->watched = control[1]))
		add_arguments(m, step, control);
	add_argument(m, step, "-o");
	add_argument(m, step, output);
	free(output);
	add_workload(m, step);
}

static void plan_copy(struct maker *m, const char *source, const char *file, const char *why)
{
	struct csg_collect_step *step = add_step(m, CSG_COLLECT_COPY, file, why);

	step->source = source;
	step->may_fail = true;
}

/* One that asks Xen: it may fail, but not for long. */
static struct csg_collect_step *ask_xen(struct maker *m, const char *file, const char *why,
					const char *const *argv)
{
	struct csg_collect_step *step = add_step(m, CSG_COLLECT_RUN, file, why);

	step->may_fail = true;
	step->patience = CSG_COLLECT_PATIENCE;
	add_arguments(m, step, argv);
	return step;
}

/* Whose VMIDs are now.  Xen's log may hold older dumps: the last one counts. */
static void plan_xen_list(struct maker *m, bool afterwards)
{
	static const char *const names[] = {"xl", "list", NULL};
	static const char *const ask[] = {"xl", "debug-keys", "q", NULL};
	static const char *const tell[] = {"xl", "dmesg", NULL};
	size_t first = m->plan->step_count;
	struct csg_collect_step *step =
		ask_xen(m, "xen-list",
			afterwards ? "names of domains, afterwards" : "names of domains", names);
	char *log = join(m->plan, m->options->directory, "xen-dmesg");

	step->wants_xenstored = step->append = true;
	ask_xen(m, NULL, "makes Xen log which domain has which VMID", ask);
	ask_xen(m, "xen-dmesg", "Xen's log", tell);
	step = add_step(m, CSG_COLLECT_XEN_DUMP, "xen-list", "what it last logged of domains");
	step->may_fail = true;
	step->needs = 2; /* else the last is of another time */
	add_argument(m, step, log);
	free(log);
	for (size_t i = first; afterwards && i < m->plan->step_count; i++)
		m->plan->steps[i].last = true;
}

static void plan_xen(struct maker *m)
{
	static const char *const vcpus[] = {"xl", "vcpu-list", NULL};
	static const char *const config[] = {"xl", "list", "-l", NULL};
	const enum csg_collect_syms syms = m->options->xen_syms.is;

	ask_xen(m, "xen-vcpus", "where domains' vCPUs are", vcpus)->wants_xenstored = true;
	ask_xen(m, "xen-config", "how domains are made", config)->wants_xenstored = true;
	if (syms == CSG_COLLECT_SYMS_SAME || syms == CSG_COLLECT_SYMS_UNCHECKED)
		plan_copy(m, m->options->xen_syms.path, "xen-syms", "symbols of Xen");
}

static void make_plan(struct maker *m)
{
	bool xen = m->plan->role == CSG_COLLECT_XEN && !m->options->no_xl;

	add_step(m, CSG_COLLECT_ABOUT, "machine", "what this machine offers");
	if (m->plan->role == CSG_COLLECT_HOST && m->probe->vcpu_count)
		add_step(m, CSG_COLLECT_VCPUS, "kvm-list", "which thread runs which vCPU")->source =
			m->probe->vcpus_by_threads ? NULL : "/sys/kernel/debug/kvm";
	if (m->plan->role == CSG_COLLECT_HOST &&
	    csg_vm_identity_any(m->probe->named, m->probe->named_count))
		add_step(m, CSG_COLLECT_NAMES, "vm-names", "what VMs are called");
	if (xen)
		plan_xen_list(m, false);
	add_step(m, CSG_COLLECT_CLOCK, "clock", "clocks before");
	plan_perf(m, m->plan->role == CSG_COLLECT_HOST && m->probe->pmu);
	if (!takes_kcore(m)) {
		plan_copy(m, "/proc/kallsyms", "kallsyms", "symbols of the kernel");
		plan_copy(m, "/proc/modules", "modules", "where its modules are");
	}
	add_step(m, CSG_COLLECT_CLOCK, "clock", "clocks afterwards")->last = true;
	if (xen) {
		plan_xen_list(m, true);
		plan_xen(m);
	}
}

static enum csg_collect_role choose_role(const struct csg_probe *p)
{
	if (p->xen)
		return p->xen_dom0 == CSG_PROBE_NO ? CSG_COLLECT_GUEST : CSG_COLLECT_XEN;
	if (p->pmu || p->kvm || p->vcpu_count || !p->in_guest)
		return CSG_COLLECT_HOST;
	return CSG_COLLECT_GUEST;
}

int csg_collect_plan(struct csg_collect *plan, const struct csg_probe *probe,
		     const struct csg_collect_options *options)
{
	struct maker m = {.plan = plan, .probe = probe, .options = options};

	memset(plan, 0, sizeof(*plan));
	plan->role = options->role == CSG_COLLECT_AUTO ? choose_role(probe) : options->role;
	judge(&m);
	make_plan(&m);
	return plan->no_memory ? -CSG_E_NO_MEMORY : 0;
}

void csg_collect_fini(struct csg_collect *plan)
{
	for (size_t i = 0; i < plan->step_count; i++) {
		struct csg_collect_step *step = &plan->steps[i];

		for (size_t k = 0; k < step->argc; k++)
			free(step->argv[k]);
		free(step->argv);
		free(step->file);
	}
	memset(plan, 0, sizeof(*plan));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "collect/probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csguest/error.h"
#include "files/kvm_threads.h"
#include "util/array.h"

#define PMU "/sys/bus/event_source/devices/cs_etm"
#define KVM "/sys/kernel/debug/kvm"
#define PATH_SIZE 4096

struct reader {
	const char *root;
	char path[PATH_SIZE];
	int err; /* -CSG_E_NO_MEMORY: what could not be read is not known to be missing */
};

static void note(struct reader *r, bool opened)
{
	if (!opened && errno == ENOMEM)
		r->err = -CSG_E_NO_MEMORY;
}

static const char *path_of(struct reader *r, const char *path)
{
	snprintf(r->path, sizeof(r->path), "%s%s", r->root, path);
	return r->path;
}

/* The first line of a file, without its end; false where there is none. */
static bool first_line(struct reader *r, const char *path, char *text, size_t size)
{
	FILE *f = fopen(path_of(r, path), "re");
	bool read = f && fgets(text, (int)size, f);

	note(r, f != NULL);
	if (!read)
		text[0] = 0;
	text[strcspn(text, "\n")] = 0;
	if (f)
		fclose(f);
	return read;
}

static bool exists(struct reader *r, const char *path)
{
	return !access(path_of(r, path), F_OK);
}

static bool number_in(struct reader *r, const char *path, int *number)
{
	char text[32], *end;
	long n;

	if (!first_line(r, path, text, sizeof(text)))
		return false;
	n = strtol(text, &end, 10);
	if (end == text || n < INT32_MIN || n > INT32_MAX)
		return false;
	*number = (int)n;
	return true;
}

/* Calls fn for each entry of a folder; false where it cannot be listed. */
static bool list(struct reader *r, const char *path, int (*fn)(void *arg, const char *name),
		 void *arg, int *err)
{
	DIR *dir = opendir(path_of(r, path));
	struct dirent *entry;

	note(r, dir != NULL);
	if (!dir)
		return false;
	while (!*err && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			*err = fn(arg, entry->d_name);
	closedir(dir);
	return true;
}

static int count_cpu(void *arg, const char *name)
{
	unsigned int *n = arg;

	*n += !strncmp(name, "cpu", 3) && name[3] >= '0' && name[3] <= '9';
	return 0;
}

static int count_any(void *arg, const char *name)
{
	unsigned int *n = arg;

	(void)name;
	(*n)++;
	return 0;
}

/* The driver's ts_source is -1 where TRFCR_EL1 is not there. */
static int ask_trace_unit(void *arg, const char *name)
{
	struct csg_probe *p = ((void **)arg)[0];
	struct reader *r = ((void **)arg)[1];
	char path[512];
	int ts_source;

	if (strncmp(name, "etm", 3) && strncmp(name, "ete", 3))
		return 0;
	snprintf(path, sizeof(path), "/sys/bus/coresight/devices/%.200s/ts_source", name);
	if (number_in(r, path, &ts_source))
		p->trf = ts_source < 0 ? CSG_PROBE_NO : CSG_PROBE_YES;
	return 0;
}

static void probe_trace(struct csg_probe *p, struct reader *r)
{
	void *both[] = {p, r};
	int err = 0;

	p->pmu = exists(r, PMU "/type");
	list(r, PMU, count_cpu, &p->trace_units, &err);
	list(r, PMU "/sinks", count_any, &p->sinks, &err);
	p->has_contextid = exists(r, PMU "/format/contextid");
	p->has_contextid1_and_2 =
		exists(r, PMU "/format/contextid1") && exists(r, PMU "/format/contextid2");
	p->autofdo = exists(r, PMU "/events/autofdo");
	list(r, "/sys/bus/coresight/devices", ask_trace_unit, both, &err);
}

/* --- what firmware says --- */

#define TREE "/proc/device-tree"
#define TREE_DEPTH 3 /* "/soc/etm@...": boards put them no deeper */

struct tree {
	struct reader *r;
	const char *path;
	int depth;
	bool found;
};

/* "compatible" is a list of strings, each with its end. */
static bool is_trace_unit(struct reader *r, const char *path)
{
	static const char *const units[] = {"arm,coresight-etm4x", "arm,coresight-etm4x-sysreg",
					    "arm,embedded-trace-extension"};
	char whole[PATH_SIZE], text[256];
	size_t n;
	FILE *f;

	snprintf(whole, sizeof(whole), "%s/compatible", path);
	f = fopen(path_of(r, whole), "re");
	note(r, f != NULL);
	n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = 0;
	for (size_t at = 0; at < n; at += strlen(text + at) + 1)
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
			if (!strcmp(text + at, units[i]))
				return true;
	return false;
}

static int look_into_node(void *arg, const char *name)
{
	struct tree *above = arg;
	char path[PATH_SIZE / 2];
	struct tree node = {.r = above->r, .path = path, .depth = above->depth + 1};
	int err = 0;

	if (above->found ||
	    snprintf(path, sizeof(path), "%s/%s", above->path, name) >= (int)sizeof(path))
		return 0;
	node.found = is_trace_unit(above->r, path);
	if (!node.found && node.depth < TREE_DEPTH)
		list(above->r, path, look_into_node, &node, &err);
	above->found = node.found;
	return err;
}

static int look_for_acpi(void *arg, const char *name)
{
	bool *found = arg;

	*found |= !strncmp(name, "ARMHC500", 8); /* ETM and ETE: Arm's DEN0067 */
	return 0;
}

static void probe_firmware(struct csg_probe *p, struct reader *r)
{
	struct tree tree = {.r = r, .path = TREE};
	bool acpi = false;
	int err = 0;
	bool known = list(r, TREE, look_into_node, &tree, &err);

	known |= list(r, "/sys/bus/acpi/devices", look_for_acpi, &acpi, &err);
	if (known)
		p->trace_firmware = tree.found || acpi ? CSG_PROBE_YES : CSG_PROBE_NO;
}

/* The configuration that distributions put beside the kernel. */
static void probe_config(struct csg_probe *p, struct reader *r)
{
	static const char driver[] = "CONFIG_CORESIGHT_SOURCE_ETM4X=";
	char path[CSG_PROBE_TEXT + 32], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/boot/config-%s", p->release);
	f = fopen(path_of(r, path), "re");
	note(r, f != NULL);
	if (!f)
		return;
	p->pid_in_contextidr = p->trace_driver = CSG_PROBE_NO;
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "CONFIG_PID_IN_CONTEXTIDR=y", 26))
			p->pid_in_contextidr = CSG_PROBE_YES;
		if (!strncmp(line, driver, strlen(driver)))
			p->trace_driver = CSG_PROBE_YES;
	}
	fclose(f);
}

/* No more than its first bytes: after them is what nobody may read under pKVM. */
static bool can_read(struct reader *r, const char *path)
{
	int fd = open(path_of(r, path), O_RDONLY | O_CLOEXEC);
	char text[4];
	bool can = fd >= 0 && read(fd, text, sizeof(text)) == sizeof(text);

	if (fd >= 0)
		close(fd);
	return can;
}

/* The first PID namespace has the inode number PROC_PID_INIT_INO. */
static bool in_pid_namespace(struct reader *r)
{
	static const char first[] = "pid:[4026531836]";
	char text[64];
	ssize_t n = readlink(path_of(r, "/proc/self/ns/pid"), text, sizeof(text) - 1);

	if (n <= 0)
		return false;
	text[n] = 0;
	return strcmp(text, first) != 0;
}

static void probe_kernel(struct csg_probe *p, struct reader *r)
{
	first_line(r, "/proc/sys/kernel/arch", p->arch, sizeof(p->arch));
	first_line(r, "/proc/sys/kernel/osrelease", p->release, sizeof(p->release));
	p->paranoid_known = number_in(r, "/proc/sys/kernel/perf_event_paranoid", &p->paranoid);
	number_in(r, "/proc/sys/kernel/kptr_restrict", &p->kptr_restrict);
	p->pid_namespace = in_pid_namespace(r);
	p->kcore = can_read(r, "/proc/kcore");
	probe_config(p, r);
}

static void probe_command_line(struct csg_probe *p, struct reader *r)
{
	static const char option[] = "kvm-arm.mode=";
	char line[4096];

	if (!first_line(r, "/proc/cmdline", line, sizeof(line)))
		return;
	/* The last one counts. */
	for (char *at = line; (at = strstr(at, option)); at += strlen(option))
		snprintf(p->kvm_mode, sizeof(p->kvm_mode), "%.*s",
			 (int)strcspn(at + strlen(option), " "), at + strlen(option));
}

/* --- vCPUs --- */

struct vm {
	struct csg_probe *probe;
	struct reader *r;
	const char *name;
	int32_t pid, fd;
};

static int add(struct vm *vm, int vcpu, int32_t tid)
{
	struct csg_probe *p = vm->probe;
	struct csg_probe_vcpu *added =
		csg_array_add(&p->vcpus, &p->vcpu_count, &p->vcpu_capacity, sizeof(*added));

	if (!added)
		return -CSG_E_NO_MEMORY;
	*added = (struct csg_probe_vcpu){vm->pid, vm->fd, vcpu, tid};
	return 0;
}

static int add_vcpu(void *arg, const char *name)
{
	struct vm *vm = arg;
	struct csg_probe *p = vm->probe;
	char path[512], rest;
	int vcpu, tid;

	if (sscanf(name, "vcpu%d%c", &vcpu, &rest) != 1 || p->vcpu_count >= CSG_PROBE_VCPUS)
		return 0;
	snprintf(path, sizeof(path), KVM "/%.200s/%.200s/pid", vm->name, name);
	return number_in(vm->r, path, &tid) ? add(vm, vcpu, tid) : 0;
}

static int add_thread(void *arg, int vcpu, int32_t tid)
{
	struct vm *vm = arg;

	vm->probe->vcpus_by_threads = true;
	return vm->probe->vcpu_count < CSG_PROBE_VCPUS ? add(vm, vcpu, tid) : 0;
}

/* Of a VM that debugfs lists without vCPUs. */
static int ask_threads(struct vm *vm)
{
	struct csg_kvm_threads threads;
	int err = csg_kvm_threads_find(vm->r->root, vm->pid, &threads, add_thread, vm);

	vm->probe->vcpus_unseen += threads.vcpus - threads.found;
	return err;
}

/* A VMM may have several VMs, which bear one name. */
static int add_identity(struct vm *vm)
{
	struct csg_probe *p = vm->probe;
	struct csg_vm_identity *named;

	for (size_t i = 0; i < p->named_count; i++)
		if (p->named[i].pid == vm->pid)
			return 0;
	named = csg_array_add(&p->named, &p->named_count, &p->named_capacity, sizeof(*named));
	if (!named)
		return -CSG_E_NO_MEMORY;
	named->pid = vm->pid;
	csg_vm_identity_find(named, vm->r->root);
	return 0;
}

static int add_vm(void *arg, const char *name)
{
	struct vm vm = *(struct vm *)arg;
	char path[512], rest;
	size_t before;
	int err = 0;

	if (sscanf(name, "%d-%d%c", &vm.pid, &vm.fd, &rest) != 2)
		return 0;
	vm.name = name;
	snprintf(path, sizeof(path), KVM "/%.200s", name);
	vm.probe->vms++;
	err = add_identity(&vm);
	before = vm.probe->vcpu_count;
	list(vm.r, path, add_vcpu, &vm, &err);
	return err || vm.probe->vcpu_count > before ? err : ask_threads(&vm);
}

static int by_tid(const void *pa, const void *pb)
{
	const struct csg_probe_vcpu *a = pa, *b = pb;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* --- Xen --- */

#define HYPERVISOR "/sys/hypervisor"

/* "4.17.7", of which the first two are also the name of its tools and files. */
static void probe_xen_version(struct csg_probe *p, struct reader *r)
{
	char major[8], minor[8], extra[32];

	if (!first_line(r, HYPERVISOR "/version/major", major, sizeof(major)) ||
	    !first_line(r, HYPERVISOR "/version/minor", minor, sizeof(minor)))
		return;
	first_line(r, HYPERVISOR "/version/extra", extra, sizeof(extra));
	snprintf(p->xen_release, sizeof(p->xen_release), "%s.%s", major, minor);
	snprintf(p->xen_version, sizeof(p->xen_version), "%s.%s%s", major, minor, extra);
}

/* The bytes themselves; what a domain may not know reads "<denied>". */
static void probe_xen_build_id(struct csg_probe *p, struct reader *r)
{
	FILE *f = fopen(path_of(r, HYPERVISOR "/properties/buildid"), "re");
	size_t n = f ? fread(p->xen_build_id, 1, sizeof(p->xen_build_id), f) : 0;

	note(r, f != NULL);
	if (n >= 8 && !memcmp(p->xen_build_id, "<denied>", 8))
		n = 0;
	p->xen_build_id_size = (uint8_t)n;
	if (f)
		fclose(f);
}

/* xenfs tells, where it is mounted, and since Linux 6.3 sysfs. */
static uint8_t is_dom0(struct reader *r)
{
	char text[CSG_PROBE_TEXT];
	int initial;

	if (first_line(r, "/proc/xen/capabilities", text, sizeof(text)))
		return strstr(text, "control_d") ? CSG_PROBE_YES : CSG_PROBE_NO;
	if (number_in(r, HYPERVISOR "/start_flags/initdomain", &initial))
		return initial ? CSG_PROBE_YES : CSG_PROBE_NO;
	/* A mounted xenfs is silent in any other domain. */
	return exists(r, "/proc/xen/capabilities") ? CSG_PROBE_NO : CSG_PROBE_UNKNOWN;
}

static void probe_xen(struct csg_probe *p, struct reader *r)
{
	char text[CSG_PROBE_TEXT];

	p->xen = first_line(r, HYPERVISOR "/type", text, sizeof(text)) && !strcmp(text, "xen");
	if (!p->xen)
		return;
	p->xen_dom0 = is_dom0(r);
	p->xen_privcmd = exists(r, "/dev/xen/privcmd") || exists(r, "/proc/xen/privcmd");
	p->xenstored = exists(r, "/run/xenstored/socket") || exists(r, "/var/run/xenstored/socket");
	probe_xen_version(p, r);
	probe_xen_build_id(p, r);
}

/*
 * Below whom this machine runs says so: KVM's and Xen's nodes, DMI of QEMU.  Xen gives a domain
 * that it boots itself no node of its own, but has it call PSCI by HVC, which only a hypervisor
 * takes.
 */
static bool is_guest(struct reader *r)
{
	char text[CSG_PROBE_TEXT];

	return exists(r, "/proc/device-tree/hypervisor") ||
	       (first_line(r, "/proc/device-tree/compatible", text, sizeof(text)) &&
		!strcmp(text, "linux,dummy-virt")) ||
	       (first_line(r, "/proc/device-tree/psci/method", text, sizeof(text)) &&
		!strcmp(text, "hvc")) ||
	       (first_line(r, "/sys/class/dmi/id/sys_vendor", text, sizeof(text)) &&
		!strcmp(text, "QEMU"));
}

static int probe_hypervisor(struct csg_probe *p, struct reader *r)
{
	struct vm vm = {.probe = p, .r = r};
	int err = 0;

	p->kvm = exists(r, "/dev/kvm");
	p->wake_events = exists(r, "/sys/kernel/tracing/events/sched/sched_waking") ||
			 exists(r, "/sys/kernel/debug/tracing/events/sched/sched_waking");
	p->kvm_events = exists(r, "/sys/kernel/tracing/events/kvm/kvm_entry") ||
					exists(r, "/sys/kernel/debug/tracing/events/kvm/kvm_entry")
				? CSG_PROBE_YES
				: CSG_PROBE_NO;
	p->nested_events = !strcmp(p->kvm_mode, "nested") &&
			   (exists(r, "/sys/kernel/tracing/events/kvm/kvm_nested_eret") ||
			    exists(r, "/sys/kernel/debug/tracing/events/kvm/kvm_nested_eret"));
	p->debugfs = list(r, KVM, add_vm, &vm, &err) ? CSG_PROBE_YES : CSG_PROBE_NO;
	if (p->vcpu_count)
		qsort(p->vcpus, p->vcpu_count, sizeof(*p->vcpus), by_tid);
	probe_xen(p, r);
	p->in_guest = is_guest(r);
	return err;
}

int csg_probe_machine(struct csg_probe *p, const char *root)
{
	struct reader r = {.root = root};
	int err;

	memset(p, 0, sizeof(*p));
	p->root_user = geteuid() == 0;
	probe_kernel(p, &r);
	probe_trace(p, &r);
	probe_firmware(p, &r);
	probe_command_line(p, &r);
	err = probe_hypervisor(p, &r);
	return err ? err : r.err;
}

void csg_probe_fini(struct csg_probe *p)
{
	free(p->vcpus);
	free(p->named);
	p->named = NULL;
	p->named_count = 0;
	p->vcpus = NULL;
	p->vcpu_count = 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/probe.h"

static char root[64];

static void begin(void)
{
	strcpy(root, "/tmp/csguest-unit.XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
}

/* Where a file of the machine is, with all folders above it. */
static const char *place(const char *path)
{
	static char whole[512];

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = 0;
		mkdir(whole, 0777);
		*at = '/';
	}
	return whole;
}

static void put_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(place(path), "w");

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT_EQUAL(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

/* A file with that text; "": a folder. */
static void put(const char *path, const char *text)
{
	if (*text)
		put_bytes(path, text, strlen(text));
	else
		mkdir(place(path), 0777);
}

static int away(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void end(struct csg_probe *p)
{
	csg_probe_fini(p);
	nftw(root, away, 8, FTW_DEPTH | FTW_PHYS);
}

static void an_empty_machine_is_known_for_nothing(void)
{
	struct csg_probe p;

	begin();
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_STRING_EQUAL(p.arch, "");
	CU_ASSERT_FALSE(p.pmu || p.kvm || p.xen || p.kcore || p.paranoid_known || p.in_guest);
	CU_ASSERT_EQUAL(p.trf, CSG_PROBE_UNKNOWN);
	CU_ASSERT_EQUAL(p.trace_firmware, CSG_PROBE_UNKNOWN);
	CU_ASSERT_EQUAL(p.debugfs, CSG_PROBE_NO);
	CU_ASSERT_EQUAL(p.vcpu_count, 0);
	end(&p);
}

static void trace_units_and_sinks_are_counted(void)
{
	struct csg_probe p;

	begin();
	put("/sys/bus/event_source/devices/cs_etm/type", "8\n");
	put("/sys/bus/event_source/devices/cs_etm/cpu0/trcidr0", "0x1\n");
	put("/sys/bus/event_source/devices/cs_etm/cpu1/trcidr0", "0x1\n");
	put("/sys/bus/event_source/devices/cs_etm/cpumask", "0-1\n");
	put("/sys/bus/event_source/devices/cs_etm/sinks/tmc_etr0", "0x1\n");
	put("/sys/bus/event_source/devices/cs_etm/format/contextid", "config:14\n");
	put("/sys/bus/event_source/devices/cs_etm/format/contextid1", "config:14\n");
	put("/sys/bus/coresight/devices/etm0/ts_source", "-1\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT(p.pmu);
	CU_ASSERT_EQUAL(p.trace_units, 2);
	CU_ASSERT_EQUAL(p.sinks, 1);
	CU_ASSERT(p.has_contextid);
	CU_ASSERT_FALSE(p.has_contextid1_and_2);
	CU_ASSERT_EQUAL(p.trf, CSG_PROBE_NO);
	csg_probe_fini(&p);
	put("/sys/bus/event_source/devices/cs_etm/format/contextid2", "config:15\n");
	put("/sys/bus/coresight/devices/etm0/ts_source", "0\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT(p.has_contextid1_and_2);
	CU_ASSERT_EQUAL(p.trf, CSG_PROBE_YES);
	end(&p);
	begin();
	put("/sys/bus/coresight/devices/tmc_etr0/ts_source", "1\n"); /* no trace unit */
	put("/proc/kcore", "abc");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trf, CSG_PROBE_UNKNOWN);
	CU_ASSERT_FALSE(p.kcore); /* shorter than what any ELF file begins with */
	csg_probe_fini(&p);
	put("/sys/bus/coresight/devices/ete0/ts_source", "1\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trf, CSG_PROBE_YES);
	end(&p);
}

static void the_kernel_is_asked(void)
{
	struct csg_probe p;

	begin();
	put("/proc/sys/kernel/arch", "aarch64\n");
	put("/proc/sys/kernel/osrelease", "6.12.95+deb12-arm64\n");
	put("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	put("/proc/sys/kernel/kptr_restrict", "2\n");
	put("/proc/kcore", "\177ELF");
	put("/proc/cmdline", "root=/dev/vda kvm-arm.mode=protected quiet\n");
	put("/boot/config-6.12.95+deb12-arm64",
	    "# CONFIG_X is not set\nCONFIG_PID_IN_CONTEXTIDR=y\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_STRING_EQUAL(p.arch, "aarch64");
	CU_ASSERT(p.paranoid_known);
	CU_ASSERT_EQUAL(p.paranoid, -1);
	CU_ASSERT_EQUAL(p.kptr_restrict, 2);
	CU_ASSERT(p.kcore);
	CU_ASSERT_STRING_EQUAL(p.kvm_mode, "protected");
	CU_ASSERT_EQUAL(p.pid_in_contextidr, CSG_PROBE_YES);
	csg_probe_fini(&p);
	put("/boot/config-6.12.95+deb12-arm64", "# CONFIG_PID_IN_CONTEXTIDR is not set\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.pid_in_contextidr, CSG_PROBE_NO);
	end(&p);
}

static void firmware_and_kernel_are_asked_for_trace_units(void)
{
	struct csg_probe p;

	begin();
	put("/proc/device-tree/compatible", "linux,dummy-virt");
	put("/proc/device-tree/pl011@9000000/compatible", "arm,pl011");
	put("/boot/config-6.12", "# CONFIG_CORESIGHT_SOURCE_ETM4X is not set\n");
	put("/proc/sys/kernel/osrelease", "6.12\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trace_firmware, CSG_PROBE_NO);
	CU_ASSERT_EQUAL(p.trace_driver, CSG_PROBE_NO);
	csg_probe_fini(&p);
	put("/proc/device-tree/soc/etm@22040000/compatible", "arm,coresight-etm4x");
	put("/boot/config-6.12", "CONFIG_CORESIGHT_SOURCE_ETM4X=m\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trace_firmware, CSG_PROBE_YES);
	CU_ASSERT_EQUAL(p.trace_driver, CSG_PROBE_YES);
	end(&p);
}

/* "compatible" is a list, and nodes lie in buses. */
static void trace_units_are_looked_for_in_buses(void)
{
	static const char list[] = "arm,vendors\0arm,embedded-trace-extension";
	struct csg_probe p;
	char path[128];
	FILE *f;

	begin();
	put("/proc/device-tree/a/b/c/etm/compatible", "arm,coresight-etm4x"); /* no deeper */
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trace_firmware, CSG_PROBE_NO);
	csg_probe_fini(&p);
	put("/proc/device-tree/a/b/ete/compatible", "x");
	snprintf(path, sizeof(path), "%s/proc/device-tree/a/b/ete/compatible", root);
	f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fwrite(list, 1, sizeof(list), f);
	fclose(f);
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trace_firmware, CSG_PROBE_YES);
	end(&p);
}

static void acpi_describes_trace_units_too(void)
{
	struct csg_probe p;

	begin();
	put("/sys/bus/acpi/devices/PNP0C0F:00/hid", "PNP0C0F\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trace_firmware, CSG_PROBE_NO);
	csg_probe_fini(&p);
	put("/sys/bus/acpi/devices/ARMHC500:01/hid", "ARMHC500\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.trace_firmware, CSG_PROBE_YES);
	end(&p);
}

static void the_last_mode_of_kvm_counts(void)
{
	struct csg_probe p;

	begin();
	put("/proc/cmdline", "kvm-arm.mode=protected kvm-arm.mode=nvhe quiet\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_STRING_EQUAL(p.kvm_mode, "nvhe");
	end(&p);
}

static void vcpus_are_listed_by_thread(void)
{
	struct csg_probe p;

	begin();
	put("/dev/kvm", "x");
	put("/sys/kernel/tracing/events/kvm/kvm_entry/id", "7\n");
	put("/sys/kernel/tracing/events/sched/sched_waking/id", "8\n");
	put("/sys/kernel/debug/kvm/138-11/vcpu0/pid", "143\n");
	put("/sys/kernel/debug/kvm/138-11/vcpu1/pid", "141\n");
	put("/sys/kernel/debug/kvm/136-12/vcpu0/pid", "144\n");
	put("/sys/kernel/debug/kvm/136-12/vcpu0x/pid", "999\n");
	put("/sys/kernel/debug/kvm/136-12/vcpu7/pid", "none\n");
	put("/sys/kernel/debug/kvm/exits", "5\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT(p.kvm);
	CU_ASSERT_EQUAL(p.kvm_events, CSG_PROBE_YES);
	CU_ASSERT(p.wake_events);
	CU_ASSERT_EQUAL(p.debugfs, CSG_PROBE_YES);
	CU_ASSERT_EQUAL_FATAL(p.vcpu_count, 3);
	CU_ASSERT_EQUAL(p.vcpus[0].tid, 141);
	CU_ASSERT_EQUAL(p.vcpus[0].vcpu, 1);
	CU_ASSERT_EQUAL(p.vcpus[2].vm, 136);
	CU_ASSERT_EQUAL(p.vcpus[2].fd, 12);
	end(&p);
}

static bool has_nested_events(const char *cmdline)
{
	struct csg_probe p;
	bool has;

	begin();
	put("/proc/cmdline", cmdline);
	put("/sys/kernel/tracing/events/kvm/kvm_nested_eret/id", "9\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	has = p.nested_events;
	end(&p);
	return has;
}

static void nested_kvm_has_events_of_its_own(void)
{
	CU_ASSERT_TRUE(has_nested_events("root=/dev/vda kvm-arm.mode=nested quiet\n"));
	CU_ASSERT_FALSE(has_nested_events("root=/dev/vda quiet\n"));
}

/* One whose vCPUs debugfs does not list, of two threads one is seen; one whose are listed. */
static void vcpus_that_are_not_listed_are_asked_for_by_thread(void)
{
	struct csg_probe p;
	char path[128];

	begin();
	put("/sys/kernel/debug/tracing/events/kvm/kvm_entry/id", "7\n");
	put("/sys/kernel/debug/kvm/138-11/vcpu0/pid", "143\n");
	put("/sys/kernel/debug/kvm/139/exits", "7\n"); /* no VM */
	put("/proc/138/task/143/syscall", "running\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.kvm_events, CSG_PROBE_YES);
	CU_ASSERT_FALSE(p.vcpus_by_threads);
	CU_ASSERT_EQUAL(p.vms, 1);
	CU_ASSERT_EQUAL(p.vcpus_unseen, 0);
	csg_probe_fini(&p);
	put("/sys/kernel/debug/kvm/147-8/exits", "7\n");
	put("/proc/147/task/154/syscall", "29 0xa 0xae80 0x0 0x0 0x0 0x0 0xff 0xff\n");
	put("/proc/147/fd", "");
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/proc/147/fd/%d", root, 10 + i);
		CU_ASSERT_EQUAL(
			symlink(i ? "anon_inode:kvm-vcpu:1" : "anon_inode:kvm-vcpu:0", path), 0);
	}
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT(p.vcpus_by_threads);
	CU_ASSERT_EQUAL(p.vms, 2);
	CU_ASSERT_EQUAL(p.vcpus_unseen, 1);
	CU_ASSERT_EQUAL_FATAL(p.vcpu_count, 2);
	CU_ASSERT_EQUAL(p.vcpus[1].tid, 154);
	end(&p);
}

static void xen_is_recognised(void)
{
	static const uint8_t id[] = {0x7a, 0x23, 0, 0x0a};
	struct csg_probe p;

	begin();
	put("/proc/xen/capabilities", "control_d\n");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_FALSE(p.xen);
	CU_ASSERT_EQUAL(p.xen_dom0, CSG_PROBE_UNKNOWN);
	csg_probe_fini(&p);
	put("/sys/hypervisor/type", "xen\n");
	put("/sys/hypervisor/version/major", "4\n");
	put("/sys/hypervisor/version/minor", "17\n");
	put("/sys/hypervisor/version/extra", ".7\n");
	put_bytes("/sys/hypervisor/properties/buildid", id, sizeof(id));
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT(p.xen);
	CU_ASSERT_FALSE(p.xenstored || p.xen_privcmd || p.in_guest);
	CU_ASSERT_EQUAL(p.xen_dom0, CSG_PROBE_YES);
	CU_ASSERT_STRING_EQUAL(p.xen_release, "4.17");
	CU_ASSERT_STRING_EQUAL(p.xen_version, "4.17.7");
	CU_ASSERT_EQUAL_FATAL(p.xen_build_id_size, sizeof(id));
	CU_ASSERT_EQUAL(memcmp(p.xen_build_id, id, sizeof(id)), 0);
	csg_probe_fini(&p);
	put("/sys/hypervisor/properties/buildid", "<denied>");
	put("/run/xenstored/socket", "x");
	put("/dev/xen/privcmd", "x");
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	CU_ASSERT_EQUAL(p.xen_build_id_size, 0);
	CU_ASSERT(p.xenstored && p.xen_privcmd);
	end(&p);
}

/* By xenfs where it is mounted, which is empty in any other domain; else by sysfs. */
static void dom0_is_distinguished_from_other_domains(void)
{
	static const struct {
		const char *capabilities, *initdomain;
		enum csg_probe_answer dom0;
	} machines[] = {
		{NULL, NULL, CSG_PROBE_UNKNOWN}, {"control_d\n", NULL, CSG_PROBE_YES},
		{NULL, "1\n", CSG_PROBE_YES},	 {NULL, "0\n", CSG_PROBE_NO},
		{"\n", NULL, CSG_PROBE_NO},	 {"", NULL, CSG_PROBE_NO},
		{"", "1\n", CSG_PROBE_YES},
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct csg_probe p;

		begin();
		put("/sys/hypervisor/type", "xen\n");
		if (machines[i].capabilities)
			put_bytes("/proc/xen/capabilities", machines[i].capabilities,
				  strlen(machines[i].capabilities));
		if (machines[i].initdomain)
			put("/sys/hypervisor/start_flags/initdomain", machines[i].initdomain);
		CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
		CU_ASSERT_EQUAL(p.xen_dom0, machines[i].dom0);
		end(&p);
	}
}

static bool in_guest(const char *path, const char *text)
{
	struct csg_probe p;
	bool is;

	begin();
	put(path, text);
	CU_ASSERT_EQUAL(csg_probe_machine(&p, root), 0);
	is = p.in_guest;
	end(&p);
	return is;
}

/* A domain that Xen boots by itself has neither "hypervisor" nor "compatible" in its device
 * tree. */
static void guests_are_recognised(void)
{
	CU_ASSERT(in_guest("/sys/class/dmi/id/sys_vendor", "QEMU\n"));
	CU_ASSERT_FALSE(in_guest("/sys/class/dmi/id/sys_vendor", "Ampere\n"));
	CU_ASSERT(in_guest("/proc/device-tree/hypervisor/compatible", "xen,xen-4.17"));
	CU_ASSERT(in_guest("/proc/device-tree/compatible", "linux,dummy-virt"));
	CU_ASSERT(in_guest("/proc/device-tree/psci/method", "hvc"));
	CU_ASSERT_FALSE(in_guest("/proc/device-tree/psci/method", "smc"));
}

CSG_SUITE(collect, probe, CSG_TEST(an_empty_machine_is_known_for_nothing),
	  CSG_TEST(trace_units_and_sinks_are_counted), CSG_TEST(the_kernel_is_asked),
	  CSG_TEST(firmware_and_kernel_are_asked_for_trace_units),
	  CSG_TEST(acpi_describes_trace_units_too), CSG_TEST(the_last_mode_of_kvm_counts),
	  CSG_TEST(vcpus_are_listed_by_thread), CSG_TEST(xen_is_recognised),
	  CSG_TEST(dom0_is_distinguished_from_other_domains), CSG_TEST(guests_are_recognised),
	  CSG_TEST(trace_units_are_looked_for_in_buses), CSG_TEST(nested_kvm_has_events_of_its_own),
	  CSG_TEST(vcpus_that_are_not_listed_are_asked_for_by_thread));

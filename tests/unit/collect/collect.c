/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <string.h>

#include "collect/collect.h"

static struct csg_collect plan;

/* A host of KVM with VHE that has everything. */
static struct csg_probe host(void)
{
	static struct csg_probe_vcpu vcpus[] = {{136, 11, 0, 144}};

	return (struct csg_probe){
		.arch = "aarch64",
		.release = "6.12.95",
		.root_user = true,
		.pmu = true,
		.trace_units = 2,
		.sinks = 1,
		.has_contextid = true,
		.has_contextid1_and_2 = true,
		.pid_in_contextidr = CSG_PROBE_YES,
		.paranoid_known = true,
		.paranoid = 2,
		.kcore = true,
		.kvm = true,
		.debugfs = CSG_PROBE_YES,
		.kvm_events = CSG_PROBE_YES,
		.vms = 1,
		.vcpus = vcpus,
		.vcpu_count = 1,
	};
}

static void make(const struct csg_probe *probe, enum csg_collect_role role)
{
	const struct csg_collect_options options = {
		.role = role, .directory = "dir", .perf = "perf", .seconds = 5};

	CU_ASSERT_EQUAL_FATAL(csg_collect_plan(&plan, probe, &options), 0);
}

/* The command lines of the plan, one after the other. */
static const char *commands(void)
{
	static char text[2048];

	text[0] = 0;
	for (size_t i = 0; i < plan.step_count; i++) {
		for (size_t k = 0; k < plan.steps[i].argc; k++) {
			strcat(text, plan.steps[i].argv[k]);
			strcat(text, " ");
		}
		strcat(text, plan.steps[i].argc ? "\n" : "");
	}
	return text;
}

static bool finds(const char *what, bool grave)
{
	for (size_t i = 0; i < plan.finding_count; i++)
		if (strstr(plan.findings[i].text, what) && plan.findings[i].grave == grave)
			return true;
	return false;
}

static const struct csg_collect_step *step(enum csg_collect_kind kind)
{
	for (size_t i = 0; i < plan.step_count; i++)
		if (plan.steps[i].kind == kind)
			return &plan.steps[i];
	return NULL;
}

static void a_host_traces_itself_and_its_guests(void)
{
	const struct csg_probe p = host();

	make(&p, CSG_COLLECT_AUTO);
	CU_ASSERT_EQUAL(plan.role, CSG_COLLECT_HOST);
	CU_ASSERT_EQUAL(plan.finding_count, 0);
	CU_ASSERT_STRING_EQUAL(commands(),
			       "perf record -a -e cs_etm/timestamp,contextid1,contextid2/GH "
			       "--switch-events --kcore -o dir/perf.data -- sleep 5 \n");
	CU_ASSERT_PTR_NULL(strstr(commands(), "--buildid-all")); /* perf does so with trace */
	CU_ASSERT_PTR_NOT_NULL_FATAL(step(CSG_COLLECT_VCPUS));
	CU_ASSERT_STRING_EQUAL(step(CSG_COLLECT_VCPUS)->file, "dir/kvm-list");
	CU_ASSERT(plan.steps[plan.step_count - 1].last);
	csg_collect_fini(&plan);
}

static void options_reach_perf(void)
{
	const struct csg_probe p = host();
	char a[] = "make", b[] = "all";
	char *const command[] = {a, b, NULL};
	const struct csg_collect_options options = {.directory = "d",
						    .perf = "/opt/perf",
						    .aux_size = "16M",
						    .kvm_events = true,
						    .command = command};

	CU_ASSERT_EQUAL_FATAL(csg_collect_plan(&plan, &p, &options), 0);
	CU_ASSERT_STRING_EQUAL(
		commands(), "/opt/perf record -a -e cs_etm/timestamp,contextid1,contextid2/GH -e "
			    "kvm:kvm_entry,kvm:kvm_exit -m ,16M --switch-events --kcore -o "
			    "d/perf.data -- make all \n");
	csg_collect_fini(&plan);
}

static void wake_ups_are_recorded_where_the_kernel_tells_them(void)
{
	struct csg_probe p = host();

	p.wake_events = true;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT_PTR_NOT_NULL(strstr(commands(), " -e sched:sched_waking,sched:sched_wakeup "));
	csg_collect_fini(&plan);
	make(&p, CSG_COLLECT_GUEST);
	CU_ASSERT_PTR_NULL(strstr(commands(), "sched:"));
	csg_collect_fini(&plan);
}

static void a_guest_records_who_ran(void)
{
	struct csg_probe p = host();

	p.pmu = p.kvm = false;
	p.vcpu_count = 0;
	p.in_guest = true;
	make(&p, CSG_COLLECT_AUTO);
	CU_ASSERT_EQUAL(plan.role, CSG_COLLECT_GUEST);
	CU_ASSERT_EQUAL(plan.finding_count, 0);
	CU_ASSERT_STRING_EQUAL(
		commands(), "perf record -a -e dummy --switch-events --buildid-all -N --kcore -o "
			    "dir/perf.data -- sleep 5 \n");
	csg_collect_fini(&plan);
}

static void a_host_without_trace_units_says_so(void)
{
	struct csg_probe p = host();

	p.pmu = false;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("no cs_etm PMU", true));
	CU_ASSERT_PTR_NOT_NULL(strstr(commands(), "-e dummy --switch-events --buildid-all"));
	csg_collect_fini(&plan);
	strcpy(p.arch, "x86_64");
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("no AArch64", true));
	csg_collect_fini(&plan);
	strcpy(p.arch, "aarch64");
	p.trace_firmware = CSG_PROBE_NO;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("no cs_etm PMU: the firmware (device tree, ACPI) describes no ETM or ETE",
			true));
	csg_collect_fini(&plan);
	p.trace_firmware = CSG_PROBE_YES;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("no cs_etm PMU: the firmware describes trace units, but no driver", true));
	csg_collect_fini(&plan);
	p.trace_driver = CSG_PROBE_NO;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("no cs_etm PMU: this kernel has no driver", true));
	csg_collect_fini(&plan);
	p = host();
	p.sinks = 0;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("no sink", true));
	csg_collect_fini(&plan);
}

static void what_is_missing_is_reported(void)
{
	struct csg_probe p = host();

	p.has_contextid1_and_2 = p.has_contextid = p.kcore = p.root_user = false;
	p.trf = CSG_PROBE_NO;
	p.pid_in_contextidr = CSG_PROBE_NO;
	p.kptr_restrict = 1;
	p.pid_namespace = true;
	p.debugfs = CSG_PROBE_NO;
	p.vcpu_count = 0;
	strcpy(p.kvm_mode, "nvhe");
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("context IDs cannot be traced", false));
	CU_ASSERT(finds("no FEAT_TRF", false));
	CU_ASSERT(finds("CONFIG_PID_IN_CONTEXTIDR", false));
	CU_ASSERT(finds("perf_event_paranoid", true));
	CU_ASSERT(finds("kptr_restrict", false));
	CU_ASSERT(finds("PID namespace", true));
	CU_ASSERT(finds("/proc/kcore", false));
	CU_ASSERT(finds("debug/kvm", false));
	CU_ASSERT(finds("kvm-arm.mode=nvhe", false));
	CU_ASSERT_PTR_NOT_NULL(strstr(commands(), "-e cs_etm/timestamp/GH"));
	CU_ASSERT_PTR_NULL(strstr(commands(), "--kcore"));
	CU_ASSERT_STRING_EQUAL(step(CSG_COLLECT_COPY)->file, "dir/kallsyms");
	csg_collect_fini(&plan);
	p = host();
	p.trf = CSG_PROBE_YES;
	p.vcpu_count = p.vms = 0;
	strcpy(p.kvm_mode, "protected");
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("trace no guests on such CPUs", false));
	CU_ASSERT(finds("no guest of KVM runs now", false));
	CU_ASSERT(finds("kvm-arm.mode=protected", false));
	csg_collect_fini(&plan);
}

/* perf's copy of /proc/kcore is a panic of such a host (traces/record/README.md). */
static void a_protected_host_keeps_its_kcore(void)
{
	struct csg_probe p = host();

	strcpy(p.kvm_mode, "protected");
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("to read which is a panic", false));
	CU_ASSERT_FALSE(finds("/proc/kcore cannot be read", false));
	CU_ASSERT_PTR_NULL(strstr(commands(), "--kcore"));
	CU_ASSERT_STRING_EQUAL(step(CSG_COLLECT_COPY)->source, "/proc/kallsyms");
	csg_collect_fini(&plan);
	make(&p, CSG_COLLECT_GUEST);
	CU_ASSERT_PTR_NOT_NULL(strstr(commands(), "--kcore"));
	csg_collect_fini(&plan);
}

/* perf ends with an error where tracefs has no such event. */
/* In a guest, too, whatever one of them shows that it is a host. */
static void who_may_have_guests_is_a_host(void)
{
	for (int what = 0; what < 4; what++) {
		struct csg_probe p = host();

		p.in_guest = true;
		p.pmu = what == 0;
		p.kvm = what == 1;
		p.vcpu_count = what == 2;
		make(&p, CSG_COLLECT_AUTO);
		CU_ASSERT_EQUAL(plan.role, what < 3 ? CSG_COLLECT_HOST : CSG_COLLECT_GUEST);
		csg_collect_fini(&plan);
	}
}

static void a_guest_is_not_traced_from_within(void)
{
	const struct csg_collect_options options = {.role = CSG_COLLECT_GUEST,
						    .directory = "d",
						    .perf = "perf",
						    .aux_size = "16M",
						    .seconds = 1,
						    .kvm_events = true};
	const struct csg_probe p = host();

	CU_ASSERT_EQUAL_FATAL(csg_collect_plan(&plan, &p, &options), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(commands(), "-e dummy "));
	CU_ASSERT_PTR_NULL(strstr(commands(), "16M"));
	CU_ASSERT_PTR_NULL(strstr(commands(), "kvm:"));
	CU_ASSERT(finds("not recorded", false));
	csg_collect_fini(&plan);
}

static void events_that_are_not_there_are_not_asked_for(void)
{
	const struct csg_collect_options options = {
		.directory = "d", .perf = "perf", .seconds = 1, .kvm_events = true};
	struct csg_probe p = host();

	p.kvm_events = CSG_PROBE_NO;
	CU_ASSERT_EQUAL_FATAL(csg_collect_plan(&plan, &p, &options), 0);
	CU_ASSERT(finds("kvm:kvm_entry and kvm:kvm_exit: not recorded", false));
	CU_ASSERT_PTR_NULL(strstr(commands(), "kvm:"));
	csg_collect_fini(&plan);
}

static void nested_kvm_says_when_guests_enter_their_guests(void)
{
	struct csg_probe p = host();

	p.nested_events = true;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT_PTR_NOT_NULL(
		strstr(commands(), " -e kvm:kvm_nested_eret,kvm:kvm_inject_nested_exception "));
	csg_collect_fini(&plan);
	make(&p, CSG_COLLECT_GUEST);
	CU_ASSERT_PTR_NULL(strstr(commands(), "nested"));
	csg_collect_fini(&plan);
}

static void who_is_not_root_gets_to_know_what_perf_will_not(void)
{
	struct csg_probe p = host();

	p.root_user = false;
	for (int role = CSG_COLLECT_HOST; role <= CSG_COLLECT_GUEST; role++) {
		p.paranoid = 1;
		make(&p, (enum csg_collect_role)role);
		CU_ASSERT(finds("perf_event_paranoid", true));
		csg_collect_fini(&plan);
		p.paranoid = 0;
		p.paranoid_known = false;
		make(&p, (enum csg_collect_role)role);
		CU_ASSERT(finds("perf_event_paranoid", true));
		csg_collect_fini(&plan);
		p.paranoid_known = true;
		make(&p, (enum csg_collect_role)role);
		CU_ASSERT_FALSE(finds("perf_event_paranoid", true));
		csg_collect_fini(&plan);
	}
}

/* perf record --kcore then ends with "Failed to copy kcore". */
static void hidden_addresses_keep_perf_from_kcore(void)
{
	struct csg_probe p = host();

	p.kptr_restrict = 1;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT_EQUAL(plan.finding_count, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(commands(), "--kcore"));
	csg_collect_fini(&plan);
	p.kptr_restrict = 2;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("kptr_restrict hides", false));
	CU_ASSERT_PTR_NULL(strstr(commands(), "--kcore"));
	csg_collect_fini(&plan);
}

/* KVM of arm64 lists VMs without their vCPUs. */
static void vms_without_vcpus_are_not_called_absent(void)
{
	struct csg_probe p = host();

	p.vcpu_count = 0;
	p.vcpus_unseen = 1;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT(finds("lists VMs without their vCPUs", false));
	CU_ASSERT_FALSE(finds("no guest of KVM runs now", false));
	CU_ASSERT_PTR_NULL(step(CSG_COLLECT_VCPUS));
	csg_collect_fini(&plan);
	for (int seen = 0; seen < 2; seen++) { /* none, of no process; one of two */
		p = host();
		p.vcpu_count = seen;
		p.vcpus_unseen = seen;
		make(&p, CSG_COLLECT_HOST);
		CU_ASSERT(finds("lists VMs without their vCPUs", false));
		csg_collect_fini(&plan);
	}
	p = host();
	p.pid_in_contextidr = CSG_PROBE_UNKNOWN;
	p.kcore = false;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT_FALSE(finds("CONFIG_PID_IN_CONTEXTIDR", false));
	CU_ASSERT_PTR_NULL(strstr(commands(), "--kcore"));
	csg_collect_fini(&plan);
	p = host();
	p.vcpus_by_threads = true;
	make(&p, CSG_COLLECT_HOST);
	CU_ASSERT_EQUAL(plan.finding_count, 0);
	CU_ASSERT_PTR_NULL(step(CSG_COLLECT_VCPUS)->source);
	csg_collect_fini(&plan);
}

static void without_perf_nothing_is_recorded(void)
{
	const struct csg_collect_options options = {
		.directory = "d", .perf = "perf", .no_perf = true};
	const struct csg_probe p = host();

	CU_ASSERT_EQUAL_FATAL(csg_collect_plan(&plan, &p, &options), 0);
	CU_ASSERT(finds("perf is not there", true));
	csg_collect_fini(&plan);
}

/* dom0 with all that there can be. */
static struct csg_probe dom0(void)
{
	struct csg_probe p = host();

	p.pmu = p.kvm = false;
	p.vms = p.vcpu_count = 0;
	p.xen = p.xen_privcmd = p.xenstored = true;
	p.xen_dom0 = CSG_PROBE_YES;
	return p;
}

static void make_xen(const struct csg_probe *probe, enum csg_collect_role role,
		     enum csg_collect_syms syms, bool no_xl)
{
	const struct csg_collect_options options = {
		.role = role,
		.directory = "dir",
		.perf = "perf",
		.seconds = 5,
		.no_xl = no_xl,
		.xen_syms = {.is = syms, .path = "/boot/xen-syms"}};

	CU_ASSERT_EQUAL_FATAL(csg_collect_plan(&plan, probe, &options), 0);
}

static void xen_is_asked_before_and_after(void)
{
	const struct csg_probe p = dom0();
	size_t dumps = 0;

	make_xen(&p, CSG_COLLECT_AUTO, CSG_COLLECT_SYMS_SAME, false);
	CU_ASSERT_EQUAL(plan.role, CSG_COLLECT_XEN);
	CU_ASSERT_STRING_EQUAL(
		commands(), "xl list \nxl debug-keys q \nxl dmesg \ndir/xen-dmesg \n"
			    "perf record -a -e dummy --switch-events --buildid-all -N --kcore -o "
			    "dir/perf.data -- sleep 5 \n"
			    "xl list \nxl debug-keys q \nxl dmesg \ndir/xen-dmesg \n"
			    "xl vcpu-list \nxl list -l \n");
	CU_ASSERT_EQUAL(plan.finding_count, 1);
	CU_ASSERT(finds("record from outside", false));
	for (size_t i = 0; i < plan.step_count; i++) {
		const struct csg_collect_step *s = &plan.steps[i];
		bool asks = s->kind == CSG_COLLECT_RUN && !strcmp(s->argv[0], "xl");

		CU_ASSERT_EQUAL(s->patience, asks ? 30 : 0);
		CU_ASSERT(!asks || s->may_fail);
		CU_ASSERT_EQUAL(s->wants_xenstored, asks && (!strcmp(s->argv[1], "list") ||
							     !strcmp(s->argv[1], "vcpu-list")));
		CU_ASSERT_EQUAL(s->append, s->wants_xenstored && strstr(s->file, "xen-list"));
		if (s->kind != CSG_COLLECT_XEN_DUMP)
			continue;
		CU_ASSERT_STRING_EQUAL(s->file, "dir/xen-list");
		CU_ASSERT_EQUAL(s->last, dumps++ > 0);
	}
	CU_ASSERT_EQUAL(dumps, 2);
	csg_collect_fini(&plan);
}

static void xens_symbols_are_copied_if_they_are_its_own(void)
{
	static const struct {
		enum csg_collect_syms is;
		const char *finding; /* or NULL */
		bool copied;
	} cases[] = {{CSG_COLLECT_SYMS_NONE, "xen-syms is not there", false},
		     {CSG_COLLECT_SYMS_SAME, NULL, true},
		     {CSG_COLLECT_SYMS_OTHER, "another build ID", false},
		     {CSG_COLLECT_SYMS_UNCHECKED, "does not report its build ID", true}};
	const struct csg_probe p = dom0();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_xen(&p, CSG_COLLECT_AUTO, cases[i].is, false);
		CU_ASSERT_EQUAL(plan.finding_count, 1 + (cases[i].finding != NULL));
		CU_ASSERT(!cases[i].finding || finds(cases[i].finding, false));
		CU_ASSERT_EQUAL(step(CSG_COLLECT_COPY) != NULL, cases[i].copied);
		if (cases[i].copied) {
			CU_ASSERT_STRING_EQUAL(step(CSG_COLLECT_COPY)->source, "/boot/xen-syms");
			CU_ASSERT_STRING_EQUAL(step(CSG_COLLECT_COPY)->file, "dir/xen-syms");
		}
		csg_collect_fini(&plan);
	}
}

static void what_keeps_xen_from_answering_is_reported(void)
{
	struct csg_probe p = dom0();

	make_xen(&p, CSG_COLLECT_AUTO, CSG_COLLECT_SYMS_SAME, true);
	CU_ASSERT(finds("xl is not there", true));
	CU_ASSERT_PTR_NULL(strstr(commands(), "xl"));
	CU_ASSERT_PTR_NOT_NULL(strstr(commands(), "perf record"));
	csg_collect_fini(&plan);
	p.xenstored = false;
	make_xen(&p, CSG_COLLECT_AUTO, CSG_COLLECT_SYMS_SAME, false);
	CU_ASSERT(finds("xenstored does not run", false));
	csg_collect_fini(&plan);
	p.xen_privcmd = false;
	make_xen(&p, CSG_COLLECT_AUTO, CSG_COLLECT_SYMS_SAME, false);
	CU_ASSERT(finds("/dev/xen/privcmd is not there", true));
	csg_collect_fini(&plan);
	p.root_user = false;
	make_xen(&p, CSG_COLLECT_AUTO, CSG_COLLECT_SYMS_SAME, false);
	CU_ASSERT(finds("xl needs root", true));
	CU_ASSERT(finds("perf_event_paranoid", true));
	csg_collect_fini(&plan);
	p = dom0();
	p.xen_dom0 = CSG_PROBE_UNKNOWN;
	make_xen(&p, CSG_COLLECT_AUTO, CSG_COLLECT_SYMS_SAME, false);
	CU_ASSERT_EQUAL(plan.role, CSG_COLLECT_XEN);
	CU_ASSERT(finds("whether this is Xen's control domain is not known", false));
	csg_collect_fini(&plan);
	p.xen = false;
	make_xen(&p, CSG_COLLECT_XEN, CSG_COLLECT_SYMS_SAME, false);
	CU_ASSERT(finds("Xen does not run below this machine", true));
	csg_collect_fini(&plan);
}

static void another_domain_of_xen_is_a_guest(void)
{
	struct csg_probe p = dom0();

	p.xen_dom0 = CSG_PROBE_NO;
	make(&p, CSG_COLLECT_AUTO);
	CU_ASSERT_EQUAL(plan.role, CSG_COLLECT_GUEST);
	CU_ASSERT_EQUAL(plan.finding_count, 0);
	csg_collect_fini(&plan);
	make(&p, CSG_COLLECT_XEN);
	CU_ASSERT(finds("not Xen's control domain", true));
	csg_collect_fini(&plan);
}

CSG_SUITE(collect, collect, CSG_TEST(a_host_traces_itself_and_its_guests),
	  CSG_TEST(options_reach_perf), CSG_TEST(wake_ups_are_recorded_where_the_kernel_tells_them),
	  CSG_TEST(a_guest_records_who_ran), CSG_TEST(a_host_without_trace_units_says_so),
	  CSG_TEST(what_is_missing_is_reported), CSG_TEST(a_protected_host_keeps_its_kcore),
	  CSG_TEST(events_that_are_not_there_are_not_asked_for),
	  CSG_TEST(nested_kvm_says_when_guests_enter_their_guests),
	  CSG_TEST(who_is_not_root_gets_to_know_what_perf_will_not),
	  CSG_TEST(hidden_addresses_keep_perf_from_kcore),
	  CSG_TEST(vms_without_vcpus_are_not_called_absent),
	  CSG_TEST(without_perf_nothing_is_recorded), CSG_TEST(xen_is_asked_before_and_after),
	  CSG_TEST(xens_symbols_are_copied_if_they_are_its_own),
	  CSG_TEST(what_keeps_xen_from_answering_is_reported),
	  CSG_TEST(another_domain_of_xen_is_a_guest), CSG_TEST(who_may_have_guests_is_a_host),
	  CSG_TEST(a_guest_is_not_traced_from_within));

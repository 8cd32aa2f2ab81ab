/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "image/machine.h"
#include "recorded_walk.h"
#include "session/open/guests.h"
#include "suite.h"

static struct recorded_walk w;

struct town {
	struct csg_image *image;
	struct csg_registry registry;
	struct csg_guests guests;
	unsigned int prescans;
};

static int prescan(void *arg)
{
	struct town *town = arg;

	town->prescans++;
	return 0;
}

static void settle(struct town *town)
{
	const struct csg_image_options options = {0};

	*town = (struct town){0};
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&town->image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_registry_init(&town->registry, town->image, false, false), 0);
}

static int load_with(struct town *town, const struct csg_guest_options *guests, size_t n,
		     const struct csg_xen_domains *domains)
{
	const struct csg_guests_setup setup = {.guests = guests,
					       .count = n,
					       .domains = domains,
					       .prescan = prescan,
					       .prescan_arg = town,
					       .guestmount = "/nowhere"};
	struct csg_recording *host;
	struct recorded_walk trace;
	int err;

	memset(&trace, 0, sizeof(trace));
	CU_ASSERT_FATAL(walk_init(&trace.walk, 4, false, false, 50));
	recorded_walk_open(&trace);
	host = trace.rec;
	err = csg_guests_load(&town->guests, &town->registry, host, &setup);
	recorded_walk_close(&trace);
	return err;
}

static int load(struct town *town, const struct csg_guest_options *guests, size_t n)
{
	return load_with(town, guests, n, NULL);
}

static void leave(struct town *town)
{
	csg_registry_fini(&town->registry);
	csg_image_destroy(town->image);
	csg_guests_fini(&town->guests);
}

static void a_guests_threads_are_those_of_its_recording(void)
{
	struct csg_guest_options guest = {.name = "a", .pid = 4100};
	struct csg_machine *machine;
	const char *comm = NULL;
	struct town town;

	memset(&w, 0, sizeof(w));
	w.comm = "init";
	CU_ASSERT_FATAL(walk_init(&w.walk, 4, false, false, 50));
	recorded_walk_open(&w);
	guest.perf = w.path;
	settle(&town);
	CU_ASSERT_EQUAL(load(&town, &guest, 1), 0);
	CU_ASSERT_EQUAL(town.guests.count, 1);
	/* Its records are in the host's time by its counter's offset, which the trace shows. */
	CU_ASSERT_EQUAL(town.prescans, 1);
	CU_ASSERT_EQUAL_FATAL(csg_image_machine(town.image, 4100, &machine), 0);
	CU_ASSERT_EQUAL(csg_machine_thread(machine, 10, UINT64_MAX, &comm), 10);
	CU_ASSERT_STRING_EQUAL(comm, "init");
	CU_ASSERT_EQUAL(csg_machine_thread(town.registry.host, 10, UINT64_MAX, NULL), -1);
	leave(&town);
	recorded_walk_close(&w);
}

static void a_guest_without_recording_only_has_files(void)
{
	const struct csg_guest_options guest = {.name = "a", .pid = 4100};
	struct town town;

	settle(&town);
	CU_ASSERT_EQUAL(load(&town, &guest, 1), 0);
	CU_ASSERT_EQUAL(town.guests.count, 0);
	CU_ASSERT_EQUAL(town.prescans, 0);
	leave(&town);
}

static void a_recording_that_is_not_there_is_an_error(void)
{
	const struct csg_guest_options guest = {
		.name = "a", .pid = 4100, .perf = "/nowhere/guest.data"};
	struct town town;

	settle(&town);
	CU_ASSERT_EQUAL(load(&town, &guest, 1), -CSG_E_NOT_FOUND);
	leave(&town);
}

static void the_only_vm_needs_not_be_said(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 5, .vm = 4100, .source = CSG_VCPU_BY_ID_INDEX};
	const struct csg_vcpu_entry other = {.tid = 6, .vm = 4200, .source = CSG_VCPU_BY_ID_INDEX};
	const struct csg_guest_options guest = {.name = "a"};
	struct town town;

	settle(&town);
	CU_ASSERT_EQUAL(load(&town, &guest, 1), -CSG_E_USAGE);
	csg_guests_fini(&town.guests);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(town.registry.attribution, &vcpu), 0);
	CU_ASSERT_EQUAL(load(&town, &guest, 1), 0);
	CU_ASSERT_EQUAL(town.guests.vms[0], 4100);
	csg_guests_fini(&town.guests);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(town.registry.attribution, &other), 0);
	CU_ASSERT_EQUAL(load(&town, &guest, 1), -CSG_E_USAGE);
	leave(&town);
}

static void two_guests_are_not_one_vm(void)
{
	const struct csg_guest_options guests[] = {{.name = "a", .pid = 4100},
						   {.name = "b", .pid = 4100}};
	struct town town;

	settle(&town);
	CU_ASSERT_EQUAL(load(&town, guests, 2), -CSG_E_USAGE);
	leave(&town);
}

static void a_name_of_a_vm_that_was_found_is_not_another_guest(void)
{
	const struct csg_vcpu_entry vcpu = {.tid = 5, .vm = 4100, .source = CSG_VCPU_BY_ID_INDEX};
	const struct csg_guest_options guests[] = {{.name = "a"}, {.name = "b", .pid = 4100}};
	struct town town;

	settle(&town);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(town.registry.attribution, &vcpu), 0);
	CU_ASSERT_EQUAL(load(&town, guests, 2), 0);
	CU_ASSERT_EQUAL(town.guests.vms[0], 4100);
	CU_ASSERT_EQUAL(town.guests.vms[1], 0);
	leave(&town);
}

static struct csg_xen_domains listed_domains(void)
{
	static struct csg_xen_domain entries[] = {
		{.domain = 0, .vmid = 1, .name = "Domain-0"},
		{.domain = 4, .vmid = 2, .name = "web"},
		{.domain = 5, .vmid = 3, .name = "old", .disputed = true},
		{.domain = 6, .vmid = 3, .name = "new", .disputed = true},
		{.domain = 7, .vmid = 4, .name = "twin"},
		{.domain = 8, .vmid = 5, .name = "twin"},
	};

	return (struct csg_xen_domains){.entries = entries,
					.count = sizeof(entries) / sizeof(entries[0])};
}

/* The VM of a guest under Xen whose list is known; or a negative error. */
static int settled(struct csg_guest_options guest, enum csg_hypervisor kind, bool has_list)
{
	const struct csg_xen_domains domains = listed_domains();
	struct town town;
	int err, vm;

	settle(&town);
	csg_attribution_set_policy(town.registry.attribution, kind, false, true);
	err = load_with(&town, &guest, 1, has_list ? &domains : NULL);
	vm = err ? 0 : town.guests.vms[0];
	CU_ASSERT_EQUAL(town.registry.domain_count, err ? 0 : kind == CSG_HV_XEN);
	leave(&town);
	return err ? err : vm;
}

static void a_domain_is_found_in_xens_list(void)
{
	const struct csg_guest_options web = {.name = "web"}, other = {.name = "other"};
	const struct csg_guest_options four = {.name = "x", .has_domain = true, .domain = 4};
	const struct csg_guest_options nine = {.name = "web", .has_domain = true, .domain = 9};
	const struct csg_guest_options dom0 = {.name = "x", .has_domain = true, .domain = 0};

	CU_ASSERT_EQUAL(settled(web, CSG_HV_XEN, true), 2);
	CU_ASSERT_EQUAL(settled(four, CSG_HV_XEN, true), 2);
	CU_ASSERT_EQUAL(settled(dom0, CSG_HV_XEN, true), 1);
	CU_ASSERT_EQUAL(settled(nine, CSG_HV_XEN, true), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(settled(other, CSG_HV_XEN, true), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(settled(web, CSG_HV_XEN, false), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(settled(four, CSG_HV_XEN, false), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(settled(four, CSG_HV_KVM_VHE, true), -CSG_E_USAGE);
}

static void a_domain_whose_vmid_is_not_clear_must_be_said(void)
{
	const struct csg_guest_options old = {.name = "old"}, twin = {.name = "twin"};
	const struct csg_guest_options said = {.name = "old", .pid = 3, .is_domain = true};
	const struct csg_guest_options pid = {.name = "web", .pid = 4100};

	CU_ASSERT_EQUAL(settled(old, CSG_HV_XEN, true), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(settled(twin, CSG_HV_XEN, true), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(settled(said, CSG_HV_XEN, true), 3);
	CU_ASSERT_EQUAL(settled(said, CSG_HV_KVM_VHE, true), -CSG_E_USAGE);
	CU_ASSERT_EQUAL(settled(pid, CSG_HV_XEN, true), -CSG_E_USAGE);
}

CSG_SUITE(session_open, guests, CSG_TEST(a_guests_threads_are_those_of_its_recording),
	  CSG_TEST(a_guest_without_recording_only_has_files),
	  CSG_TEST(a_recording_that_is_not_there_is_an_error), CSG_TEST(two_guests_are_not_one_vm),
	  CSG_TEST(a_name_of_a_vm_that_was_found_is_not_another_guest),
	  CSG_TEST(the_only_vm_needs_not_be_said), CSG_TEST(a_domain_is_found_in_xens_list),
	  CSG_TEST(a_domain_whose_vmid_is_not_clear_must_be_said));

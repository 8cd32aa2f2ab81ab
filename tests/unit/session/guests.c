/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "recorded_walk.h"
#include "session/guests.h"
#include "suite.h"

static struct recorded_walk w;

struct town {
	struct csg_image *image;
	struct csg_people people;
	struct csg_guests guests;
};

static void settle(struct town *town)
{
	const struct csg_image_options options = {0};

	*town = (struct town){0};
	CU_ASSERT_EQUAL_FATAL(csg_image_create(&town->image, &options, NULL), 0);
	CU_ASSERT_EQUAL_FATAL(csg_people_init(&town->people, town->image, false, false), 0);
}

static int load(struct town *town, const struct csg_guest_options *guests, size_t n)
{
	const struct csg_guests_setup setup = {
		.guests = guests, .count = n, .guestmount = "/nowhere"};
	struct csg_recording *host;
	struct recorded_walk trace;
	int err;

	memset(&trace, 0, sizeof(trace));
	CU_ASSERT_FATAL(walk_init(&trace.walk, 4, false, false, 50));
	recorded_walk_open(&trace);
	host = trace.rec;
	err = csg_guests_load(&town->guests, &town->people, host, &setup);
	recorded_walk_close(&trace);
	return err;
}

static void leave(struct town *town)
{
	csg_people_fini(&town->people);
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
	CU_ASSERT_EQUAL_FATAL(csg_image_machine(town.image, 4100, &machine), 0);
	CU_ASSERT_EQUAL(csg_machine_thread(machine, 10, UINT64_MAX, &comm), 10);
	CU_ASSERT_STRING_EQUAL(comm, "init");
	CU_ASSERT_EQUAL(csg_machine_thread(town.people.host, 10, UINT64_MAX, NULL), -1);
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
	CU_ASSERT_EQUAL(csg_attribution_vcpu(town.people.attribution, &vcpu), 0);
	CU_ASSERT_EQUAL(load(&town, &guest, 1), 0);
	CU_ASSERT_EQUAL(town.guests.vms[0], 4100);
	csg_guests_fini(&town.guests);
	CU_ASSERT_EQUAL(csg_attribution_vcpu(town.people.attribution, &other), 0);
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

CSG_SUITE(session, guests, CSG_TEST(a_guests_threads_are_those_of_its_recording),
	  CSG_TEST(a_guest_without_recording_only_has_files),
	  CSG_TEST(a_recording_that_is_not_there_is_an_error), CSG_TEST(two_guests_are_not_one_vm),
	  CSG_TEST(the_only_vm_needs_not_be_said));

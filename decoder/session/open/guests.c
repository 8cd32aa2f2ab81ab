/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/guests.h"

#include <stdio.h>
#include <stdlib.h>

#include "image/image.h"
#include "image/machine.h"
#include "image/maps/machine_time.h"
#include "util/report.h"
#include "csguest/error.h"
#include "guest/answers.h"
#include "guest/attribution.h"
#include "guest/whose_recording.h"
#include "recording/perf/directory.h"
#include "session/open/sideband.h"
#include "world/policy.h"

#define SAY_PID "say the PID of its VMM: --guest NAME,pid=PID,..."

#define OFFSET_SLACK                                                                               \
	200 /* ns that a time of either machine may be off (guest/slices/guest_time_slices.c) */

void csg_guests_fini(struct csg_guests *guests)
{
	for (size_t i = 0; i < guests->count; i++)
		csg_recording_close(guests->recordings[i]);
	free(guests->recordings);
	free(guests->recorded);
	free(guests->vms);
	*guests = (struct csg_guests){0};
}

/* The kcore_dir of a guest's recording that was made with --kcore: 1; 0: it has none; or an
 * error. */
static int own_kcore_dir(const struct csg_recording *rec, char *dir, size_t size)
{
	const char *recording = rec ? csg_recording_info(rec)->directory_path : NULL;

	int has = recording ? csg_directory_has(recording, "kcore_dir/kcore") : 0;

	return has > 0 ? snprintf(dir, size, "%s/kcore_dir", recording) < (int)size : has;
}

/*
 * Where the guest's files are: where the user says, else its kernel beside its recording, and the
 * rest below the mount of all guests.
 */
static int set_files(struct csg_registry *registry, const struct csg_guest_options *guest,
		     int32_t vm, const struct csg_recording *rec, const char *guestmount)
{
	struct csg_kernel_options files = guest->files;
	struct csg_machine *machine;
	char root[4096], kcore[4096];
	int err = csg_image_machine(registry->image, vm, &machine), has;

	if (err)
		return err;
	has = files.kcore || files.vmlinux ? 0 : own_kcore_dir(rec, kcore, sizeof(kcore));
	if (has < 0)
		return has;
	if (has)
		files.kcore = kcore;
	if (!files.root && guestmount) {
		snprintf(root, sizeof(root), "%s/%d", guestmount, vm);
		files.root = root;
	}
	return csg_machine_set_kernel(machine, &files);
}

/* --- which VM it is --- */

static int take_switch(void *arg, const struct csg_event *event)
{
	const struct csg_attribution_switch record = {.size = sizeof(record),
						      .cpu = event->cpu,
						      .time = event->time,
						      .out = event->out,
						      .tid = event->tid,
						      .pid = event->pid,
						      .other_tid = event->ptid,
						      .other_pid = event->ppid};

	return csg_whose_recording_add(arg, &record);
}

/* Leaves of vms those that the recording may be of. */
static int sieve(const struct csg_attribution *attribution, struct csg_recording *rec, int32_t *vms,
		 size_t *n)
{
	struct csg_whose_recording whose = {.clock.conv = *csg_recording_time_conv(rec)};
	size_t kept = 0;
	int err = 0;

	if (*n)
		err = csg_recording_events(rec, 1u << CSG_EVENT_SWITCH, take_switch, &whose);
	for (size_t i = 0; !err && i < *n; i++) {
		bool may;

		err = csg_whose_recording_may_be(&whose, attribution, vms[i], &may);
		if (!err && may)
			vms[kept++] = vms[i];
	}
	*n = kept;
	csg_whose_recording_fini(&whose);
	return err;
}

/* The VMs that the host's recording shows, each once, in the order of their first vCPU thread. */
static size_t list_vms(const struct csg_vcpu_entry *vcpus, size_t count, int32_t *vms)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		int32_t vm = vcpus[i].vm;
		size_t j = 0;

		while (j < n && vms[j] != vm)
			j++;
		if (j == n && vm > 0)
			vms[n++] = vm;
	}
	return n;
}

/* "136, 138" */
static const char *list_text(const int32_t *vms, size_t n, char *text, size_t size)
{
	size_t at = 0;

	text[0] = 0;
	for (size_t i = 0; i < n && at < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%d", i ? ", " : "", vms[i]);
	return text;
}

/* The VM of a guest that the user did not say. */
static int find_vm(const struct csg_attribution *attribution, const struct csg_guest_options *guest,
		   struct csg_recording *rec, const struct csg_diag_sink *sink, int32_t *vm)
{
	size_t n, all;
	const struct csg_vcpu_entry *vcpus = csg_attribution_vcpus(attribution, &n);
	int32_t *vms = calloc(n + 1, sizeof(*vms));
	char text[200];
	int err = 0;

	if (!vms)
		return -CSG_E_NO_MEMORY;
	n = all = list_vms(vcpus, n, vms);
	if (rec)
		err = sieve(attribution, rec, vms, &n);
	*vm = vms[0];
	if (!err && n != 1)
		err = csg_report(sink, CSG_ERROR, CSG_E_USAGE, guest->perf, CSG_NO_OFFSET, SAY_PID,
				 n     ? "the guest '%s' may be any of the VMs %s"
				 : all ? "the guest '%s' is none of the VMs in the trace: what it "
					 "recorded happened while none of their vCPUs ran%s"
				       : "the guest '%s' is no VM that shows in the host's "
					 "recording%s",
				 guest->name, list_text(vms, n, text, sizeof(text)));
	free(vms);
	return err;
}

/* The domain that a guest is said to be, by its number or its name, in Xen's list. */
static const struct csg_xen_domain *find_domain(const struct csg_xen_domains *list,
						const struct csg_guest_options *guest)
{
	if (guest->has_domain)
		return csg_xen_domains_of_number(list, guest->domain);
	return csg_xen_domains_of_name(list, guest->name);
}

static int unclear_domain(const struct csg_guest_options *guest,
			  const struct csg_guests_setup *setup, bool disputed)
{
	const char *how = disputed ? "had a VMID that others may have had as well"
			  : setup->domains && setup->domains->count
				  ? "is no domain in Xen's list, or several"
				  : "may be any domain of Xen";

	return csg_report(setup->sink, CSG_ERROR, CSG_E_USAGE, guest->perf, CSG_NO_OFFSET,
			  "say the VMID of the domain: --guest NAME,vmid=N,...",
			  "the guest '%s' %s", guest->name, how);
}

/* Xen's domains are known by their VMIDs: what Xen's list has, or the user says. */
static int settle_domain(struct csg_registry *registry, const struct csg_guests_setup *setup,
			 struct csg_guest_options *guest)
{
	bool xen = csg_policy_has(csg_attribution_hypervisor(registry->attribution),
				  CSG_TRAIT_DOMAINS);
	const struct csg_xen_domain *domain;

	if (!xen && (guest->is_domain || guest->has_domain))
		return csg_report(
			setup->sink, CSG_ERROR, CSG_E_USAGE, guest->perf, CSG_NO_OFFSET, SAY_PID,
			"the guest '%s' is said to be a domain, but Xen does not run here",
			guest->name);
	if (!xen)
		return 0;
	if (guest->is_domain)
		return csg_attribution_domain_said(registry->attribution, (uint32_t)guest->pid);
	domain = guest->pid || !setup->domains ? NULL : find_domain(setup->domains, guest);
	if (!domain || domain->disputed)
		return unclear_domain(guest, setup, domain);
	guest->pid = (int32_t)domain->vmid;
	guest->is_domain = true;
	return 0;
}

/* Whether the recording can be of the VM that the user said. */
static int check_vm(const struct csg_attribution *attribution,
		    const struct csg_guest_options *guest, struct csg_recording *rec,
		    const struct csg_diag_sink *sink, bool *use)
{
	int32_t vm = guest->pid;
	size_t n = 1;
	int err = sieve(attribution, rec, &vm, &n);

	*use = n;
	if (!err && !*use)
		csg_report(sink, CSG_WARNING, CSG_E_OK, guest->perf, CSG_NO_OFFSET,
			   "give each recording to the VM it was made in, or no pid=",
			   "not used: what the guest '%s' recorded happened while no vCPU of VM %d "
			   "ran, by "
			   "the trace's time",
			   guest->name, guest->pid);
	return err;
}

/* --- loading --- */

static int open_recording(struct csg_guests *guests, const struct csg_guest_options *guest,
			  const char *tmpdir, const struct csg_diag_sink *sink,
			  struct csg_recording **rec)
{
	const struct csg_recording_setup options = {.sideband_only = true, .tmpdir = tmpdir};
	int err;

	*rec = NULL;
	if (!guest->perf)
		return 0;
	err = csg_recording_load(rec, guest->perf, &options, sink);
	if (!err)
		guests->recordings[guests->count++] = *rec;
	return err;
}

/* Ahead of all records: of mappings and names the last ones hold. */
#define LATEST (INT64_C(1) << 62)

/* The guest's time is less than the host's by what its counter is, by offset: both count the same
 * ticks. */
static int set_time(struct csg_registry *registry, int32_t vm, struct csg_recording *rec,
		    const struct csg_offset *offset, bool exact, bool latest)
{
	const struct csg_time_conv *conv = csg_recording_time_conv(rec);
	uint64_t guest = csg_recording_info(rec)->last_time, low, high;
	struct csg_machine *machine;
	int err = csg_image_machine(registry->image, vm, &machine);

	if (err)
		return err;
	if (!conv->valid || !offset ||
	    !csg_attribution_counter_times(registry->attribution, offset,
					   csg_time_conv_to_counter(conv, guest), &low, &high)) {
		csg_machine_set_time(machine, latest, -LATEST, 0);
		return 0;
	}
	csg_machine_set_time(machine, true, (int64_t)(low + (high - low) / 2 - guest),
			     exact ? 0 : (high - low) / 2 + OFFSET_SLACK);
	return 0;
}

int csg_guests_date(struct csg_guests *guests, struct csg_registry *registry)
{
	struct csg_offset offset;
	int err = 0;

	for (size_t i = 0; !err && i < guests->count; i++) {
		int32_t vm = guests->recorded[i];

		if (vm && csg_attribution_recorded_offset(registry->attribution, vm, &offset))
			err = set_time(registry, vm, guests->recordings[i], &offset, false, false);
	}
	return err;
}

/* What the user knows of a guest's counter helps to find the rest. */
static int tell_offset(struct csg_registry *registry, const struct csg_guest_options *guest,
		       int32_t vm)
{
	if (!guest->has_offset || !vm)
		return 0;
	return csg_attribution_offset(registry->attribution, vm, guest->offset);
}

/* Its name and its VM are all that is said: it may be one that is described elsewhere, too. */
static bool is_name_only(const struct csg_guest_options *guest)
{
	const struct csg_kernel_options *files = &guest->files;

	return guest->pid && !guest->nested && !guest->is_domain && !guest->perf &&
	       !guest->has_offset && !files->vmlinux && !files->kcore && !files->kallsyms &&
	       !files->root;
}

/* Whether one of the first n guests was found to be this VM, which nobody said. */
static bool is_found(const struct csg_guests *guests, const struct csg_guests_setup *setup,
		     size_t n, int32_t vm)
{
	for (size_t i = 0; i < n; i++)
		if (guests->vms[i] == vm && !setup->guests[i].pid)
			return true;
	return false;
}

/* A guest of a guest has files, and is known by its number in that guest. */
static int load_nested(struct csg_registry *registry, const struct csg_guests_setup *setup,
		       size_t i)
{
	const struct csg_guest_options *guest = &setup->guests[i];
	int32_t machine = CSG_NESTED_MACHINE - (int32_t)i;
	int err;

	if (guest->pid <= 0 || guest->is_domain || guest->has_offset || guest->perf)
		return csg_report(setup->sink, CSG_ERROR, CSG_E_USAGE, guest->perf, CSG_NO_OFFSET,
				  "say the VM that runs it (pid=), and its vmlinux, kcore or root",
				  "the guest of a guest '%s' has a recording, an offset, or no VM",
				  guest->name);
	for (size_t j = 0; j < i; j++)
		if (setup->guests[j].pid == guest->pid && setup->guests[j].nested == guest->nested)
			return csg_report(setup->sink, CSG_ERROR, CSG_E_USAGE, NULL, CSG_NO_OFFSET,
					  "one --guest for each VM",
					  "the guests '%s' and '%s' are the same guest of VM %d",
					  setup->guests[j].name, guest->name, guest->pid);
	err = csg_attribution_nested_said(registry->attribution, guest->pid, guest->nested);
	if (!err)
		err = csg_registry_add_nested(
			registry, &(struct csg_nested_machine){guest->pid, guest->nested, machine});
	return err ? err : set_files(registry, guest, machine, NULL, NULL);
}

static int load(struct csg_guests *guests, struct csg_registry *registry,
		const struct csg_guests_setup *setup, size_t i)
{
	struct csg_guest_options settled = setup->guests[i], *guest = &settled;
	struct csg_attribution *attribution = registry->attribution;
	struct csg_recording *rec;
	struct csg_offset offset;
	bool use = true;
	int32_t vm;
	int err = settle_domain(registry, setup, &settled);

	rec = NULL;
	vm = guest->pid;
	if (!err && guest->nested)
		return load_nested(registry, setup, i);
	if (!err)
		err = open_recording(guests, guest, setup->tmpdir, setup->sink, &rec);
	if (!err && !vm)
		err = find_vm(attribution, guest, rec, setup->sink, &vm);
	else if (!err && rec && !guest->is_domain)
		err = check_vm(attribution, guest, rec, setup->sink, &use);
	for (size_t j = 0; !err && j < i; j++)
		if (guests->vms[j] == vm)
			err = csg_report(setup->sink, CSG_ERROR, CSG_E_USAGE, guest->perf,
					 CSG_NO_OFFSET, "one --guest for each VM",
					 "the guests '%s' and '%s' are both VM %d",
					 setup->guests[j].name, guest->name, vm);
	guests->vms[i] = vm;
	if (!err && !setup->guests[i].pid)
		err = tell_offset(registry, guest, vm);
	if (!err && rec && csg_attribution_is_injected(attribution, vm))
		err = csg_report(
			setup->sink, CSG_ERROR, CSG_E_USAGE, guest->perf, CSG_NO_OFFSET,
			"give the host's recording as it was before perf inject --guest-data",
			"what the guest '%s' recorded is in the host's recording already",
			guest->name);
	if (!err)
		err = set_files(registry, guest, vm, use ? rec : NULL, setup->guestmount);
	if (!err && guest->is_domain)
		err = csg_registry_add_domain(registry, vm);
	if (err || !rec || !use)
		return err;
	guests->recorded[guests->count - 1] = vm;
	err = set_time(registry, vm, rec,
		       csg_attribution_known_offset(attribution, vm, &offset) ? &offset : NULL,
		       true, guest->maps_latest);
	return err ? err : csg_sideband_load(registry, rec, vm);
}

/* Injected records whose time is wrong: what they tell of a guest is known, but not when. */
static int distrust_injected(struct csg_registry *registry)
{
	int32_t vm;
	int err = 0;

	for (size_t i = 0; !err && (vm = csg_attribution_injected(registry->attribution, i)); i++) {
		struct csg_machine *machine;

		if (csg_attribution_is_dated(registry->attribution, vm))
			continue;
		err = csg_image_machine(registry->image, vm, &machine);
		if (!err)
			csg_machine_set_time(machine, false, 0, 0);
	}
	return err;
}

/* Whether the user described this VM. */
static bool is_described(const struct csg_guests *guests, const struct csg_guests_setup *setup,
			 int32_t vm)
{
	for (size_t i = 0; i < setup->count; i++)
		if (guests->vms[i] == vm)
			return true;
	return false;
}

/* Guests whose records were injected have files below that mount, as those that the user
 * describes. */
static int mount_injected(const struct csg_guests *guests, struct csg_registry *registry,
			  const struct csg_guests_setup *setup)
{
	const struct csg_guest_options nothing = {0};
	int32_t vm;
	int err = 0;

	if (!setup->guestmount)
		return 0;
	for (size_t i = 0; !err && (vm = csg_attribution_injected(registry->attribution, i)); i++)
		if (!is_described(guests, setup, vm))
			err = set_files(registry, &nothing, vm, NULL, setup->guestmount);
	return err;
}

static bool any_recording(const struct csg_guests_setup *setup)
{
	for (size_t i = 0; i < setup->count; i++)
		if (setup->guests[i].perf)
			return true;
	return false;
}

int csg_guests_load(struct csg_guests *guests, struct csg_registry *registry,
		    struct csg_recording *host, const struct csg_guests_setup *setup)
{
	size_t n = setup->count ? setup->count : 1;
	int err = 0;

	guests->recordings = calloc(n, sizeof(*guests->recordings));
	guests->recorded = calloc(n, sizeof(*guests->recorded));
	guests->vms = calloc(n, sizeof(*guests->vms));
	if (!guests->recordings || !guests->recorded || !guests->vms)
		return -CSG_E_NO_MEMORY;
	for (size_t i = 0; !err && i < setup->count; i++)
		err = setup->guests[i].nested
			      ? 0
			      : tell_offset(registry, &setup->guests[i], setup->guests[i].pid);
	/* Injected sideband is in the host's time, which the trace is brought to by the offsets. */
	if (!err && (any_recording(setup) || csg_recording_info(host)->has_guest_sideband))
		err = setup->prescan(setup->prescan_arg);
	if (!err)
		err = distrust_injected(registry);
	for (size_t i = 0; !err && i < setup->count; i++)
		err = is_name_only(&setup->guests[i]) &&
				      is_found(guests, setup, i, setup->guests[i].pid)
			      ? 0
			      : load(guests, registry, setup, i);
	return err ? err : mount_injected(guests, registry, setup);
}

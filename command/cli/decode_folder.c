/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/decode_folder.h"

#include "csguest/error.h"

static void set(const char **option, const char *found)
{
	if (!*option)
		*option = found;
}

/* Xen is what a trace from outside, beside a list of its domains, was recorded under. */
static void set_xen(struct csg_decode *d)
{
	const struct csg_folder *f = &d->folder;

	set(&d->options.xen_list, f->xen_list);
	if (!f->dom0)
		return;
	set(&d->kernel.vmlinux, f->xen_syms);
	if (d->hypervisor == CSG_HV_AUTO && f->xen_list)
		d->hypervisor = CSG_HV_XEN;
}

/* What dom0 recorded of itself is that of a guest. */
static int add_dom0(struct csg_decode *d)
{
	struct csg_guest_files *guest;
	int err = csg_guest_list_named(&d->guests, "dom0", &guest);

	if (err || guest->perf)
		return err;
	guest->perf = d->folder.dom0;
	if (!guest->pid) {
		guest->has_domain = true;
		guest->domain = 0;
	}
	return 0;
}

int csg_decode_look_into_folder(struct csg_decode *d)
{
	struct csg_folder *f = &d->folder;
	int err = csg_folder_look(f, d->input);

	if (err || !f->recording)
		return err;
	d->input = f->recording;
	set(&d->options.kvm_list, f->kvm_list);
	set(&d->guests_dir, f->guests);
	set(&d->vm_names, f->vm_names);
	if (!f->dom0 && !d->kernel.kcore)
		set(&d->kernel.kallsyms, f->kallsyms);
	set_xen(d);
	return f->dom0 && d->hypervisor == CSG_HV_XEN ? add_dom0(d) : 0;
}

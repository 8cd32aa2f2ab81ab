/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/vcpu_table.h"

#include "guest/attribution.h"
#include "util/report.h"
#include "session/open/kvm_list.h"

static void tell_conflicts(const struct csg_attribution *attribution,
			   const struct csg_diag_sink *sink)
{
	size_t n;
	const struct csg_vcpu_entry *vcpus = csg_attribution_vcpus(attribution, &n);

	for (size_t i = 0; i < n; i++)
		if (vcpus[i].contradicted)
			csg_report(
				sink, CSG_WARNING, CSG_E_OK, NULL, CSG_NO_OFFSET,
				"say which it is: --vcpu TID=VM:N",
				"thread %d runs %s, as its name, ID_INDEX and KVM's list have it",
				vcpus[i].tid,
				vcpus[i].vm == CSG_VM_UNKNOWN ? "vCPUs of two VMs"
							      : "two vCPUs of its VM");
}

int csg_vcpu_table_load(struct csg_attribution *attribution, const struct csg_vcpu_entry *vcpus,
			size_t n, const char *kvm_list, const struct csg_diag_sink *sink)
{
	int err = kvm_list ? csg_kvm_list_load(attribution, kvm_list, sink) : 0;

	for (size_t i = 0; !err && i < n; i++)
		err = csg_attribution_vcpu(attribution, &vcpus[i]);
	if (!err) {
		csg_attribution_settle_vcpus(attribution);
		tell_conflicts(attribution, sink);
	}
	return err;
}

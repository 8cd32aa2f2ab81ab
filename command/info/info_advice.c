/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice: each entry of the table is a sentence about what a recording lacks, a test for it, and
 * the way to record it.  What perf and the kernel do by default is that of Linux 6.12.  A recording
 * without trace is asked for its sideband alone.
 */
#include "info/info_advice.h"
#include "info/info_windows.h"

static bool is_perf(const struct csg_info *info)
{
	return info->recording->kind == CSG_RECORDING_PERF;
}

static bool is_linux(const struct csg_info *info)
{
	return is_perf(info) && info->recording->linux_host && !info->recording->simpleperf;
}

/* Every source that can be decoded has these bits of TRCCONFIGR; false where there are none. */
static bool all_have(const struct csg_info *info, uint64_t bits)
{
	size_t n = 0;

	for (size_t i = 0; i < info->source_count; i++) {
		if (info->sources[i].protocol == CSG_PROTOCOL_OTHER)
			continue;
		if ((info->sources[i].trcconfigr & bits) != bits)
			return false;
		n++;
	}
	return n;
}

static bool any_flag(const struct csg_info *info, uint32_t flag)
{
	for (size_t i = 0; i < info->chunk_count; i++)
		if (info->chunks[i].flags & flag)
			return true;
	return false;
}

static bool any_ts_source(const struct csg_info *info, int64_t ts_source)
{
	for (size_t i = 0; i < info->source_count; i++)
		if (info->sources[i].ts_source == ts_source)
			return true;
	return false;
}

static bool kvm_may_run(const struct csg_info *info)
{
	return is_linux(info) && !(csg_hypervisor_traits(info->hypervisor) &
				   (CSG_TRAIT_NO_GUEST | CSG_TRAIT_DOMAINS));
}

static bool damaged(const struct csg_info *info)
{
	return info->damage;
}

static bool no_trace(const struct csg_info *info)
{
	return info->no_trace;
}

static bool no_guests(const struct csg_info *info)
{
	return is_linux(info) && info->recording->exclude_guest;
}

static bool no_host(const struct csg_info *info)
{
	return is_linux(info) && info->recording->exclude_host;
}

static bool no_kernel(const struct csg_info *info)
{
	return is_linux(info) && info->recording->exclude_kernel;
}

static bool no_user(const struct csg_info *info)
{
	return is_linux(info) && info->recording->exclude_user;
}

static bool no_kind(const struct csg_info *info)
{
	return info->hypervisor == CSG_HV_UNKNOWN;
}

static bool filtered_guests(const struct csg_info *info)
{
	return kvm_may_run(info) && !info->recording->exclude_guest &&
	       any_ts_source(info, CSG_TS_SOURCE_VIRTUAL);
}

static bool no_context_ids(const struct csg_info *info)
{
	return is_perf(info) && !all_have(info, CSG_TRCCONFIGR_VMID) &&
	       !all_have(info, CSG_TRCCONFIGR_CID);
}

static bool foreign_pids(const struct csg_info *info)
{
	for (size_t i = 0; i < info->contradiction_count; i++)
		if (info->contradictions[i].kind == CSG_CONTRADICTION_PID_NAMESPACE)
			return true;
	return false;
}

static bool no_guest_threads(const struct csg_info *info)
{
	return kvm_may_run(info) && all_have(info, CSG_TRCCONFIGR_VMID | CSG_TRCCONFIGR_VMIDOPT) &&
	       !all_have(info, CSG_TRCCONFIGR_CID);
}

static bool no_timestamps(const struct csg_info *info)
{
	return !all_have(info, CSG_TRCCONFIGR_TS);
}

static bool zero_timestamps(const struct csg_info *info)
{
	return info->zero_timestamps;
}

static bool foreign_timestamps(const struct csg_info *info)
{
	return is_linux(info) && all_have(info, CSG_TRCCONFIGR_TS) &&
	       any_ts_source(info, CSG_TS_SOURCE_CORESIGHT);
}

static bool no_time_conv(const struct csg_info *info)
{
	return is_linux(info) && !info->time_conv->valid;
}

static bool no_switches(const struct csg_info *info)
{
	return is_linux(info) && !info->recording->per_thread && !info->recording->has_switch;
}

static bool no_guest_sideband(const struct csg_info *info)
{
	return kvm_may_run(info) && !info->recording->exclude_guest &&
	       !info->recording->has_guest_sideband && !info->guests_given;
}

static bool no_kvm_events(const struct csg_info *info)
{
	return kvm_may_run(info) && !info->recording->exclude_guest &&
	       !info->recording->has_kvm_events && !all_have(info, CSG_TRCCONFIGR_VMID);
}

static bool no_kernel_text(const struct csg_info *info)
{
	return is_linux(info) && !info->recording->exclude_kernel && !info->recording->directory &&
	       !info->recording->has_text_poke;
}

static bool truncated(const struct csg_info *info)
{
	return any_flag(info, CSG_CHUNK_TRUNCATED);
}

static bool collided(const struct csg_info *info)
{
	return any_flag(info, CSG_CHUNK_COLLISION);
}

static bool lost(const struct csg_info *info)
{
	return info->recording->lost_records;
}

static bool strobed(const struct csg_info *info)
{
	return is_linux(info) && csg_info_is_strobed(info->recording);
}

static bool in_windows(const struct csg_info *info)
{
	return is_linux(info) && csg_info_is_unexplained(info);
}

static bool paused(const struct csg_info *info)
{
	return is_linux(info) && (info->recording->aux_pause || info->recording->aux_resume);
}

static bool snapshots(const struct csg_info *info)
{
	return is_linux(info) && info->recording->snapshot_mode;
}

static bool samples(const struct csg_info *info)
{
	return is_linux(info) && info->recording->aux_samples;
}

static bool no_memory(const struct csg_info *info)
{
	return info->recording->kind == CSG_RECORDING_SNAPSHOT && !info->dump_count;
}

/* What it is about: of sideband is asked where there is no trace, too. */
enum subject { OF_TRACE, OF_SIDEBAND };

static const struct {
	enum subject subject;
	uint32_t mends; /* set of enum csg_open */
	bool (*test)(const struct csg_info *info);
	struct csg_advice advice;
} table[] = {
	{OF_SIDEBAND,
	 CSG_OPEN_OWNER | CSG_OPEN_TRACE,
	 damaged,
	 {"the recording ends early: what follows the damage is lost",
	  "copy it again; end perf record with SIGINT"}},
	{OF_SIDEBAND,
	 CSG_OPEN_OTHER,
	 no_trace,
	 {"no trace: it holds who ran when, and what was mapped where",
	  "if it is a guest's, it is whole: give it to the commands on the host's recording, by "
	  "--guest NAME,perf=FILE; on a host csguest collect reports what its trace needs"}},
	{OF_TRACE,
	 CSG_OPEN_WORLD,
	 no_guests,
	 {"guests were excluded (exclude_guest, which perf up to 6.12 sets on cs_etm// by default)",
	  "record by csguest collect, or with explicit modifiers: perf record -a -e cs_etm//GH"}},
	{OF_TRACE,
	 CSG_OPEN_WORLD | CSG_OPEN_VM,
	 no_host,
	 {"the host was excluded (exclude_host): entries and exits of guests are not seen whole",
	  "record with explicit modifiers: perf record -a -e cs_etm//GH"}},
	{OF_TRACE,
	 CSG_OPEN_WORLD | CSG_OPEN_VM,
	 no_kernel,
	 {"the kernel was excluded (exclude_kernel): nothing shows where guests were entered and "
	  "left",
	  "record as root, without the modifier u: perf record -a -e cs_etm//GH"}},
	{OF_TRACE,
	 CSG_OPEN_OTHER,
	 no_user,
	 {"user code was excluded (exclude_user)", "record without the modifier k"}},
	{OF_TRACE,
	 CSG_OPEN_OWNER,
	 no_kind,
	 {"the kind of hypervisor is not known: most owners stay unknown",
	  "give it with --hypervisor kvm-vhe, kvm-nvhe, pkvm, xen or none"}},
	{OF_TRACE,
	 CSG_OPEN_OTHER,
	 filtered_guests,
	 {"these cores have FEAT_TRF: Linux up to 6.12 switches trace off while a guest runs there",
	  "record with a host kernel that hands the guest's trace filter to KVM (series of January "
	  "2025)"}},
	{OF_TRACE,
	 CSG_OPEN_OWNER,
	 no_context_ids,
	 {"no context IDs: threads and VMs are known by the order of switches at most",
	  "record by csguest collect, or with -e cs_etm/contextid/ (the default for -a), on a "
	  "kernel "
	  "with CONFIG_PID_IN_CONTEXTIDR"}},
	{OF_TRACE,
	 CSG_OPEN_VM | CSG_OPEN_HOST_THREAD,
	 foreign_pids,
	 {"perf ran in another PID namespace than the host's: context IDs name no threads of the "
	  "recording, and thread 0 is any outside of that namespace",
	  "record in the host's PID namespace (docker run --pid=host, hostPID: true)"}},
	{OF_TRACE,
	 CSG_OPEN_OWNER | CSG_OPEN_ORDER,
	 no_timestamps,
	 {"no timestamps: streams cannot be put in order, nor checked against sideband",
	  "record with -e cs_etm/timestamp/ (the default for -a)"}},
	{OF_TRACE,
	 CSG_OPEN_OWNER,
	 zero_timestamps,
	 {"all timestamps of the trace are 0: it cannot be checked against sideband",
	  "the counter that trace units stamp with does not run: firmware is to start it"}},
	{OF_TRACE,
	 CSG_OPEN_OWNER,
	 foreign_timestamps,
	 {"timestamps are of the CoreSight counter: they do not convert to perf's time",
	  "needs cores with FEAT_TRF; without, order of switches takes the place of time"}},
	{OF_SIDEBAND,
	 CSG_OPEN_OWNER,
	 no_time_conv,
	 {"no TIME_CONV record: timestamps do not convert to perf's time",
	  "record with perf 5.16 or newer on a kernel that offers cap_user_time_zero"}},
	{OF_SIDEBAND,
	 CSG_OPEN_WORLD | CSG_OPEN_VM | CSG_OPEN_HOST_THREAD,
	 no_switches,
	 {"no context switches: which thread was on a CPU is known from context IDs alone",
	  "record by csguest collect, or with --switch-events"}},
	{OF_TRACE,
	 CSG_OPEN_GUEST_THREAD,
	 no_guest_sideband,
	 {"no sideband of guests: their processes and mappings are not known",
	  "in each guest, meanwhile: csguest collect, or perf record -a -e dummy --switch-events "
	  "--kcore --buildid-all"}},
	{OF_TRACE,
	 CSG_OPEN_GUEST_THREAD,
	 no_guest_threads,
	 {"CONTEXTIDR_EL1 is not traced: a guest's threads show in its own sideband only",
	  "record with -e cs_etm/contextid1,contextid2/"}},
	{OF_TRACE,
	 CSG_OPEN_WORLD | CSG_OPEN_VM,
	 no_kvm_events,
	 {"neither VMID, CONTEXTIDR_EL2 nor KVM's events: which VM ran rests on switches alone",
	  "record -e kvm:kvm_entry -e kvm:kvm_exit besides"}},
	{OF_SIDEBAND,
	 CSG_OPEN_OTHER,
	 no_kernel_text,
	 {"the kernel text as it ran is not in the recording; Linux patches it while it "
	  "runs",
	  "record with --kcore"}},
	{OF_TRACE,
	 CSG_OPEN_TRACE,
	 truncated,
	 {"trace was lost because the buffer was full (PERF_AUX_FLAG_TRUNCATED)",
	  "record with a larger one (-m ,64M), or less: address filters, fewer CPUs"}},
	{OF_TRACE,
	 CSG_OPEN_TRACE,
	 collided,
	 {"samples collided (PERF_AUX_FLAG_COLLISION)",
	  "record without other users of the trace unit"}},
	{OF_SIDEBAND,
	 CSG_OPEN_OWNER,
	 lost,
	 {"the kernel lost sideband records", "record with a larger ring buffer: -m 4M"}},
	{OF_TRACE,
	 CSG_OPEN_OTHER,
	 strobed,
	 {"strobed: what runs between windows is known from records only, and user code of a "
	  "window "
	  "without an exception or ERET has an owner by context IDs and timestamps alone",
	  "csguest report --scale estimates the whole; the whole itself: csguest collect"}},
	{OF_TRACE,
	 CSG_OPEN_OTHER,
	 in_windows,
	 {"tracing was off again and again, though no event says so: strobed by what was "
	  "programmed without perf, or levels that are kept out of the trace; what runs meanwhile "
	  "is known from records only",
	  "csguest report --scale estimates the whole; the whole itself: csguest collect"}},
	{OF_TRACE,
	 CSG_OPEN_OTHER,
	 paused,
	 {"paused and resumed by events: windows begin and end at their interrupts, so they hold "
	  "more exits and entries of guests than the whole does",
	  "for a profile strobe: csguest collect --windows strobe"}},
	{OF_TRACE,
	 CSG_OPEN_OTHER,
	 snapshots,
	 {"snapshots: each holds what ran last before it, and what ran between them is "
	  "known from records only",
	  "for longer ones --aux-size; for a profile strobe: csguest collect --windows strobe"}},
	{OF_SIDEBAND,
	 CSG_OPEN_OTHER,
	 samples,
	 {"samples of events hold trace (--aux-sample): each what ran last before its event, and "
	  "nothing but records says what ran in between",
	  "for longer ones --aux-sample=SIZE; for a profile strobe: csguest collect --windows "
	  "strobe"}},
	{OF_TRACE,
	 CSG_OPEN_OTHER,
	 no_memory,
	 {"the snapshot holds no memory: no code, no program flow",
	  "add [dump] sections with the code that ran to the core's device file"}},
};

_Static_assert(sizeof(table) / sizeof(table[0]) <= CSG_ADVICE_MAX, "CSG_ADVICE_MAX");

size_t csg_info_advise(const struct csg_info *info, uint32_t open, struct csg_advice *advice)
{
	size_t n = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].mends & open && (!info->no_trace || table[i].subject == OF_SIDEBAND) &&
		    table[i].test(info))
			advice[n++] = table[i].advice;
	return n;
}

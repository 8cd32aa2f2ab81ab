/* SPDX-License-Identifier: BSD-3-Clause */
#include "guest/code_check.h"

#include "csguest/error.h"
#include "guest/attribution_state.h"
#include "suite.h"

#define VM 10

/* Process 5 of the host had 0x5000 to 0x5fff, 6 the next page; of the VM's, 5 had 0x8000 on. */
static bool may_have(void *arg, int32_t vm, int32_t pid, uint64_t address)
{
	const uint64_t page = address >> 12;

	(void)arg;
	if (vm == VM)
		return page == 8 && (pid == CSG_PID_UNKNOWN || pid == 5);
	return pid == CSG_PID_UNKNOWN ? page == 5 || page == 6 : page == (uint64_t)pid;
}

static void found(void *arg, enum csg_assumption assumption, bool confirmed, uint64_t index,
		  uint64_t n)
{
	(void)arg;
	(void)assumption;
	(void)confirmed;
	(void)index;
	(void)n;
}

struct place {
	struct csg_attribution attribution;
	struct csg_attribution_stream stream;
	struct csg_owner owner;
	struct csg_when when;
};

/* User code of a process in [100, 200), where thread 7 of process 5 was on CPU 2; timestamps have
 * their upper bits since index 40. */
static void begin(struct place *p, enum csg_world world, int32_t pid)
{
	*p = (struct place){.owner = CSG_OWNER_UNKNOWN,
			    .when = {.cpu = 2,
				     .from = 220,
				     .until = 290,
				     .index = 100,
				     .end = 200,
				     .block = 40,
				     .block_from = 210}};
	p->attribution.facts.code.may_have = may_have;
	csg_residency_in(&p->attribution.facts.residency, 2, 210, 5, 7, 11);
	csg_residency_out(&p->attribution.facts.residency, 2, 300, 5, 7, 11);
	p->stream.attribution = &p->attribution;
	p->stream.world.kind = CSG_HV_KVM_NVHE;
	p->stream.world.finder.found = found;
	p->owner.world = (uint8_t)world;
	p->owner.privilege = CSG_USER;
	p->owner.vm = world == CSG_WORLD_GUEST ? VM : CSG_VM_HOST;
	p->owner.pid = pid;
	p->owner.reason = CSG_REASON_NONE;
}

static void end(struct place *p)
{
	csg_user_places_fini(&p->stream.user_places);
	csg_facts_fini(&p->attribution.facts);
}

static void runs(struct place *p, enum csg_track_kind kind, uint64_t index, uint64_t address)
{
	csg_code_check_event(&p->stream,
			     &(struct csg_track_event){.kind = (uint8_t)kind,
						       .index = index,
						       .address = address,
						       .has_address = kind == CSG_TRACK_EXCEPTION,
						       .context = {.el = CSG_EL0}});
}

static const struct csg_contradiction *first(const struct place *p)
{
	const struct csg_contradictions *c = &p->attribution.facts.contradictions;

	CU_ASSERT_EQUAL_FATAL(c->count, 1);
	return &c->list[0];
}

static bool is_nobodys(const struct place *p)
{
	return p->owner.world == CSG_WORLD_UNKNOWN && p->owner.pid == CSG_PID_UNKNOWN &&
	       p->owner.vm == CSG_VM_UNKNOWN && p->owner.reason == CSG_REASON_CONFLICT;
}

static void code_of_another_process_refutes_times(void)
{
	struct place p;

	begin(&p, CSG_WORLD_HOST, 5);
	runs(&p, CSG_TRACK_ADDRESS, 90, 0x6000);
	runs(&p, CSG_TRACK_ADDRESS, 110, 0x5000);
	runs(&p, CSG_TRACK_EXCEPTION, 190, 0x6004);
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT(is_nobodys(&p));
	CU_ASSERT_EQUAL(first(&p)->kind, CSG_CONTRADICTION_ON_CPU);
	CU_ASSERT_EQUAL(first(&p)->begin, 40);
	CU_ASSERT_EQUAL(first(&p)->end, 200);
	CU_ASSERT_EQUAL(first(&p)->begin_time, 210);
	CU_ASSERT_FALSE(csg_agreement_holds(&p.stream.agreement));
	end(&p);

	begin(&p, CSG_WORLD_GUEST, 6);
	runs(&p, CSG_TRACK_ADDRESS, 110, 0x8000);
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT(is_nobodys(&p));
	CU_ASSERT_EQUAL(first(&p)->kind, CSG_CONTRADICTION_GUEST_SWITCHES);
	end(&p);
}

static void its_own_code_refutes_nothing(void)
{
	struct place p;

	begin(&p, CSG_WORLD_HOST, 5);
	runs(&p, CSG_TRACK_ADDRESS, 90, 0x6000);
	runs(&p, CSG_TRACK_ADDRESS, 110, 0x5000);
	runs(&p, CSG_TRACK_EXCEPTION, 200, 0x6000);
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT_EQUAL(p.owner.pid, 5);
	CU_ASSERT_EQUAL(p.attribution.facts.contradictions.count, 0);
	end(&p);

	begin(&p, CSG_WORLD_HOST, 5);
	p.owner.privilege = CSG_KERNEL;
	runs(&p, CSG_TRACK_ADDRESS, 110, 0x6000);
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT_EQUAL(p.owner.pid, 5);
	CU_ASSERT_EQUAL(p.attribution.facts.contradictions.count, 0);
	end(&p);

	begin(&p, CSG_WORLD_GUEST, 5);
	runs(&p, CSG_TRACK_ADDRESS, 110, 0x8000);
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT_EQUAL(p.owner.vm, VM);
	end(&p);
}

/* After a loss the address itself lacks upper bits. */
static void code_of_no_process_says_nothing_of_times(void)
{
	static const enum csg_world worlds[] = {CSG_WORLD_HOST, CSG_WORLD_GUEST};
	static const int32_t pids[] = {5, CSG_PID_UNKNOWN};

	for (size_t i = 0; i < 4; i++) {
		struct place p;

		begin(&p, worlds[i / 2], pids[i % 2]);
		runs(&p, CSG_TRACK_ADDRESS, 110, 0x7000);
		CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
		CU_ASSERT(is_nobodys(&p));
		CU_ASSERT_EQUAL(first(&p)->kind, CSG_CONTRADICTION_PATH);
		CU_ASSERT_EQUAL(first(&p)->begin, 100);
		CU_ASSERT(csg_agreement_holds(&p.stream.agreement));
		end(&p);
	}
}

static void intervals_whose_process_had_the_code_agree(void)
{
	struct place p;

	begin(&p, CSG_WORLD_HOST, CSG_PID_UNKNOWN);
	csg_agreement_contradict(&p.stream.agreement);
	runs(&p, CSG_TRACK_ADDRESS, 110, 0x6000);
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT_EQUAL(p.stream.agreement.missing, CSG_AGREEMENTS);
	p.when.index = 120;
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT_EQUAL(p.stream.agreement.missing, CSG_AGREEMENTS);
	runs(&p, CSG_TRACK_ADDRESS, 130, 0x5000);
	CU_ASSERT_EQUAL(csg_code_check(&p.stream, &p.when, &p.owner), 0);
	CU_ASSERT_EQUAL(p.stream.agreement.missing, CSG_AGREEMENTS - 1);
	end(&p);
}

static void others_than_times_are_not_asked_for_their_code(void)
{
	struct place p;
	struct csg_track_event event = {.kind = CSG_TRACK_ADDRESS, .index = 110, .address = 0x6000};

	begin(&p, CSG_WORLD_HOST, 5);
	event.context.el = CSG_EL0;
	event.context.has_contextidr = true;
	csg_code_check_event(&p.stream, &event);
	event.context = (struct csg_context){.el = CSG_EL1};
	csg_code_check_event(&p.stream, &event);
	p.stream.world.kind = CSG_HV_KVM_VHE;
	runs(&p, CSG_TRACK_ADDRESS, 110, 0x6000);
	CU_ASSERT_EQUAL(p.stream.user_places.count, 0);
	end(&p);
}

CSG_SUITE(guest, code_check, CSG_TEST(code_of_another_process_refutes_times),
	  CSG_TEST(its_own_code_refutes_nothing),
	  CSG_TEST(code_of_no_process_says_nothing_of_times),
	  CSG_TEST(intervals_whose_process_had_the_code_agree),
	  CSG_TEST(others_than_times_are_not_asked_for_their_code));

/* SPDX-License-Identifier: BSD-3-Clause */
#include "csguest/error.h"
#include "encoder/etm_p0.h"

/*
 * On a wrong path the unit traces what it believes to be executed, so everything that
 * the right path will owe is kept aside.  A mispredicted direction is first traced the
 * other way round: its atom is still the newest one collected.
 */
int csg_enc_p0_wrong_path(struct csg_enc_etm *etm, const struct csg_enc_event *event)
{
	bool direction = event->number == 1;

	if (etm->wrong || etm->skip) {
		etm->error = "a wrong path inside a wrong path";
		return -CSG_E_USAGE;
	}
	if (etm->owed.exception_return)
		csg_enc_p0_exception_return(etm);
	etm->saved = (struct csg_enc_saved){
		.stack = etm->stack,
		.owed = etm->owed,
		.context = etm->context,
		.pc = etm->pc,
		.unpopped = etm->stack_before,
		.popped = etm->popped,
		.indirect = etm->indirect,
	};
	if (!etm->on || !etm->model.max_spec || (direction && !etm->atom_count)) {
		etm->skip = true;
		return 0;
	}
	etm->wrong = true;
	etm->wrong_direction = direction;
	etm->wrong_count = 0;
	etm->wrong_address = etm->wrong_context = false;
	etm->pc = (struct csg_enc_address){event->address, event->t32};
	if (direction)
		etm->atoms ^= UINT64_C(1) << (etm->atom_count - 1);
	etm->owed.address = !direction && etm->indirect;
	csg_enc_p0_flush(etm);
	return 0;
}

/* The newest atoms of the wrong path may travel in the packet that cancels them. */
static unsigned take_atoms(struct csg_enc_etm *etm, uint8_t atoms[2])
{
	unsigned n = etm->atom_count;

	if (n > 2 || etm->withheld)
		return 0;
	for (unsigned i = 0; i < n; i++)
		atoms[i] = etm->atoms >> i & 1;
	etm->atoms = 0;
	etm->atom_count = 0;
	return n;
}

int csg_enc_p0_cancel(struct csg_enc_etm *etm)
{
	bool unpop = etm->saved.popped && etm->wrong_address && !etm->wrong_direction;
	uint8_t atoms[2];

	if (!etm->wrong && !etm->skip) {
		etm->error = "nothing to cancel";
		return -CSG_E_USAGE;
	}
	if (etm->wrong) {
		if (etm->wrong_count || etm->wrong_direction) {
			unsigned n = take_atoms(etm, atoms);

			csg_enc_p0_flush(etm);
			csg_enc_packet_cancel(&etm->packets, etm->wrong_count, etm->wrong_direction,
					      atoms, n);
		}
		etm->depth -= etm->wrong_count;
		etm->stack = unpop ? etm->saved.unpopped : etm->saved.stack;
		etm->stack_before = etm->saved.unpopped;
		etm->popped = etm->saved.popped && !unpop;
		etm->indirect = etm->saved.indirect;
		etm->owed = etm->saved.owed;
		/* The decoder has seen a wrong address and may have lost a context. */
		if (etm->wrong_address && !etm->wrong_direction)
			etm->owed.address = true;
		if (etm->wrong_context)
			etm->packets.context_valid = false;
	}
	etm->context = etm->saved.context;
	etm->pc = etm->saved.pc;
	etm->wrong = etm->skip = false;
	etm->wrong_direction = false;
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The result of a shard (csguest/shard.h): a file with what a view has added up, such that the sum
 * of all shards' is what one run prints.
 *
 *	"csgshard", version		util/pack.h; a checksum ends it
 *	head				which view with which options, which part of which
 *					recording, and checksums of the facts before it and after it
 *	messages			those that were reported while it was made
 *	outcome				shard/outcome_pack.h
 *	the view's sums			shard/report_pack.h, shard/profile_pack.h
 *
 * Files are of the version of csguest that wrote them: numbers of names are stored, not names.
 */
#ifndef COMMAND_SHARD_RESULT_H
#define COMMAND_SHARD_RESULT_H

#include "csguest/diag.h"
#include "util/pack.h"

#define CSG_RESULT_KIND "csgshard"
#define CSG_RESULT_VERSION 1
#define CSG_SHARDS_MAX 1000000

/* Texts are the file's. */
struct csg_result_head {
	const char *version;   /* of csguest */
	const char *view;      /* "report" */
	const char *options;   /* of the view and what it shows; those of one run are equal */
	const char *recording; /* as the user named it */
	const char *hypervisor;
	uint64_t recording_sum; /* csg_shard_recording() */
	uint32_t shard, shards; /* 1 to shards */
	uint64_t begin, end;	/* csg_shard_state() */
	int damage;		/* csg_recording_damage() */
	bool strict;
};

void csg_result_head_pack(struct csg_pack *pack, const struct csg_result_head *head);
void csg_result_head_unpack(struct csg_unpack *unpack, struct csg_result_head *head);

/* Messages: as many as follow, then each. */
void csg_result_message_pack(struct csg_pack *pack, const struct csg_diag *diag);
void csg_result_message_unpack(struct csg_unpack *unpack, struct csg_diag *diag);

#endif

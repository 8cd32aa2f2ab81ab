/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The yardstick: OpenCSD's C API and nothing else.  Decodes one trace ID of a CoreSight-formatted
 * file with a memory callback over the snapshot's dumps, counts ranges and instructions, and
 * prints "ranges instructions seconds".  Registers are those of a snapshot's device.ini.
 *
 *	bare FILE ID CONFIGR IDR0 IDR1 IDR2 IDR8 REPEAT [ADDRESS:FILE …]
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <opencsd/c_api/opencsd_c_api.h>
#include <opencsd/etmv4/trc_pkt_types_etmv4.h>

#define DUMPS 64

struct dump {
	uint64_t address, size;
	const uint8_t *bytes;
};

struct bare {
	struct dump dumps[DUMPS];
	int count;
	uint64_t ranges, instructions;
};

static const uint8_t *map(const char *path, uint64_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st)) {
		perror(path);
		exit(1);
	}
	*size = (uint64_t)st.st_size;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED) {
		perror(path);
		exit(1);
	}
	return p;
}

static uint32_t memory(const void *arg, const ocsd_vaddr_t address,
		       const ocsd_mem_space_acc_t space, const uint32_t want, uint8_t *out)
{
	const struct bare *bare = arg;

	(void)space;
	for (int i = 0; i < bare->count; i++) {
		const struct dump *d = &bare->dumps[i];
		uint64_t offset = address - d->address;

		if (address >= d->address && offset < d->size) {
			uint64_t n = d->size - offset < want ? d->size - offset : want;

			memcpy(out, d->bytes + offset, n);
			return (uint32_t)n;
		}
	}
	return 0;
}

static ocsd_datapath_resp_t element(const void *arg, const ocsd_trc_index_t index, const uint8_t id,
				    const ocsd_generic_trace_elem *e)
{
	struct bare *bare = (struct bare *)arg;

	(void)index;
	(void)id;
	if (e->elem_type == OCSD_GEN_TRC_ELEM_INSTR_RANGE) {
		bare->ranges++;
		bare->instructions += e->num_instr_range;
	}
	return OCSD_RESP_CONT;
}

static void add_dump(struct bare *bare, char *text)
{
	char *colon = strchr(text, ':');
	struct dump *d = &bare->dumps[bare->count];

	if (!colon || bare->count == DUMPS) {
		fprintf(stderr, "bare: bad dump %s\n", text);
		exit(1);
	}
	d->address = strtoull(text, NULL, 0);
	d->bytes = map(colon + 1, &d->size);
	bare->count++;
}

static dcd_tree_handle_t make_tree(char **argv, struct bare *bare)
{
	ocsd_etmv4_cfg cfg = {
		.reg_traceidr = (uint32_t)strtoul(argv[2], NULL, 0),
		.reg_configr = (uint32_t)strtoul(argv[3], NULL, 0),
		.reg_idr0 = (uint32_t)strtoul(argv[4], NULL, 0),
		.reg_idr1 = (uint32_t)strtoul(argv[5], NULL, 0),
		.reg_idr2 = (uint32_t)strtoul(argv[6], NULL, 0),
		.reg_idr8 = (uint32_t)strtoul(argv[7], NULL, 0),
		.arch_ver = ARCH_AA64,
		.core_prof = profile_CortexA,
	};
	dcd_tree_handle_t tree =
		ocsd_create_dcd_tree(OCSD_TRC_SRC_FRAME_FORMATTED, OCSD_DFRMTR_FRAME_MEM_ALIGN);
	unsigned char id;

	if (ocsd_dt_create_decoder(tree, OCSD_BUILTIN_DCD_ETMV4I, OCSD_CREATE_FLG_FULL_DECODER,
				   &cfg, &id) ||
	    ocsd_dt_set_gen_elem_outfn(tree, element, bare) ||
	    ocsd_dt_add_callback_mem_acc(tree, 0, UINT64_MAX, OCSD_MEM_SPACE_ANY, memory, bare)) {
		fprintf(stderr, "bare: OpenCSD refuses the configuration\n");
		exit(1);
	}
	return tree;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void decode(dcd_tree_handle_t tree, uint64_t base, const uint8_t *bytes, uint64_t size)
{
	for (uint64_t at = 0; at < size;) {
		uint32_t used, n = size - at < 65536 ? (uint32_t)(size - at) : 65536;
		ocsd_datapath_resp_t r =
			ocsd_dt_process_data(tree, OCSD_OP_DATA, base + at, n, bytes + at, &used);

		if (OCSD_DATA_RESP_IS_FATAL(r)) {
			fprintf(stderr, "bare: fatal response %d\n", r);
			exit(1);
		}
		at += used;
	}
}

int main(int argc, char **argv)
{
	struct bare bare = {0};
	const uint8_t *bytes;
	uint64_t size;
	dcd_tree_handle_t tree;
	double begin;

	if (argc < 9) {
		fprintf(stderr,
			"bare FILE ID CONFIGR IDR0 IDR1 IDR2 IDR8 REPEAT [ADDRESS:FILE …]\n");
		return 2;
	}
	bytes = map(argv[1], &size);
	for (int i = 9; i < argc; i++)
		add_dump(&bare, argv[i]);
	tree = make_tree(argv, &bare);
	begin = seconds();
	for (uint64_t i = 0, n = strtoull(argv[8], NULL, 0); i < n; i++)
		decode(tree, i * size, bytes, size);
	ocsd_dt_process_data(tree, OCSD_OP_EOT, 0, 0, NULL, NULL);
	printf("%" PRIu64 " %" PRIu64 " %.6f\n", bare.ranges, bare.instructions, seconds() - begin);
	ocsd_destroy_dcd_tree(tree);
	return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording/perf/perf_attr.h"

#include <stdlib.h>
#include <string.h>

#include "csguest/error.h"
#include "util/bytes.h"
#include "files/perf_format.h"
#include "util/array.h"

#define ATTR_SIZE_VER0 64
/* Where newer members are in the attr. */
#define ATTR_CONFIG2 64
#define ATTR_BRANCH_SAMPLE_TYPE 72
#define ATTR_REGS_USER 80
#define ATTR_REGS_INTR 96
#define ATTR_AUX_SAMPLE_SIZE 112
#define ATTR_AUX_ACTION 116
#define ATTRS_MAX (1u << 20)

/* perf_event_attr.sample_type */
enum {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDR = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_RAW = 1 << 10,
	SAMPLE_BRANCH_STACK = 1 << 11,
	SAMPLE_REGS_USER = 1 << 12,
	SAMPLE_STACK_USER = 1 << 13,
	SAMPLE_WEIGHT = 1 << 14,
	SAMPLE_DATA_SRC = 1 << 15,
	SAMPLE_IDENTIFIER = 1 << 16,
	SAMPLE_TRANSACTION = 1 << 17,
	SAMPLE_REGS_INTR = 1 << 18,
	SAMPLE_PHYS_ADDR = 1 << 19,
	SAMPLE_AUX = 1 << 20,
	SAMPLE_CGROUP = 1 << 21,
	SAMPLE_DATA_PAGE_SIZE = 1 << 22,
	SAMPLE_CODE_PAGE_SIZE = 1 << 23,
	SAMPLE_WEIGHT_STRUCT = 1 << 24,

	/* words between the registers of an interrupt and the trace */
	SAMPLE_LAST_WORDS =
		SAMPLE_PHYS_ADDR | SAMPLE_CGROUP | SAMPLE_DATA_PAGE_SIZE | SAMPLE_CODE_PAGE_SIZE,

	/* what struct sample_id has */
	SAMPLE_ID_FIELDS = SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU |
			   SAMPLE_IDENTIFIER,
};

/* perf_event_attr.branch_sample_type */
enum {
	BRANCH_HW_INDEX = 1 << 17,
	BRANCH_COUNTERS = 1 << 19,
};

/* perf_event_attr.read_format */
enum {
	FORMAT_ENABLED = 1 << 0,
	FORMAT_RUNNING = 1 << 1,
	FORMAT_ID = 1 << 2,
	FORMAT_GROUP = 1 << 3,
	FORMAT_LOST = 1 << 4,
};

void csg_perf_attrs_fini(struct csg_perf_attrs *attrs)
{
	free(attrs->attrs);
	free(attrs->ids);
	csg_keyset_fini(&attrs->numbers);
	memset(attrs, 0, sizeof(*attrs));
}

bool csg_perf_attr_is_timed(const struct csg_perf_attr *attr)
{
	return attr && attr->sample_type & SAMPLE_TIME;
}

int csg_perf_attrs_add(struct csg_perf_attrs *attrs, const uint8_t *bytes, size_t len)
{
	struct csg_perf_attr *attr;
	uint32_t size;

	if (len < ATTR_SIZE_VER0)
		return -CSG_E_CORRUPT;
	size = csg_le32(bytes + 4); /* 0 stands for the first version */
	if ((size && size < ATTR_SIZE_VER0) || size > len || attrs->n == ATTRS_MAX)
		return -CSG_E_CORRUPT;
	attr = csg_array_add(&attrs->attrs, &attrs->n, &attrs->cap, sizeof(*attr));
	if (!attr)
		return -CSG_E_NO_MEMORY;
	attr->type = csg_le32(bytes);
	attr->config = csg_le64(bytes + 8);
	attr->sample_type = csg_le64(bytes + 24);
	attr->read_format = csg_le64(bytes + 32);
	attr->flags = csg_le64(bytes + 40);
	attr->sampled = (attr->flags & CSG_ATTR_FREQ) || csg_le64(bytes + 16) > 1;
	if (size >= ATTR_CONFIG2 + 8)
		attr->config_id = csg_le32(bytes + ATTR_CONFIG2 + 4);
	if (size >= ATTR_REGS_USER + 8) {
		attr->branch_sample_type = csg_le64(bytes + ATTR_BRANCH_SAMPLE_TYPE);
		attr->regs_user = csg_le64(bytes + ATTR_REGS_USER);
	}
	if (size >= ATTR_REGS_INTR + 8)
		attr->regs_intr = csg_le64(bytes + ATTR_REGS_INTR);
	if (size >= ATTR_AUX_ACTION + 4) {
		attr->aux_sample_size = csg_le32(bytes + ATTR_AUX_SAMPLE_SIZE);
		attr->aux_action = csg_le32(bytes + ATTR_AUX_ACTION);
	}
	return (int)(attrs->n - 1);
}

static struct csg_perf_id *find_id(const struct csg_perf_attrs *attrs, uint64_t id)
{
	const int64_t number = csg_keyset_find(&attrs->numbers, &id);

	return number < 0 ? NULL : &attrs->ids[number];
}

static struct csg_perf_id *add_id(struct csg_perf_attrs *attrs, uint64_t id)
{
	struct csg_perf_id *new =
		csg_array_add(&attrs->ids, &attrs->n_ids, &attrs->cap_ids, sizeof(*new));

	if (!new)
		return NULL;
	*new = (struct csg_perf_id){.cpu = -1, .tid = -1, .vcpu = -1};
	if (!attrs->numbers.key_size)
		csg_keyset_init(&attrs->numbers, sizeof(id));
	if (csg_keyset_add(&attrs->numbers, &id) >= 0)
		return new;
	attrs->n_ids--;
	return NULL;
}

int csg_perf_attrs_add_id(struct csg_perf_attrs *attrs, uint64_t id, uint32_t attr)
{
	struct csg_perf_id *known = find_id(attrs, id);

	if (!known)
		known = add_id(attrs, id);
	if (!known)
		return -CSG_E_NO_MEMORY;
	known->attr = attr;
	return 0;
}

const struct csg_perf_id *csg_perf_attrs_find_id(const struct csg_perf_attrs *attrs, uint64_t id)
{
	return find_id(attrs, id);
}

void csg_perf_attrs_index_id(struct csg_perf_attrs *attrs, uint64_t id, int32_t cpu, int32_t tid,
			     int32_t machine_pid, int32_t vcpu)
{
	struct csg_perf_id *known = find_id(attrs, id);

	if (!known)
		return;
	known->indexed = true;
	known->cpu = cpu;
	known->tid = tid;
	known->machine_pid = machine_pid;
	known->vcpu = machine_pid ? vcpu : -1;
}

/* A cursor over the u64 words of a record. */
struct words {
	const uint8_t *at, *end;
	bool short_of;
};

static uint64_t next(struct words *words)
{
	uint64_t v;

	if (words->end - words->at < 8) {
		words->short_of = true;
		return 0;
	}
	v = csg_le64(words->at);
	words->at += 8;
	return v;
}

static void skip(struct words *words, uint64_t n)
{
	if (n > (uint64_t)(words->end - words->at) / 8)
		words->short_of = true;
	else
		words->at += n * 8;
}

/* Which word from the front of a sample's body holds the event ID; -1: none. */
static int id_word_of_sample(uint64_t type)
{
	if (type & SAMPLE_IDENTIFIER)
		return 0;
	if (!(type & SAMPLE_ID))
		return -1;
	return !!(type & SAMPLE_IP) + !!(type & SAMPLE_TID) + !!(type & SAMPLE_TIME) +
	       !!(type & SAMPLE_ADDR);
}

/* Which word from the end of another record does, 1 being the last; -1: none. */
static int id_word_from_end(uint64_t type)
{
	if (type & SAMPLE_IDENTIFIER)
		return 1;
	if (!(type & SAMPLE_ID))
		return -1;
	return 1 + !!(type & SAMPLE_CPU) + !!(type & SAMPLE_STREAM_ID);
}

/*
 * The attr that a record belongs to.  All attrs of a recording have their IDs at the same
 * place, as perf record sees to it; ID 0 is of what perf synthesised, with the first attr's
 * fields.
 */
static const struct csg_perf_attr *attr_of(const struct csg_perf_attrs *attrs,
					   const uint8_t *record, size_t len, bool is_sample,
					   struct csg_perf_sample *sample)
{
	const struct csg_perf_attr *first = attrs->attrs;
	const struct csg_perf_id *id;
	int word;

	if (!attrs->n || (!is_sample && !(first->flags & CSG_ATTR_SAMPLE_ID_ALL)))
		return NULL;
	word = is_sample ? id_word_of_sample(first->sample_type)
			 : id_word_from_end(first->sample_type);
	if (word < 0)
		return first;
	if (len < 8 + 8 * (size_t)(word + is_sample))
		return NULL;
	sample->id = csg_le64(is_sample ? record + 8 + 8 * word : record + len - 8 * word);
	if (!sample->id)
		return first; /* also where a damaged list gives ID 0 to another */
	id = csg_perf_attrs_find_id(attrs, sample->id);
	if (!id)
		return attrs->n == 1 ? first : NULL;
	sample->attr_index = id->attr;
	sample->machine_pid = id->machine_pid;
	sample->vcpu = id->vcpu;
	sample->cpu = id->cpu; /* stays where the record itself has none */
	return &attrs->attrs[id->attr];
}

static void take_task(struct csg_perf_sample *sample, uint64_t word)
{
	sample->pid = (int32_t)word;
	sample->tid = (int32_t)(word >> 32);
}

/* What the trailer of other records has as well as a sample, which alone has an address. */
static void take_common(struct csg_perf_sample *sample, struct words *words, uint64_t type)
{
	if (type & SAMPLE_TID)
		take_task(sample, next(words));
	if (type & SAMPLE_TIME)
		sample->time = next(words);
	if (type & SAMPLE_ADDR)
		next(words);
	if (type & SAMPLE_ID)
		next(words);
	if (type & SAMPLE_STREAM_ID)
		next(words);
	if (type & SAMPLE_CPU)
		sample->cpu = (int32_t)next(words);
}

/* The struct sample_id at the end of a record that is no sample. */
static int parse_trailer(const uint8_t *record, size_t len, uint64_t type,
			 struct csg_perf_sample *sample)
{
	struct words words = {record, record + len, false};
	uint64_t fields = type & SAMPLE_ID_FIELDS;
	size_t bytes = 8 * (size_t)__builtin_popcountll(fields);

	if (bytes > len - 8)
		return -CSG_E_CORRUPT;
	sample->body = len - bytes;
	words.at = record + sample->body;
	take_common(sample, &words, fields);
	return 0;
}

static void skip_read_values(struct words *words, uint64_t format)
{
	uint64_t each = 1 + !!(format & FORMAT_ID) + !!(format & FORMAT_LOST);
	uint64_t times = !!(format & FORMAT_ENABLED) + !!(format & FORMAT_RUNNING);
	uint64_t n = 1;

	if (format & FORMAT_GROUP)
		n = next(words);
	skip(words, times);
	if (n > UINT16_MAX)
		words->short_of = true;
	else
		skip(words, n * each);
}

static void take_raw(struct words *words, struct csg_perf_sample *sample)
{
	uint32_t len;

	if (words->end - words->at < 4) {
		words->short_of = true;
		return;
	}
	len = csg_le32(words->at);
	if (len > (size_t)(words->end - words->at) - 4) {
		words->short_of = true;
		return;
	}
	sample->raw = words->at + 4;
	sample->raw_len = len;
	words->at += 4 + len; /* padded, so that words follow */
}

static void skip_bytes(struct words *words, uint64_t n)
{
	if (n > (uint64_t)(words->end - words->at))
		words->short_of = true;
	else
		words->at += n;
}

static void skip_branches(struct words *words, uint64_t branches)
{
	uint64_t n = next(words);

	if (n > UINT16_MAX) {
		words->short_of = true;
		return;
	}
	skip(words, !!(branches & BRANCH_HW_INDEX) + 3 * n);
	skip(words, branches & BRANCH_COUNTERS ? n : 0);
}

/* None where the ABI is PERF_SAMPLE_REGS_ABI_NONE. */
static void skip_registers(struct words *words, uint64_t mask)
{
	if (next(words))
		skip(words, (uint64_t)__builtin_popcountll(mask));
}

static void skip_stack(struct words *words)
{
	uint64_t n = next(words);

	skip_bytes(words, n);
	if (n)
		next(words); /* how many of them are valid */
}

/* What stands between the raw bytes and the trace, which comes last. */
static void take_aux(struct words *words, const struct csg_perf_attr *attr,
		     struct csg_perf_sample *sample)
{
	uint64_t type = attr->sample_type, n;

	if (type & SAMPLE_BRANCH_STACK)
		skip_branches(words, attr->branch_sample_type);
	if (type & SAMPLE_REGS_USER)
		skip_registers(words, attr->regs_user);
	if (type & SAMPLE_STACK_USER)
		skip_stack(words);
	skip(words, !!(type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT)) + !!(type & SAMPLE_DATA_SRC) +
			    !!(type & SAMPLE_TRANSACTION));
	if (type & SAMPLE_REGS_INTR)
		skip_registers(words, attr->regs_intr);
	skip(words, (uint64_t)__builtin_popcountll(type & SAMPLE_LAST_WORDS));
	n = next(words);
	if (words->short_of || n > (uint64_t)(words->end - words->at)) {
		words->short_of = true;
		return;
	}
	sample->aux = words->at;
	sample->aux_len = (uint32_t)n;
}

static int parse_sample(const uint8_t *record, size_t len, const struct csg_perf_attr *attr,
			struct csg_perf_sample *sample)
{
	struct words words = {record + 8, record + len, false};
	uint64_t type = attr->sample_type;

	if (type & SAMPLE_IDENTIFIER)
		next(&words);
	if (type & SAMPLE_IP)
		sample->ip = next(&words);
	take_common(sample, &words, type);
	if (type & SAMPLE_PERIOD)
		sample->period = next(&words);
	if (type & SAMPLE_READ)
		skip_read_values(&words, attr->read_format);
	if (type & SAMPLE_CALLCHAIN)
		skip(&words, next(&words));
	if ((type & SAMPLE_RAW) && !words.short_of)
		take_raw(&words, sample);
	if ((type & SAMPLE_AUX) && !words.short_of)
		take_aux(&words, attr, sample);
	return words.short_of ? -CSG_E_CORRUPT : 0;
}

int csg_perf_attrs_lacks(const struct csg_perf_attrs *attrs, bool is_sample,
			 const struct csg_perf_sample *sample)
{
	const struct csg_perf_attr *first = attrs->attrs;

	/* IDs at different places: which event it is of was found by chance. */
	if (sample->attr && (sample->attr->sample_type ^ first->sample_type) & SAMPLE_IDENTIFIER)
		return -1;
	if (sample->attr)
		return !(first->sample_type & SAMPLE_IDENTIFIER);
	if (is_sample || !attrs->n || first->flags & CSG_ATTR_SAMPLE_ID_ALL)
		return -1;
	return __builtin_popcountll((first->sample_type & SAMPLE_ID_FIELDS) | SAMPLE_IDENTIFIER);
}

int csg_perf_attrs_sample(const struct csg_perf_attrs *attrs, const uint8_t *record, size_t len,
			  struct csg_perf_sample *sample)
{
	bool is_sample = csg_le32(record) == CSG_PERF_RECORD_SAMPLE;
	int ret;

	*sample =
		(struct csg_perf_sample){.pid = -1, .tid = -1, .cpu = -1, .vcpu = -1, .body = len};
	sample->attr = attr_of(attrs, record, len, is_sample, sample);
	if (!sample->attr)
		return 0;
	if (is_sample)
		ret = parse_sample(record, len, sample->attr, sample);
	else
		ret = parse_trailer(record, len, sample->attr->sample_type, sample);
	if (sample->time == UINT64_MAX)
		sample->time = 0;
	return ret;
}

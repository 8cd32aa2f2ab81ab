/* SPDX-License-Identifier: BSD-3-Clause */
#include "scan/reader.h"

#include <string.h>

#define ASYNC_ZEROS 11 /* before its 0x80 */
#define TIMESTAMP_BYTES 9

#define TRCCONFIGR_INSTP0 (3u << 1)
#define TRCCONFIGR_DATA (3u << 16) /* DA, DV */
#define TRCIDR0_TRCDATA (3u << 3)
#define TRCIDR0_TRCCOND (1u << 6)
#define TRCIDR0_TRCCCI (1u << 7)
#define TRCIDR0_QSUPP (3u << 15)
#define TRCIDR0_COMMOPT (1u << 29)

/* Forms of addresses; IS0 counts words, IS1 halfwords. */
enum form {
	NO_ADDRESS,
	MATCH, /* one of the last three */
	SHORT_IS0,
	SHORT_IS1,
	LONG32_IS0,
	LONG32_IS1,
	LONG64_IS0,
	LONG64_IS1,
};

/* What a unit must be or do for it to send a packet. */
enum feature {
	ETM = 1u << 0, /* is no ETE */
	ETE = 1u << 1,
	ETE_1_3 = 1u << 2,
	V4_3 = 1u << 3, /* or newer, also ETE */
	V4_6 = 1u << 4,
	V8M = 1u << 5,
	DATA = 1u << 6,
	CONDITIONAL = 1u << 7,
	Q = 1u << 8,
};

/* Headers without a row are reserved. */
static const struct {
	uint8_t first, last;
	uint16_t needs; /* enum feature */
	struct csg_reader_rule rule;
} headers[] = {
	{0x00, 0x00, 0, {.kind = CSG_PACKET_BAD, .bytes = 1}}, /* A-Sync, Discard, Overflow */
	{0x01, 0x01, 0, {.kind = CSG_PACKET_TRACE_INFO, .bytes = 1}},
	{0x02, 0x02, 0, {.kind = CSG_PACKET_TIMESTAMP, .limit = TIMESTAMP_BYTES}},
	{0x03, 0x03, 0, {.kind = CSG_PACKET_TIMESTAMP, .limit = TIMESTAMP_BYTES, .fields = 1}},
	{0x04, 0x04, 0, {.kind = CSG_PACKET_TRACE_ON}},
	{0x05, 0x05, V8M, {.kind = CSG_PACKET_FUNCTION_RETURN}},
	{0x06, 0x06, 0, {.kind = CSG_PACKET_EXCEPTION, .bytes = 1}},
	{0x07, 0x07, ETM, {.kind = CSG_PACKET_EXCEPTION_RETURN}},
	{0x09, 0x09, ETE_1_3, {.kind = CSG_PACKET_ITE, .bytes = 9}},
	{0x0a, 0x0a, ETE, {.kind = CSG_PACKET_TRANSACTION_START}},
	{0x0b, 0x0b, ETE, {.kind = CSG_PACKET_TRANSACTION_COMMIT}},
	{0x0c, 0x0d, 0, {.kind = CSG_PACKET_CYCLES, .bytes = 1}},
	{0x0e, 0x0e, 0, {.kind = CSG_PACKET_CYCLES, .fields = 2}}, /* commit, count */
	{0x0f, 0x0f, 0, {.kind = CSG_PACKET_CYCLES, .fields = 1}}, /* commit */
	{0x10, 0x1f, 0, {.kind = CSG_PACKET_CYCLES}},
	{0x20, 0x2c, DATA, {.kind = CSG_PACKET_DATA_SYNC}},
	{0x2d, 0x2d, 0, {.kind = CSG_PACKET_COMMIT, .fields = 1}},
	{0x2e, 0x2f, 0, {.kind = CSG_PACKET_CANCEL, .fields = 1}},
	{0x30, 0x3f, 0, {.kind = CSG_PACKET_CANCEL}},
	{0x40, 0x46, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL}},
	{0x48, 0x4a, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL}},
	{0x4c, 0x4e, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL}},
	{0x50, 0x5f, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .bytes = 1}},
	{0x68, 0x6b, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .fields = 2}},
	{0x6c, 0x6c, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .fields = 1}},
	{0x6d, 0x6d, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .bytes = 1}},
	{0x6e, 0x6f, CONDITIONAL, {.kind = CSG_PACKET_CONDITIONAL, .fields = 1}},
	{0x70, 0x70, V4_3, {.kind = CSG_PACKET_IGNORE}},
	{0x71, 0x7f, 0, {.kind = CSG_PACKET_EVENT}},
	{0x80, 0x80, 0, {.kind = CSG_PACKET_CONTEXT}},
	{0x81, 0x81, 0, {.kind = CSG_PACKET_CONTEXT, .bytes = 1}},
	{0x82, 0x82, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 5, .form = LONG32_IS0}},
	{0x83, 0x83, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 5, .form = LONG32_IS1}},
	{0x85, 0x85, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 9, .form = LONG64_IS0}},
	{0x86, 0x86, 0, {.kind = CSG_PACKET_ADDRESS_CONTEXT, .bytes = 9, .form = LONG64_IS1}},
	{0x88, 0x88, V4_6, {.kind = CSG_PACKET_TS_MARKER}},
	{0x90, 0x92, 0, {.kind = CSG_PACKET_ADDRESS, .form = MATCH}},
	{0x95, 0x95, 0, {.kind = CSG_PACKET_ADDRESS, .limit = 2, .form = SHORT_IS0}},
	{0x96, 0x96, 0, {.kind = CSG_PACKET_ADDRESS, .limit = 2, .form = SHORT_IS1}},
	{0x9a, 0x9a, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 4, .form = LONG32_IS0}},
	{0x9b, 0x9b, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 4, .form = LONG32_IS1}},
	{0x9d, 0x9d, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 8, .form = LONG64_IS0}},
	{0x9e, 0x9e, 0, {.kind = CSG_PACKET_ADDRESS, .bytes = 8, .form = LONG64_IS1}},
	{0xa0, 0xa2, Q, {.kind = CSG_PACKET_Q, .fields = 1, .form = MATCH}},
	{0xa5, 0xa5, Q, {.kind = CSG_PACKET_Q, .limit = 2, .fields = 1, .form = SHORT_IS0}},
	{0xa6, 0xa6, Q, {.kind = CSG_PACKET_Q, .limit = 2, .fields = 1, .form = SHORT_IS1}},
	{0xaa, 0xaa, Q, {.kind = CSG_PACKET_Q, .bytes = 4, .fields = 1, .form = LONG32_IS0}},
	{0xab, 0xab, Q, {.kind = CSG_PACKET_Q, .bytes = 4, .fields = 1, .form = LONG32_IS1}},
	{0xac, 0xac, Q, {.kind = CSG_PACKET_Q, .fields = 1}},
	{0xaf, 0xaf, Q, {.kind = CSG_PACKET_Q}},
	{0xb0, 0xb2, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .form = MATCH}},
	{0xb4, 0xb4, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .limit = 2, .form = SHORT_IS0}},
	{0xb5, 0xb5, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .limit = 2, .form = SHORT_IS1}},
	{0xb6, 0xb6, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 4, .form = LONG32_IS0}},
	{0xb7, 0xb7, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 4, .form = LONG32_IS1}},
	{0xb8, 0xb8, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 8, .form = LONG64_IS0}},
	{0xb9, 0xb9, ETE, {.kind = CSG_PACKET_SOURCE_ADDRESS, .bytes = 8, .form = LONG64_IS1}},
	{CSG_FIRST_ATOMS, 0xff, 0, {.kind = CSG_PACKET_ATOMS}},
};

/* --- the unit --- */

unsigned int csg_reader_version(const struct csg_source *source)
{
	uint64_t devarch = source->trcdevarch;

	if (source->protocol != CSG_PROTOCOL_ETE)
		return (unsigned int)(source->trcidr1 >> 4) & 0xff;
	return (unsigned int)((devarch >> 12 & 0xf) << 4 | (devarch >> 16 & 0xf));
}

bool csg_reader_is_m(const struct csg_source *source)
{
	const char *core = source->core_type ? source->core_type : "";

	return source->cortex_m || !strncmp(core, "Cortex-M", 8);
}

bool csg_reader_is_v8m(const struct csg_source *source)
{
	const char *core = source->core_type ? source->core_type : "";

	return csg_reader_is_m(source) &&
	       (!strncmp(core, "Cortex-M23", 10) || !strncmp(core, "Cortex-M33", 10) ||
		!strncmp(core, "ARMv8-M", 7));
}

static bool traces_data(const struct csg_source *source)
{
	return (source->trcidr0 & TRCIDR0_TRCDATA) == TRCIDR0_TRCDATA &&
	       (source->trcconfigr & TRCCONFIGR_INSTP0) && (source->trcconfigr & TRCCONFIGR_DATA);
}

static bool traces_conditions(const struct csg_source *source)
{
	unsigned int cond = (unsigned int)(source->trcconfigr >> 8) & 7;

	return (source->trcidr0 & TRCIDR0_TRCCOND) && ((cond >= 1 && cond <= 3) || cond == 7);
}

static unsigned int features_of(const struct csg_source *source)
{
	unsigned int version = csg_reader_version(source);
	unsigned int features = version >= 0x50 ? ETE : ETM;

	if (version >= 0x43)
		features |= V4_3;
	if (version >= 0x46)
		features |= V4_6;
	if (version >= 0x50 && (version & 0xf) >= 3)
		features |= ETE_1_3;
	if (version >= 0x42 && csg_reader_is_v8m(source))
		features |= V8M;
	if (traces_data(source))
		features |= DATA;
	if (traces_conditions(source))
		features |= CONDITIONAL;
	if (source->trcidr0 & TRCIDR0_QSUPP)
		features |= Q;
	return features;
}

static void set_rules(struct csg_reader *r, unsigned int features)
{
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		for (unsigned int h = headers[i].first; h <= headers[i].last; h++)
			if (!headers[i].needs || (features & headers[i].needs))
				r->rules[h] = headers[i].rule;
}

static void drop_commits(struct csg_reader *r)
{
	r->rules[0x0e].fields--;
	r->rules[0x0f].fields--;
}

static uint8_t vmid_bytes(const struct csg_source *source)
{
	unsigned int size = (unsigned int)(source->trcidr2 >> 10) & 0x1f;

	if (size == 1)
		return 1;
	return csg_reader_version(source) > 0x40 && (size == 2 || size == 4) ? (uint8_t)size : 0;
}

void csg_reader_init(struct csg_reader *r, const struct csg_source *source, csg_packet_fn out,
		     void *arg)
{
	const uint64_t mode1 = TRCIDR0_COMMOPT | TRCIDR0_TRCCCI;
	unsigned int features = features_of(source);

	memset(r, 0, sizeof(*r));
	r->out = out;
	r->arg = arg;
	r->ete = features & ETE;
	r->vmid_bytes = vmid_bytes(source);
	r->contextid_bytes = (source->trcidr2 >> 5 & 0x1f) == 4 ? 4 : 0;
	r->max_spec = (uint32_t)source->trcidr8;
	r->cc_mask = (1u << ((source->trcidr2 >> 25 & 0xf) + 12)) - 1;
	r->passed_over = r->max_spec ? 0x100 : CSG_FIRST_ATOMS;
	r->mode1 = (source->trcidr0 & mode1) == mode1;
	set_rules(r, features);
	if (r->mode1)
		drop_commits(r);
	csg_reader_restart(r);
}

static void forget_addresses(struct csg_reader *r)
{
	memset(r->addresses, 0, sizeof(r->addresses));
	memset(r->is1, 0, sizeof(r->is1));
}

/* A packet that cannot be holds no whole A-Sync, but may end with the beginning of one. */
void csg_reader_search(struct csg_reader *r)
{
	r->state = CSG_READER_SEARCH;
	forget_addresses(r);
	r->timestamp = 0;
	r->cc_threshold = 0;
	r->whole_timestamp = r->sf = r->keeps_addresses = false;
}

void csg_reader_restart(struct csg_reader *r)
{
	csg_reader_search(r);
	r->zeros = 0;
	r->fed = 0;
}

/* --- fields --- */

/* A field of seven bits in each of at most so many bytes, of which 32 bits count; at moves behind it. */
static uint32_t short_field(const uint8_t *bytes, unsigned int *at, unsigned int limit)
{
	uint32_t value = 0;

	for (unsigned int i = 0; i < limit; i++) {
		uint8_t byte = bytes[(*at)++];

		value |= (uint32_t)(byte & 0x7f) << 7 * i;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static uint32_t field(const uint8_t *bytes, unsigned int *at)
{
	return short_field(bytes, at, 5);
}

static uint64_t little_endian(const uint8_t *bytes, unsigned int n)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < n; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	return value;
}

static uint64_t low_bits(unsigned int n)
{
	return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* --- addresses --- */

/* The first two bytes of an address in IS0 have seven bits each, in IS1 only the first one. */
static uint64_t long_address(const uint8_t *bytes, unsigned int n, bool is1)
{
	uint64_t rest = little_endian(bytes + 2, n - 2) << 16;

	if (is1)
		return rest | (uint64_t)(bytes[0] & 0x7f) << 1 | (uint64_t)bytes[1] << 8;
	return rest | (uint64_t)(bytes[0] & 0x7f) << 2 | (uint64_t)(bytes[1] & 0x7f) << 9;
}

static uint64_t short_address(uint64_t before, const uint8_t *bytes, bool is1)
{
	unsigned int shift = is1 ? 1 : 2, bits = 7 + shift;
	uint64_t value = (uint64_t)(bytes[0] & 0x7f) << shift;

	if (bytes[0] & 0x80) {
		value |= (uint64_t)bytes[1] << bits;
		bits += 8;
	}
	return (before & ~low_bits(bits)) | value;
}

/* In the packet at header. */
static uint64_t address_in(const struct csg_reader *r, const uint8_t *header, enum form form)
{
	const uint8_t *bytes = header + 1;
	uint64_t kept = r->sf ? r->addresses[0] & ~low_bits(32) : 0;

	switch (form) {
	case MATCH:
		return r->addresses[*header & 3];
	case SHORT_IS0:
	case SHORT_IS1:
		return short_address(r->addresses[0], bytes, form == SHORT_IS1);
	case LONG32_IS0:
	case LONG32_IS1:
		return kept | long_address(bytes, 4, form == LONG32_IS1);
	case LONG64_IS0:
	case LONG64_IS1:
		return long_address(bytes, 8, form == LONG64_IS1);
	case NO_ADDRESS:
		break;
	}
	return 0;
}

static void new_address(struct csg_reader *r, uint64_t address, bool is1)
{
	r->is1[2] = r->is1[1];
	r->is1[1] = r->is1[0];
	r->is1[0] = is1;
	r->addresses[2] = r->addresses[1];
	r->addresses[1] = r->addresses[0];
	r->addresses[0] = address;
}

/* The address in the packet at header. */
static void take_address(struct csg_reader *r, const uint8_t *header)
{
	enum form form = r->rules[*header].form;
	bool is1 = form == SHORT_IS1 || form == LONG32_IS1 || form == LONG64_IS1;

	if (form == MATCH)
		is1 = r->is1[*header & 3];
	new_address(r, address_in(r, header, form), is1);
}

static void read_address(struct csg_reader *r)
{
	take_address(r, r->bytes);
	r->packet.value = r->addresses[0];
	r->packet.is1 = r->is1[0];
}

/* Most are short ones of IS0: they have a way of their own. */
unsigned int csg_reader_address(struct csg_reader *r, const uint8_t *bytes, size_t n)
{
	const struct csg_reader_rule *rule = &r->rules[bytes[0]];
	unsigned int length = 1 + rule->bytes;

	if (rule->form == SHORT_IS0 && rule->kind == CSG_PACKET_ADDRESS && n >= 3) {
		new_address(r, short_address(r->addresses[0], bytes + 1, false), false);
		return bytes[1] & 0x80 ? 3 : 2;
	}
	if (rule->kind != CSG_PACKET_ADDRESS)
		return 0;
	if (rule->limit) /* two bytes at most */
		length = n >= 2 && !(bytes[1] & 0x80) ? 2 : 3;
	if (n < length)
		return 0;
	take_address(r, bytes);
	return length;
}

/* --- contexts --- */

/* How many bytes of IDs follow the information byte. */
static uint8_t id_bytes(const struct csg_reader *r, uint8_t info)
{
	return (uint8_t)((info & 0x40 ? r->vmid_bytes : 0) +
			 (info & 0x80 ? r->contextid_bytes : 0));
}

static void read_context(struct csg_reader *r, unsigned int at)
{
	uint8_t info = r->bytes[at++];
	struct csg_packet_context context = {
		.updated = true,
		.el = info & 3,
		.nse = info & 0x08,
		.sf = info & 0x10,
		.ns = info & 0x20,
		.has_vmid = info & 0x40 && r->vmid_bytes,
		.has_contextid = info & 0x80 && r->contextid_bytes,
	};

	if (context.has_vmid) {
		context.vmid = (uint32_t)little_endian(r->bytes + at, r->vmid_bytes);
		at += r->vmid_bytes;
	}
	if (context.has_contextid)
		context.contextid = (uint32_t)little_endian(r->bytes + at, r->contextid_bytes);
	r->sf = context.sf;
	r->packet.context = context;
}

/* --- packets whose bytes say how they go on --- */

static bool extension_goes_on(struct csg_reader *r)
{
	uint8_t byte = r->bytes[r->used - 1];

	if (r->used == 2 && byte == 0x03)
		r->packet.kind = CSG_PACKET_DISCARD;
	else if (r->used == 2 && byte == 0x05)
		r->packet.kind = CSG_PACKET_OVERFLOW;
	else if (r->used == ASYNC_ZEROS + 1 && byte == 0x80)
		r->packet.kind = CSG_PACKET_ASYNC;
	else
		r->left = !byte && r->used < ASYNC_ZEROS + 1;
	return r->left;
}

/* The control byte says which sections there are; with bit 7 set, more control bytes follow. */
static bool trace_info_goes_on(struct csg_reader *r)
{
	if (r->used != 2)
		return false;
	r->fields = (uint8_t)__builtin_popcount(r->bytes[1] & 0x9fu);
	return r->fields;
}

/* Exceptions of an ETE without address, PE Reset and Transaction Failure, always have two bytes. */
static bool exception_goes_on(struct csg_reader *r)
{
	unsigned int type = r->bytes[1] >> 1 & 0x1fu;

	if (r->used == 2 && ((r->bytes[1] & 0x80) || (r->ete && (type == 0x00 || type == 0x18))))
		r->left = 1;
	return r->left;
}

static bool context_goes_on(struct csg_reader *r)
{
	if (r->used == 2) {
		r->left = id_bytes(r, r->bytes[1]);
		/* OpenCSD takes one byte for IDs that the unit does not have. */
		if ((r->bytes[1] & 0xc0) && !r->left)
			r->left = 1;
	}
	return r->left;
}

static bool address_context_goes_on(struct csg_reader *r)
{
	unsigned int info = r->rules[r->bytes[0]].bytes;

	if (r->used == info + 1)
		r->left = id_bytes(r, r->bytes[info]);
	return r->left;
}

static bool goes_on(struct csg_reader *r)
{
	switch (r->packet.kind) {
	case CSG_PACKET_BAD:
		return extension_goes_on(r);
	case CSG_PACKET_TRACE_INFO:
		return trace_info_goes_on(r);
	case CSG_PACKET_EXCEPTION:
		return exception_goes_on(r);
	case CSG_PACKET_CONTEXT:
		return context_goes_on(r);
	case CSG_PACKET_ADDRESS_CONTEXT:
		return address_context_goes_on(r);
	default:
		return false;
	}
}

/* --- complete packets --- */

/*
 * Of its sections all but the second and those behind the fourth are wanted.  No
 * field is read past the packet's end: each ends at the latest where payload() ended it.  All
 * of them lie within the bytes that are kept.
 */
static void trace_info(struct csg_reader *r)
{
	uint32_t sections[4] = {0}; /* information, key, speculation depth, cycle count threshold */
	uint8_t control = r->bytes[1];
	unsigned int at = control & 0x80 ? 3 : 2;

	for (unsigned int i = 0; i < 4; i++)
		if (control & 1u << i)
			sections[i] = field(r->bytes, &at);
	r->packet.value = sections[0];
	r->packet.n = sections[2];
	r->cc_threshold = sections[3];
	forget_addresses(r);
	r->whole_timestamp = true;
}

static void timestamp(struct csg_reader *r)
{
	unsigned int bits = 0, at = 1;
	uint64_t value = 0;
	uint8_t byte;

	do {
		byte = r->bytes[at++];
		if (at > TIMESTAMP_BYTES) {
			value |= (uint64_t)byte << bits;
			bits = 64;
			break;
		}
		value |= (uint64_t)(byte & 0x7f) << bits;
		bits += 7;
	} while (byte & 0x80);
	if (r->whole_timestamp)
		bits = 64;
	r->whole_timestamp = false;
	r->timestamp = (r->timestamp & ~low_bits(bits)) | value;
	r->packet.value = r->timestamp;
	r->packet.cycles = 0;
	if (r->bytes[0] & 1)
		r->packet.cycles = short_field(r->bytes, &at, 3) & r->cc_mask;
}

static void exception(struct csg_reader *r)
{
	r->packet.number = r->bytes[1] >> 1 & 0x1f;
	if (r->bytes[1] & 0x80)
		r->packet.number |= (uint16_t)((r->bytes[2] & 0x1f) << 5);
	r->packet.is_target = (r->bytes[1] & 0x41) == 0x40;
	if (!r->ete || (r->packet.number != 0x00 && r->packet.number != 0x18))
		return;
	r->packet.kind = r->packet.number ? CSG_PACKET_TRANSACTION_FAIL : CSG_PACKET_PE_RESET;
	new_address(r, 0, false);
	r->packet.value = 0;
	r->packet.is1 = false;
}

/* Atoms of a Mispredict or Cancel format 2: none, E, EE, N. */
static uint8_t cancel_atoms(uint8_t header)
{
	static const uint8_t atoms[] = {0, 1, 2, 1};

	return atoms[header & 3];
}

static void cancel(struct csg_reader *r)
{
	uint8_t header = r->bytes[0];
	unsigned int at = 1;

	r->packet.mispredicts = header != 0x2e;
	r->packet.atoms = 0;
	r->packet.pattern = 0;
	if (header <= 0x2f) {
		r->packet.n = field(r->bytes, &at);
	} else if (header <= 0x37) {
		r->packet.n = header >= 0x34;
		r->packet.atoms = cancel_atoms(header);
		r->packet.pattern = (header & 3) % 3 ? (1u << r->packet.atoms) - 1 : 0;
	} else {
		r->packet.n = (header >> 1 & 3u) + 2;
		r->packet.atoms = r->packet.pattern = header & 1;
	}
}

static void commit(struct csg_reader *r)
{
	unsigned int at = 1;

	r->packet.n = field(r->bytes, &at);
}

/* How many P0 elements it commits; at moves behind that field, where there is one. */
static uint32_t cycles_commit(const struct csg_reader *r, unsigned int *at)
{
	uint8_t header = r->bytes[0];

	if (r->mode1)
		return 0;
	if (header >= 0x10)
		return (header >> 2 & 3u) + 1;
	if (header >= 0x0e)
		return field(r->bytes, at);
	return (r->bytes[1] >> 4) + (header & 1 ? r->max_spec - 15 : 1);
}

/* Format 3 has its counts in the header, format 1 in fields, format 2 in half a byte. */
static void cycles(struct csg_reader *r)
{
	uint8_t header = r->bytes[0];
	unsigned int at = 1;

	r->packet.n = cycles_commit(r, &at);
	if (header == 0x0f)
		r->packet.cycles = 0;
	else if (header >= 0x10)
		r->packet.cycles = r->cc_threshold + (header & 3);
	else if (header == 0x0e)
		r->packet.cycles = r->cc_threshold + short_field(r->bytes, &at, 3);
	else
		r->packet.cycles = r->cc_threshold + (r->bytes[1] & 0xf);
}

uint32_t csg_reader_pattern(uint8_t header, unsigned int *atoms)
{
	static const uint8_t fours[] = {0x0e, 0x00, 0x0a, 0x05};
	static const uint8_t fives[] = {0x00, 0x00, 0x0a, 0x15};

	if (header >= 0xf8) {
		*atoms = 3;
		return header & 7;
	}
	if (header >= 0xf6) {
		*atoms = 1;
		return header & 1;
	}
	if (header == 0xf5 || (header >= 0xd5 && header <= 0xd7)) {
		*atoms = 5;
		return header == 0xf5 ? 0x1e : fives[header & 3];
	}
	if (header >= 0xd8 && header <= 0xdf) {
		*atoms = header < 0xdc ? 2 : 4;
		return header < 0xdc ? header & 3 : fours[header & 3];
	}
	*atoms = (header & 0x1f) + 4; /* some E, then one of either */
	return (1u << (*atoms - (header & 0x20 ? 1 : 0))) - 1;
}

static void atoms(struct csg_reader *r)
{
	unsigned int n;

	r->packet.pattern = csg_reader_pattern(r->bytes[0], &n);
	r->packet.atoms = (uint8_t)n;
}

/* The count stands behind the address. */
static void q(struct csg_reader *r)
{
	uint8_t form = r->rules[r->bytes[0]].form;
	unsigned int at = 1;

	r->packet.has_address = form != NO_ADDRESS;
	if (r->packet.has_address)
		read_address(r);
	if (form == SHORT_IS0 || form == SHORT_IS1)
		at += r->bytes[1] & 0x80 ? 2 : 1;
	else if (form == LONG32_IS0 || form == LONG32_IS1)
		at += 4;
	r->packet.n = r->bytes[0] == 0xaf ? 0 : field(r->bytes, &at);
}

static void ite(struct csg_reader *r)
{
	r->packet.number = r->bytes[1];
	r->packet.value = little_endian(r->bytes + 2, 8);
}

static void read_fields(struct csg_reader *r)
{
	switch (r->packet.kind) {
	case CSG_PACKET_TRACE_INFO:
		trace_info(r);
		break;
	case CSG_PACKET_TIMESTAMP:
		timestamp(r);
		break;
	case CSG_PACKET_CYCLES:
		cycles(r);
		break;
	case CSG_PACKET_EXCEPTION:
		exception(r);
		break;
	case CSG_PACKET_COMMIT:
		commit(r);
		break;
	case CSG_PACKET_CANCEL:
		cancel(r);
		break;
	case CSG_PACKET_CONTEXT:
		r->packet.context.updated = false;
		if (r->used > 1)
			read_context(r, 1);
		break;
	case CSG_PACKET_ADDRESS_CONTEXT:
		read_address(r);
		read_context(r, r->rules[r->bytes[0]].bytes);
		break;
	case CSG_PACKET_ADDRESS:
	case CSG_PACKET_SOURCE_ADDRESS:
		read_address(r);
		break;
	case CSG_PACKET_Q:
		q(r);
		break;
	case CSG_PACKET_ATOMS:
		atoms(r);
		break;
	case CSG_PACKET_EVENT:
		r->packet.number = r->bytes[0] & 0xf;
		break;
	case CSG_PACKET_ITE:
		ite(r);
		break;
	default:
		break;
	}
}

static void complete(struct csg_reader *r)
{
	r->state = CSG_READER_HEADER;
	read_fields(r);
	r->out(r->arg, &r->packet);
}

/* --- bytes --- */

/* Counts the byte at that place where it is zero and so may belong to an A-Sync. */
static void count_zeros(struct csg_reader *r, uint8_t byte, uint64_t index, uint64_t position)
{
	if (byte) {
		r->zeros = 0;
		return;
	}
	if (!r->zeros) {
		r->zeros_index = index;
		r->zeros_position = position;
	}
	r->zeros += r->zeros < ASYNC_ZEROS;
}

static void header(struct csg_reader *r, uint8_t byte)
{
	const struct csg_reader_rule *rule = &r->rules[byte];

	r->packet.kind = rule->kind;
	r->bytes[0] = byte;
	r->used = 1;
	r->limit = rule->limit;
	r->left = rule->bytes;
	r->fields = rule->fields;
	if (r->limit | r->left | r->fields)
		r->state = CSG_READER_PAYLOAD;
	else
		complete(r);
}

/* One of a Trace Info's further control bytes but the last: all that matters is where they end. */
static bool is_passed_over(const struct csg_reader *r, uint8_t byte)
{
	return (byte & 0x80) && r->packet.kind == CSG_PACKET_TRACE_INFO && r->used == 2 &&
	       (r->bytes[1] & 0x80);
}

static void payload(struct csg_reader *r, uint8_t byte)
{
	if (r->used < CSG_PACKET_MAX && !is_passed_over(r, byte))
		r->bytes[r->used++] = byte;
	if (r->limit)
		r->limit = byte & 0x80 ? r->limit - 1 : 0;
	else if (r->left)
		r->left--;
	else
		r->fields -= !(byte & 0x80);
	if (!(r->limit | r->left | r->fields) && !goes_on(r))
		complete(r);
}

/* Of more zeros than needed all belong to the A-Sync, as OpenCSD has it. */
static void search(struct csg_reader *r, uint8_t byte, uint64_t index, uint64_t position)
{
	if (r->zeros == ASYNC_ZEROS && byte == 0x80) {
		r->packet.kind = CSG_PACKET_ASYNC;
		r->packet.index = r->zeros_index;
		r->packet.position = r->zeros_position;
		r->used = 1;
		complete(r);
	}
	count_zeros(r, byte, index, position);
}

/* A byte that is not passed over. */
static void take(struct csg_reader *r, uint8_t byte, uint64_t index, uint64_t position)
{
	if (r->state == CSG_READER_SEARCH) {
		search(r, byte, index, position);
		return;
	}
	if (r->state == CSG_READER_HEADER) {
		r->packet.index = index;
		r->packet.position = position;
		r->zeros = 0;
	}
	count_zeros(r, byte, index, position);
	if (r->state == CSG_READER_HEADER)
		header(r, byte);
	else
		payload(r, byte);
}

/* How long the packet is that begins here, if nobody wants to be told of it; 0: take it. */
static inline unsigned int pass_over(struct csg_reader *r, const uint8_t *bytes, size_t n)
{
	if (r->state != CSG_READER_HEADER)
		return 0;
	if (bytes[0] >= r->passed_over)
		return 1;
	return r->keeps_addresses ? csg_reader_address(r, bytes, n) : 0;
}

void csg_reader_feed(struct csg_reader *r, uint64_t index, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n;) {
		unsigned int length = pass_over(r, bytes + i, n - i);

		if (!length)
			take(r, bytes[i], index + i, r->fed + i);
		i += length ? length : 1;
	}
	r->fed += n;
}

void csg_reader_byte(struct csg_reader *r, uint64_t index, uint8_t byte)
{
	take(r, byte, index, r->fed++);
}

void csg_reader_end(struct csg_reader *r)
{
	if (r->state != CSG_READER_PAYLOAD)
		return;
	r->packet.kind = CSG_PACKET_INCOMPLETE;
	r->out(r->arg, &r->packet);
	r->state = CSG_READER_HEADER;
}

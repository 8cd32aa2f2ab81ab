/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is there: threads, and guests with what they recorded of themselves. */
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

struct scn_thread *scn_thread(struct scn *s, const struct scn_line *line, const char *name)
{
	for (unsigned i = 0; name && i < s->thread_count; i++)
		if (!strcmp(s->threads[i].name, name))
			return &s->threads[i];
	if (line)
		scn_die(line, "no thread of that name: %s", name ? name : "(end of line)");
	return NULL;
}

static const struct {
	const char *word;
	enum scn_kind kind;
} kinds[] = {{"host", SCN_HOST},
	     {"guest", SCN_GUEST},
	     {"hypervisor", SCN_HYPERVISOR},
	     {"firmware", SCN_FIRMWARE}};

/* A PID, or which of the VMs with it: 500#2. */
static int32_t vm_of(const struct scn_line *l, const char *text)
{
	int32_t vm = csg_vm_of_text(text);

	return vm > 0 ? vm : (int32_t)scn_number(l, text);
}

/* One property of a thread; returns how many words it took. */
static unsigned property(struct scn *s, const struct scn_line *l, struct scn_thread *t, unsigned i)
{
	const char *w = l->words[i];
	const char *value = i + 1 < l->count ? l->words[i + 1] : NULL;

	for (unsigned k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		if (!strcmp(w, kinds[k].word)) {
			t->kind = kinds[k].kind;
			if (t->kind != SCN_GUEST)
				return 1;
			t->vm = vm_of(l, value);
			return 2;
		}
	if (!strcmp(w, "nested"))
		return t->nested = true;
	if (!strcmp(w, "aarch32"))
		return t->aarch32 = true;
	if (!strcmp(w, "secure"))
		return t->secure = true;
	if (!strcmp(w, "unnamed"))
		return t->unnamed = true;
	if (!strcmp(w, "outside"))
		return t->outside = t->unnamed = true;
	if (!strcmp(w, "pid"))
		t->pid = t->tid = (int32_t)scn_number(l, value);
	else if (!strcmp(w, "tid"))
		t->tid = (int32_t)scn_number(l, value);
	else if (!strcmp(w, "level"))
		t->level = (uint8_t)scn_number(l, value);
	else if (!strcmp(w, "vmm"))
		t->vmm = (int32_t)scn_number(l, value);
	else if (!strcmp(w, "in"))
		t->in = (int32_t)scn_number(l, value);
	else if (!strcmp(w, "global"))
		t->global = (uint32_t)scn_number(l, value);
	else if (!strcmp(w, "vcpu"))
		t->vcpu = (int32_t)scn_number(l, value);
	else if (!strcmp(w, "cpu"))
		t->cpu = (int32_t)scn_number(l, value);
	else if (!strcmp(w, "vmid"))
		t->vmid = (uint32_t)scn_number(l, value);
	else if (!strcmp(w, "cntvoff"))
		t->cntvoff = scn_number(l, value);
	else if (!strcmp(w, "comm"))
		t->comm = value;
	else if (!strcmp(w, "on"))
		t->on = scn_thread(s, l, value);
	else if (!strcmp(w, "contextidr")) {
		t->contextidr = (uint32_t)scn_number(l, value);
		t->has_contextidr = true;
	} else if (!strcmp(w, "runs") || !strcmp(w, "and")) {
		if (!value || t->image_count == 4)
			scn_die(l, "%s what?", w);
		t->images[t->image_count++] = scn_image(s, l, value);
	} else {
		scn_die(l, "a thread has no '%s'", w);
	}
	return 2;
}

/* thread NAME is PROPERTY..., or more of one that exists */
void scn_thread_line(struct scn *s, const struct scn_line *l)
{
	struct scn_thread *t = l->count > 2 ? scn_thread(s, NULL, l->words[1]) : NULL;
	unsigned i = 3;

	if (l->count < 4 || strcmp(l->words[2], "is"))
		scn_die(l, "want: thread NAME is PROPERTY...");
	if (!t) {
		if (s->thread_count == SCN_THREADS)
			scn_die(l, "too many threads");
		t = &s->threads[s->thread_count++];
		t->name = t->comm = l->words[1];
		t->vcpu = t->cpu = -1;
	}
	while (i < l->count)
		i += property(s, l, t, i);
}

/* guest NAME is VM [records] [unsaid] [injected] [offset TICKS]; said again it counts anew */
void scn_guest_line(struct scn *s, const struct scn_line *l)
{
	struct scn_guest *g = s->guests;

	while (l->count > 1 && g < &s->guests[s->guest_count] && strcmp(g->name, l->words[1]) != 0)
		g++;
	if (g == &s->guests[SCN_GUESTS] || l->count < 4 || strcmp(l->words[2], "is") != 0)
		scn_die(l, "want: guest NAME is PID-OF-VMM [PROPERTY...], at most %u", SCN_GUESTS);
	if (g == &s->guests[s->guest_count])
		s->guest_count++;
	*g = (struct scn_guest){.name = NULL};
	g->name = l->words[1];
	g->vm = vm_of(l, l->words[3]);
	for (unsigned i = 4; i < l->count; i++) {
		if (!strcmp(l->words[i], "records"))
			g->records = true;
		else if (!strcmp(l->words[i], "unsaid"))
			g->unsaid = true;
		else if (!strcmp(l->words[i], "injected"))
			g->injected = true;
		else if (!strcmp(l->words[i], "nested") && i + 1 < l->count)
			g->nested = (int32_t)scn_number(l, l->words[++i]);
		else if (!strcmp(l->words[i], "offset") && i + 1 < l->count) {
			g->has_offset = true;
			g->offset = (int64_t)scn_number(l, l->words[++i]);
		} else
			scn_die(l, "a guest has no '%s'", l->words[i]);
	}
	if (g->unsaid + g->injected > 0 && !g->records)
		scn_die(l, "a guest that records nothing has none of that");
}

/* vcpu TID is VM:N, as --vcpu says it */
void scn_vcpu_line(struct scn *s, const struct scn_line *l)
{
	char *colon = l->count == 4 ? strchr(l->words[3], ':') : NULL;

	if (!colon || s->vcpu_count == SCN_GUESTS)
		scn_die(l, "want: vcpu TID is VM:N");
	*colon++ = 0;
	s->vcpus[s->vcpu_count++] = (struct csg_vcpu_entry){
		.tid = (int32_t)scn_number(l, l->words[1]),
		.vm = (int32_t)scn_number(l, l->words[3]),
		.vcpu = (int32_t)scn_number(l, colon),
		.source = CSG_VCPU_BY_USER,
	};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "info/kernel_files.h"

#include <inttypes.h>
#include <stdio.h>

#include "csguest/owner.h"
#include "text/anonym.h"
#include "text/sentence.h"

static const char *machine_of(const struct csg_kernel_file *file, char *text, size_t size)
{
	char number[CSG_VM_TEXT_SIZE];

	if (file->vm == CSG_VM_HOST)
		return "host";
	if (file->vm == CSG_VM_UNKNOWN)
		return "guests";
	csg_vm_text(file->vm, number, sizeof(number));
	snprintf(text, size, "VM %s", number);
	return text;
}

static const char *shown_path(const struct csg_form *f, const struct csg_kernel_file *file)
{
	return csg_anonym_name(f->out->anonym, CSG_ANONYM_PATH, file->path);
}

static void write_json(struct csg_form *f, const struct csg_kernel_file *file)
{
	csg_form_open(f, NULL, NULL);
	if (file->vm == CSG_VM_UNKNOWN)
		csg_form_null(f, "vm");
	else
		csg_form_i64(f, "vm", NULL, file->vm);
	csg_form_string(f, "path", NULL, shown_path(f, file));
	csg_form_string(f, "state", NULL,
			csg_kernel_file_state_name((enum csg_kernel_file_state)file->state));
	if (file->why)
		csg_form_string(f, "why", NULL, file->why);
	else
		csg_form_null(f, "why");
	csg_form_u64(f, "branches", NULL, file->branches);
	csg_form_u64(f, "contradicted", NULL, file->contradicted);
	csg_form_close(f);
}

/* "agrees with the trace, 66 branches", "not checked: ..." */
static void write_text(struct csg_form *f, const struct csg_kernel_file *file)
{
	struct csg_sentence s = {""};
	char machine[32];

	csg_sentence_add(&s, "%s",
			 csg_kernel_file_state_name((enum csg_kernel_file_state)file->state));
	if (file->why)
		csg_sentence_add(&s, ": %s", file->why);
	if (file->branches)
		csg_sentence_add(&s, ", %" PRIu32 " of %" PRIu32 " branches contradicted",
				 file->contradicted, file->branches);
	csg_form_open(f, NULL, shown_path(f, file));
	csg_form_string(f, NULL, "kernel of", machine_of(file, machine, sizeof(machine)));
	csg_form_string(f, NULL, "branches that ran", s.text);
	csg_form_close(f);
}

void csg_kernel_files_write(const struct csg_kernel_file *list, size_t n, struct csg_form *form)
{
	csg_form_open_list(form, "kernel_files", n ? "Kernel files" : NULL);
	for (size_t i = 0; i < n; i++) {
		if (form->json)
			write_json(form, &list[i]);
		else
			write_text(form, &list[i]);
	}
	csg_form_close_list(form);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "encoder/elf_file.h"
#include "scenario.h"

static bool label_of(const struct scn_image *image, const char *name, size_t length,
		     uint64_t *address)
{
	for (unsigned i = 0; i < image->label_count; i++)
		if (strlen(image->labels[i].name) == length &&
		    !memcmp(image->labels[i].name, name, length)) {
			*address = image->base + image->labels[i].offset;
			return true;
		}
	return false;
}

struct scn_image *scn_label(struct scn *s, const struct scn_line *line, struct scn_thread *thread,
			    const char *word, uint64_t *address)
{
	const char *colon = word ? strchr(word, ':') : NULL;
	const char *name = colon ? colon + 1 : word;
	const char *plus = name ? strchr(name, '+') : NULL;
	size_t length = plus ? (size_t)(plus - name) : name ? strlen(name) : 0;

	(void)s;
	for (unsigned i = 0; i < thread->image_count && name; i++) {
		struct scn_image *image = thread->images[i];

		if (colon && (strlen(image->name) != (size_t)(colon - word) ||
			      memcmp(image->name, word, (size_t)(colon - word)) != 0))
			continue;
		if (!label_of(image, name, length, address))
			continue;
		*address += plus ? scn_number(line, plus + 1) : 0;
		return image;
	}
	scn_die(line, "%s runs no code with that label: %s", thread->name,
		word ? word : "(end of line)");
}

static void fill_alias(struct scn_image *image)
{
	const struct scn_image *from = image->alias_of;
	uint64_t start, at;

	if (!label_of(from, image->alias_from, strlen(image->alias_from), &start))
		scn_die(NULL, "%s has no label %s", from->name, image->alias_from);
	start -= from->base;
	csg_enc_bytes_put(&image->code, from->code.data + start, from->code.size - start);
	for (unsigned i = 0; i < from->label_count; i++) {
		at = from->labels[i].offset;
		if (at < start)
			continue;
		image->labels[image->label_count].name = from->labels[i].name;
		image->labels[image->label_count++].offset = at - start;
	}
}

void scn_alias(struct scn *s)
{
	for (unsigned i = 0; i < s->image_count; i++)
		if (s->images[i].alias_of)
			fill_alias(&s->images[i]);
}

const struct scn_image *scn_image_at(const struct scn_thread *thread, unsigned el, uint64_t address)
{
	for (unsigned i = 0; i < thread->image_count; i++) {
		const struct scn_image *image = thread->images[i];

		if (image->el == el && address >= image->base &&
		    address - image->base < image->code.size)
			return image;
	}
	return NULL;
}

size_t scn_image_read(const struct scn_image *image, uint64_t address, void *data, size_t size)
{
	uint64_t offset = address - image->base;

	if (size > image->code.size - offset)
		size = image->code.size - offset;
	memcpy(data, image->code.data + offset, size);
	return size;
}

/* A label's symbol ends where the next one begins. */
static uint64_t size_of(const struct scn_image *image, unsigned label)
{
	uint64_t end = image->code.size;

	for (unsigned i = 0; i < image->label_count; i++)
		if (image->labels[i].offset > image->labels[label].offset &&
		    image->labels[i].offset < end)
			end = image->labels[i].offset;
	return end - image->labels[label].offset;
}

void scn_image_save(const struct scn_image *image, const char *path)
{
	const struct csg_enc_bytes *code = image->original.size ? &image->original : &image->code;
	struct csg_enc_function functions[SCN_LABELS];
	const struct csg_enc_elf elf = {image->base, code->data, code->size, functions,
					image->stripped ? 0 : image->label_count};

	for (unsigned i = 0; i < image->label_count; i++)
		functions[i] = (struct csg_enc_function){image->labels[i].name,
							 image->base + image->labels[i].offset,
							 size_of(image, i)};
	if (csg_enc_elf_save(&elf, path) < 0)
		scn_die(NULL, "%s: cannot be written", path);
}

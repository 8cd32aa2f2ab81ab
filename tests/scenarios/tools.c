/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "csguest/hypervisor.h"
#include "scenario.h"

/* Runs of blanks become one, none at either end: columns may move. */
static char *squeeze(const char *text)
{
	char *out = csg_enc_grow(NULL, strlen(text) + 1);
	size_t n = 0;

	for (; *text; text++) {
		if (!isspace((unsigned char)*text))
			out[n++] = *text;
		else if (n && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return out;
}

void scn_lines_add(char ***lines, unsigned *count, const char *text)
{
	char *line = squeeze(text);

	if (!line[0]) {
		free(line);
		return;
	}
	*lines = csg_enc_grow(*lines, (*count + 1) * sizeof(**lines));
	(*lines)[(*count)++] = line;
}

void scn_lines_free(char **lines, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(lines[i]);
	free(lines);
}

/* The recording's folder has another name each time. */
static void shorten(char *text, const char *directory)
{
	size_t length = strlen(directory);
	char *at;

	while ((at = strstr(text, directory))) {
		memcpy(at, "DIR", 3);
		memmove(at + 3, at + length, strlen(at + length) + 1);
	}
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size,
							 const char *format, ...)
{
	size_t length = strlen(text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(text + length, size - length, format, ap);
	va_end(ap);
}

static void append_guests(const struct scn *s, const struct scn_place *place, char *shell,
			  size_t size)
{
	char number[CSG_VM_TEXT_SIZE];

	for (unsigned i = 0; i < s->guest_count; i++) {
		append(shell, size, " --guest '%s,root=%s", s->guests[i].name,
		       place->guests[i].root);
		if (place->guests[i].vmlinux[0])
			append(shell, size, ",vmlinux=%s", place->guests[i].vmlinux);
		if (place->guests[i].perf[0])
			append(shell, size, ",perf=%s", place->guests[i].perf);
		if (s->guests[i].nested)
			append(shell, size, ",nested=%d", s->guests[i].nested);
		if (s->guests[i].has_offset)
			append(shell, size, ",offset=%lld", (long long)s->guests[i].offset);
		csg_vm_text(s->guests[i].vm, number, sizeof(number));
		if (!s->guests[i].unsaid)
			append(shell, size, ",pid=%s", number);
		append(shell, size, "'");
	}
}

/* All but --hypervisor, which every command takes. */
static void append_images(const struct scn *s, const struct scn_place *place, char *shell,
			  size_t size)
{
	append(shell, size, " --buildid-dir /nonexistent --symfs '%s'", place->symfs);
	if (place->has_vmlinux)
		append(shell, size, " --vmlinux '%s'", place->vmlinux);
	if (place->has_guest)
		append(shell, size, " --guestvmlinux '%s' --guestroot '%s'", place->guest_vmlinux,
		       place->guest_root);
	append_guests(s, place, shell, size);
	for (unsigned i = 0; i < s->vcpu_count; i++)
		append(shell, size, " --vcpu %d=%d:%d", s->vcpus[i].tid, s->vcpus[i].vm,
		       s->vcpus[i].vcpu);
	append(shell, size, " %s", s->options ? s->options : "");
}

void scn_write_options(const struct scn *s, const struct scn_place *place)
{
	char path[600], text[8192] = "";
	FILE *f;

	if (s->hypervisor != CSG_HV_AUTO)
		append(text, sizeof(text), "--hypervisor %s",
		       csg_hypervisor_name((enum csg_hypervisor)s->hypervisor));
	append(text, sizeof(text), "\n");
	append_images(s, place, text, sizeof(text));
	shorten(text, place->directory);
	snprintf(path, sizeof(path), "%s/options", place->directory);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%s\n", text) < 0 || fclose(f))
		scn_die(NULL, "%s: cannot be written", path);
}

/*
 * csguest VERB OPTIONS RECORDING and what the command says after its verb: options of its
 * own, `| grep ...`, `2>&1` to see the messages as well.
 */
int scn_tool(const struct scn *s, const char *csguest, const struct scn_place *place,
	     const char *command, char ***lines, unsigned *count)
{
	int verb = (int)strcspn(command, " ");
	char shell[8192] = "set -o pipefail; ", text[4096];
	FILE *f;
	int status;

	if (!strstr(command, "2>"))
		append(shell, sizeof(shell), "exec 2>/dev/null; ");
	append(shell, sizeof(shell), "'%s' %.*s", csguest, verb, command);
	if (s->hypervisor != CSG_HV_AUTO)
		append(shell, sizeof(shell), " --hypervisor %s",
		       csg_hypervisor_name((enum csg_hypervisor)s->hypervisor));
	if (strncmp(command, "info", (size_t)verb) != 0)
		append_images(s, place, shell, sizeof(shell));
	append(shell, sizeof(shell), " '%s' %s", place->recording, command + verb);
	setenv("SCN_COMMAND", shell, 1);
	f = popen("exec bash -c \"$SCN_COMMAND\"", "r");
	if (!f)
		scn_die(NULL, "%s: no shell", s->file);
	while (fgets(text, sizeof(text), f)) {
		shorten(text, place->directory);
		scn_lines_add(lines, count, text);
	}
	status = pclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static bool dots(const char *line)
{
	return !strcmp(line, "...");
}

/* "..." is any number of lines. */
static bool equal(char **want, unsigned wants, char **seen, unsigned sees)
{
	if (!wants)
		return !sees;
	if (dots(want[0])) {
		for (unsigned skip = 0; skip <= sees; skip++)
			if (equal(want + 1, wants - 1, seen + skip, sees - skip))
				return true;
		return false;
	}
	return sees && !strcmp(want[0], seen[0]) && equal(want + 1, wants - 1, seen + 1, sees - 1);
}

static bool listed(char **lines, unsigned count, const char *line)
{
	for (unsigned i = 0; i < count; i++)
		if (!strcmp(lines[i], line))
			return true;
	return false;
}

bool scn_compare(const char *what, char **expected, unsigned expected_count, char **seen,
		 unsigned seen_count, bool silent)
{
	unsigned i = 0, k = 0, same = 0;

	if (equal(expected, expected_count, seen, seen_count))
		return true;
	if (silent)
		return false;
	printf("  %s: - expected, + seen\n", what);
	while (i < expected_count || k < seen_count) {
		if (i < expected_count && k < seen_count && !strcmp(expected[i], seen[k])) {
			i++;
			k++;
			same++;
			continue;
		}
		/* Of equal lines, the last one shows where this is. */
		if (same > 1)
			printf("      ... %u equal lines\n", same - 1);
		if (same)
			printf("      %s\n", seen[k - 1]);
		same = 0;
		if (i < expected_count && (k == seen_count || dots(expected[i]) ||
					   !listed(seen + k, seen_count - k, expected[i])))
			printf("    - %s\n", expected[i++]);
		else
			printf("    + %s\n", seen[k++]);
	}
	return false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/open/kvm_list.h"

#include <string.h>

#include "util/report.h"
#include "csguest/error.h"
#include "files/text_lines.h"

#define REMEDY                                                                                     \
	"make it on the host by csguest collect, or with: grep . "                                 \
	"/sys/kernel/debug/kvm/*/vcpu*/pid"

/* A number of at most nine digits at *text, which moves after it; -1: none. */
static int32_t number(const char **text)
{
	int32_t n = 0;
	int digits = 0;

	for (; **text >= '0' && **text <= '9' && digits < 9; (*text)++, digits++)
		n = n * 10 + (**text - '0');
	return digits && (**text < '0' || **text > '9') ? n : -1;
}

/* Whether *text goes on with word; then it moves after it. */
static bool word(const char **text, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*text, word, n))
		return false;
	*text += n;
	return true;
}

/* PID-FD/vcpuN/pid:TID */
static bool read_vcpu(const char *text, struct csg_vcpu_entry *entry)
{
	*entry = (struct csg_vcpu_entry){.source = CSG_VCPU_BY_DEBUGFS};
	entry->vm = number(&text);
	if (entry->vm <= 0 || !word(&text, "-") || number(&text) < 0 || !word(&text, "/vcpu"))
		return false;
	entry->vcpu = number(&text);
	if (entry->vcpu < 0 || !word(&text, "/pid:"))
		return false;
	entry->tid = number(&text);
	return entry->tid > 0 && !*text;
}

bool csg_kvm_list_line(const char *line, struct csg_vcpu_entry *entry)
{
	const char *vcpu = strstr(line, "/vcpu");

	if (!vcpu)
		return false;
	while (vcpu > line && vcpu[-1] != '/')
		vcpu--;
	return read_vcpu(vcpu, entry);
}

int csg_kvm_list_load(struct csg_attribution *attribution, const char *path,
		      const struct csg_diag_sink *sink)
{
	struct csg_vcpu_entry entry;
	struct csg_text_lines lines;
	size_t found = 0;
	char *line;
	int err = csg_text_lines_open(&lines, path), ret = 1;

	while (!err && (ret = csg_text_lines_next(&lines, &line)) > 0) {
		if (!csg_kvm_list_line(line, &entry))
			continue;
		found++;
		err = csg_attribution_vcpu(attribution, &entry);
	}
	csg_text_lines_close(&lines);
	if (!err && ret < 0)
		err = ret;
	if (err)
		return csg_report(sink, CSG_ERROR, -err, path, CSG_NO_OFFSET, REMEDY,
				  "the list of vCPUs cannot be read: %s", csg_strerror(err));
	if (found)
		return 0;
	return csg_report(sink, CSG_ERROR, CSG_E_CORRUPT, path, CSG_NO_OFFSET, REMEDY,
			  "names no vCPU");
}

# SPDX-License-Identifier: BSD-3-Clause
# Of branches as csguest script lists them, what perf script should print of the injected file.
# Reads the listing twice (-F pid,tid,cpu,machine_pid,vcpu,world,el,hosttid,ip,sym,symoff,addr):
# first to learn which guest and process belongs to a host thread.  A branch between machines
# becomes two lines.
function mode(world, el) {
	if (world == "host")
		return el == "EL0" ? "U" : "K"
	if (world == "guest")
		return el == "EL0" ? "g" : "G"
	return world == "hypervisor" ? "H" : "?"
}
function no_vm(vm) { return vm ~ /\?/ ? "VM: -2 VCPU:-01 " : vm }
{
	vm = ""
	rest = $0
	if (match(rest, /^VM: *[0-9?-]+ VCPU: *[0-9?]+ /)) {
		vm = substr(rest, 1, RLENGTH)
		rest = substr(rest, RLENGTH + 1)
	}
	split(rest, f, " ")
	task = f[1]; cpu = f[2]; world = f[3]; el = f[4]; host = f[5]
	body = substr(rest, index(rest, host) + length(host))
	gsub(/ +/, " ", body)
	gsub(/^ | $/, "", body)
}
NR == FNR {
	if (world == "guest" && el !~ />/)
		vms[host] = no_vm(vm)
	if (world == "host" && el !~ />/)
		tasks[host] = task
	next
}
{
	split(world, w, ">")
	split(el, e, ">")
	if (!w[2])
		w[2] = w[1]
	if (!e[2])
		e[2] = e[1]
	split(body, b, / => /)
	if (w[1] == w[2]) {
		print no_vm(vm) task, cpu, mode(w[1], b[1] ~ /^0 / ? e[2] : e[1]), body
	} else {
		print (w[1] == "guest" ? vms[host] : "") task, cpu, mode(w[1], e[1]), b[1] " => 0 [unknown]"
		print (w[2] == "guest" ? vms[host] "-1/-1" : tasks[host]), cpu, mode(w[2], e[2]), "0 [unknown] => " b[2]
	}
}

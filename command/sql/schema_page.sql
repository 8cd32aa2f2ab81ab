-- SPDX-License-Identifier: BSD-3-Clause
-- What csguest export --sqlite writes: csguest-sqlite(5).  Times are ns of the host's perf clock, NULL where
-- they are not known; so is every other value.
CREATE TABLE meta (         -- of the recording and of this file
	key TEXT PRIMARY KEY,   -- schema, csguest, recording, hypervisor, unit, begin_ns, end_ns, exits_open
	value
) WITHOUT ROWID;
CREATE TABLE stream (       -- trace of one trace unit
	id INTEGER PRIMARY KEY,
	cpu INTEGER,
	trace_id INTEGER,
	queue INTEGER,          -- of the recording's AUX queues
	bytes INTEGER           -- of trace that was decoded
);
CREATE TABLE vm (
	id INTEGER PRIMARY KEY, -- PID of the VMM in the host (perf's machine_pid); Xen: VMID of the domain
	name TEXT
);
CREATE TABLE vcpu (         -- threads of the host that run vCPUs
	tid INTEGER,            -- in the host
	vm INTEGER REFERENCES vm,
	vcpu INTEGER
);
CREATE TABLE owner (        -- who ran, as far as it is known
	id INTEGER PRIMARY KEY,
	world TEXT,             -- host, hypervisor, guest, firmware, unknown
	privilege TEXT,         -- kernel, user
	el INTEGER,             -- exception level
	vm INTEGER,             -- 0: the host
	vcpu INTEGER,
	pid INTEGER,            -- process and thread in their machine
	tid INTEGER,
	host_tid INTEGER,       -- thread of the host that it ran on
	command TEXT,           -- name of the thread at the end of the recording
	evidence TEXT,
	reason TEXT,            -- why a part is unknown
	level INTEGER,          -- where guests have guests: 0 the host, 1 a guest, 2 a guest of it
	nested INTEGER,         -- which one: PID of its VMM in the guest
	guest_tid INTEGER       -- thread of the guest that it ran on
);
CREATE TABLE segment (      -- what ran on each CPU, over time: csguest timeline
	stream INTEGER REFERENCES stream,
	begin_ns INTEGER,
	end_ns INTEGER,
	trace_offset INTEGER,   -- of its first byte, in its queue
	owner INTEGER REFERENCES owner, -- NULL: trace was lost
	lost TEXT,              -- why it was
	instructions INTEGER,   -- that were decoded
	missing INTEGER         -- places whose code is not available
);
CREATE TABLE exit (         -- of guests: csguest exits
	vm INTEGER REFERENCES vm,
	vcpu INTEGER,
	begin_ns INTEGER,       -- the exception that left the guest
	end_ns INTEGER,         -- the ERET that entered it again
	privilege TEXT,         -- left from kernel or user
	exception TEXT,
	handler TEXT,
	fast INTEGER,           -- 1: it never left the loop that enters the guest
	idle INTEGER,           -- 1: the guest waited for an interrupt (WFI, WFE)
	level_left INTEGER,     -- 1 a guest, 2 a guest of it, where guests have guests
	level_entered INTEGER
);
CREATE TABLE symbol (
	id INTEGER PRIMARY KEY,
	object TEXT,            -- file or kernel, as recorded
	name TEXT
);
CREATE TABLE counted (      -- ranges that ran, added up: csguest report
	owner INTEGER REFERENCES owner,
	cpu INTEGER,
	process TEXT,           -- names at the time
	command TEXT,
	symbol INTEGER REFERENCES symbol,
	instructions INTEGER,
	branches INTEGER        -- that were taken
);
CREATE TABLE call (         -- call chains as a tree: csguest flame
	id INTEGER PRIMARY KEY,
	parent INTEGER REFERENCES call,
	kind TEXT,              -- thread, bottom (callers that are not known), function
	name TEXT,
	object TEXT,
	world TEXT,
	privilege TEXT,
	vm INTEGER,             -- 0: the host
	calls INTEGER,          -- how often it was called with these callers
	instructions INTEGER,   -- that it ran itself
	ns INTEGER              -- that it took itself
);
CREATE TABLE switch (       -- context switches, as perf recorded them
	time_ns INTEGER,
	cpu INTEGER,
	vm INTEGER,             -- whose thread: 0: the host's
	pid INTEGER,
	tid INTEGER,
	other_pid INTEGER,      -- the thread that ran before (in) or runs next (out)
	other_tid INTEGER,
	out INTEGER,            -- 1: switched out
	why TEXT                -- preempted, blocked
);
CREATE TABLE state (        -- of threads that run vCPUs: csguest timeline, its last table
	vm INTEGER REFERENCES vm,
	vcpu INTEGER,
	tid INTEGER,
	begin_ns INTEGER,
	end_ns INTEGER,
	state TEXT
);
CREATE TABLE ran_instead (  -- who had the CPU while vCPUs of a VM were preempted: csguest summary
	vm INTEGER REFERENCES vm,
	pid INTEGER,            -- in the host; 0 and 0: idle
	tid INTEGER,
	ns INTEGER
);
CREATE TABLE loss (         -- what is missing in the trace
	stream INTEGER REFERENCES stream,
	kind TEXT,
	places INTEGER
);
CREATE TABLE missing (      -- files whose code was needed: csguest info, report
	vm INTEGER,             -- 0: the host's
	path TEXT,
	places INTEGER,
	address INTEGER,        -- the first that was needed
	remedy TEXT
);

-- The support database: what `opcheck db build` makes of the fact text in opdb/, which opdb/README.md describes.
--
-- Facts hold over runs of releases. Every release has a place in the order of its target, every PyTorch version a place in
-- the order of versions, and a fact row covers the places first..last, both inclusive. A row is found by the name of its
-- operator; the indexes at the end find the rows of one release.
--
--	SELECT op, status FROM support JOIN release USING (target)
--	WHERE release.name = '2.7.1-26.0.0' AND place BETWEEN first AND last AND ns = 'aten' AND key = 'PrivateUse1';

PRAGMA application_id = 0x6f706462; -- "opdb"
PRAGMA user_version = 16;

-- Exactly one row: which text this file was made of.
CREATE TABLE info (
	build TEXT NOT NULL,    -- first digits of sha256, for people
	built_at TEXT NOT NULL, -- RFC 3339: SOURCE_DATE_EPOCH, else the date of the newest release
	sha256 TEXT NOT NULL,   -- over names and contents of the fact text, in order of the names
	names INTEGER NOT NULL, -- rows of name
	facts INTEGER NOT NULL  -- rows of support
) STRICT;

-- Where facts were read. {name} in ref and path stands for a column of the release or of the fact.
CREATE TABLE source (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa', 'any')), -- whose releases it can be evidence for
	repository TEXT NOT NULL,                                      -- public address
	ref TEXT NOT NULL,                                             -- branch, tag or commit
	path TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('source', 'vendor-doc', 'inferred')),
	remark TEXT NOT NULL
) STRICT;

CREATE TABLE torch (
	place INTEGER PRIMARY KEY,
	version TEXT NOT NULL UNIQUE,
	wheel TEXT NOT NULL, -- official wheel whose files were read; '' when there was none
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT;

CREATE TABLE release (
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	place INTEGER NOT NULL,         -- torch, then plugin, the development head of a torch line last
	name TEXT NOT NULL,             -- as the fact text spells it
	ref TEXT NOT NULL,              -- branch or tag of the plugin
	torch INTEGER NOT NULL REFERENCES torch (place),
	plugin TEXT NOT NULL,           -- the plugin's own version, 'dev' for a head
	kind TEXT NOT NULL CHECK (kind IN ('final', 'rc', 'dev')),
	date TEXT NOT NULL,             -- of the commit that was read
	commit_id TEXT NOT NULL,
	op_plugin TEXT NOT NULL,        -- npu: pinned commit of op-plugin, or ''
	op_plugin_yaml TEXT NOT NULL,   -- npu: the list in op-plugin that its build reads
	codegen TEXT NOT NULL,          -- npu: folder of the code generator
	key TEXT NOT NULL CHECK (key IN ('XLA', 'PrivateUse1')), -- dispatch key of dense tensors
	boxed INTEGER NOT NULL CHECK (boxed IN (0, 1)),          -- a boxed CPU fallback is registered on that key
	fallback TEXT NOT NULL,         -- what happens to an operator without a kernel, one sentence
	fallback_source INTEGER REFERENCES source (id),
	list INTEGER NOT NULL REFERENCES source (id), -- the list of operators in which a missing one is missing
	PRIMARY KEY (target, place),
	UNIQUE (target, name),
	UNIQUE (target, ref)
) STRICT, WITHOUT ROWID;

-- Names under which releases of torch_npu are installed.
CREATE TABLE package_version (
	id INTEGER PRIMARY KEY,
	torch TEXT NOT NULL,
	pip TEXT NOT NULL,       -- '' when the row names none
	cann TEXT NOT NULL,
	release TEXT NOT NULL,   -- as in release.name; no such row when known is 0
	known INTEGER NOT NULL CHECK (known IN (0, 1)),
	beta INTEGER NOT NULL CHECK (beta IN (0, 1)),
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT;

-- The operators of PyTorch itself. op is base or base.overload.
CREATE TABLE universe (
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	first INTEGER NOT NULL REFERENCES torch (place),
	last INTEGER NOT NULL REFERENCES torch (place),
	kind TEXT NOT NULL CHECK (kind IN ('functional', 'inplace', 'out', 'mutable')),
	has TEXT NOT NULL,                -- words of: cpu cuda implicit explicit nonfunctional structured view
	structured_delegate TEXT NOT NULL, -- the .out overload that a generated kernel calls
	autogen_of TEXT NOT NULL,         -- the operator that a generated overload calls
	variants TEXT NOT NULL,
	tags TEXT NOT NULL,
	keys TEXT NOT NULL,               -- dispatch keys of native_functions.yaml
	PRIMARY KEY (base, op, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE signature (
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	first INTEGER NOT NULL REFERENCES torch (place),
	last INTEGER NOT NULL REFERENCES torch (place),
	text TEXT NOT NULL, -- "(Tensor self) -> Tensor"
	PRIMARY KEY (base, op, first)
) STRICT, WITHOUT ROWID;

-- What a plugin registers. Many rows name operators that their own PyTorch lacks: no reference to universe.
CREATE TABLE support (
	ns TEXT NOT NULL,
	base TEXT NOT NULL,
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	op TEXT NOT NULL,
	key TEXT NOT NULL,        -- dispatch key, or 'schema-only': defined by a patch to PyTorch
	first INTEGER NOT NULL,   -- places in release
	last INTEGER NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('native', 'native-jit', 'composite', 'cpu-fallback', 'blocked', 'fallthrough')),
	origin TEXT NOT NULL,     -- list and section, or the generator
	acl_op TEXT NOT NULL,     -- npu: '1', '0' or '' for not told; a kernel that launches ACL operators
	op_api TEXT NOT NULL,     -- npu: a kernel through aclnn
	acl_launch TEXT NOT NULL, -- npu: the acl_op kernel launches an ACL operator of its own
	symint TEXT NOT NULL,
	exposed_py TEXT NOT NULL,
	internal_format TEXT NOT NULL,
	host_path TEXT NOT NULL,  -- which kernel copies to the CPU inside, or ''
	kernel TEXT NOT NULL,     -- musa: name of the function
	note TEXT NOT NULL,       -- for C++ registrations the path of the file
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (ns, base, target, op, key, first)
) STRICT, WITHOUT ROWID;

-- What to write instead of an operator, with code that runs: opdb/recipes.
CREATE TABLE recipe (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	operators TEXT NOT NULL, -- full names joined by ' ', each may end in a star; '' for a rule about no operator
	fits TEXT NOT NULL,      -- when it is proposed: words of off-device shapes dtype always
	effort TEXT NOT NULL CHECK (effort IN ('flag', 'config', 'recipe', 'package', 'upgrade', 'port')),
	torch TEXT NOT NULL,     -- lowest version of PyTorch that runs the code
	fixed INTEGER NOT NULL CHECK (fixed IN (0, 1)), -- shapes inside `after` do not depend on values
	tolerance TEXT NOT NULL, -- 'exact', or the largest absolute and relative difference
	sources TEXT NOT NULL,   -- addresses where the problem is known from, joined by ' '; '' for a general rule
	cost_en TEXT NOT NULL,   -- what happens if nothing is done
	cost_zh TEXT NOT NULL,
	advice_en TEXT NOT NULL,
	advice_zh TEXT NOT NULL,
	code TEXT NOT NULL       -- Python: cases(), before() and after()
) STRICT;

CREATE TABLE recipe_span (
	recipe INTEGER NOT NULL REFERENCES recipe (id),
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	first INTEGER NOT NULL,  -- places in release
	last INTEGER NOT NULL,
	PRIMARY KEY (recipe, target, first)
) STRICT, WITHOUT ROWID;

-- Operators that belong to one backend of PyTorch, and what runs instead on another device.
CREATE TABLE rule (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	specific_to TEXT NOT NULL,
	mode TEXT NOT NULL CHECK (mode IN ('auto', 'manual', 'none', 'host')),
	npu TEXT NOT NULL,          -- equivalents, joined by ';'
	musa TEXT NOT NULL,
	reached_from TEXT NOT NULL, -- the composites that choose such an operator by device, joined by ';'
	reason TEXT NOT NULL
) STRICT;

CREATE TABLE rule_source (
	rule INTEGER NOT NULL REFERENCES rule (id),
	place INTEGER NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (rule, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_name (
	base TEXT PRIMARY KEY,
	rule INTEGER NOT NULL REFERENCES rule (id)
) STRICT, WITHOUT ROWID;

-- Operators whose body no column of universe tells.
CREATE TABLE body (
	base TEXT PRIMARY KEY,
	body TEXT NOT NULL CHECK (body IN ('stub', 'bound', 'own')),
	reason TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT, WITHOUT ROWID;

-- Lists of operators that something holds for.
CREATE TABLE operator_rule (
	rule TEXT NOT NULL CHECK (rule IN ('converts', 'data-dependent', 'numbers-as-tensors', 'training-only')),
	name TEXT NOT NULL, -- with its namespace
	reached TEXT NOT NULL, -- only where this operator of aten was called; '' always
	reason TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (rule, name)
) STRICT, WITHOUT ROWID;

-- Internal operators of some versions of PyTorch, and what runs in their place in the others.
CREATE TABLE renamed (
	base TEXT PRIMARY KEY,
	instead TEXT NOT NULL,
	reason TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT, WITHOUT ROWID;

-- Namespaces other than aten that are known, and with "ns::begin*" a part of one.
CREATE TABLE namespace (
	ns TEXT PRIMARY KEY,
	kind TEXT NOT NULL CHECK (kind IN (
		'plugin', 'collective', 'composite', 'internal', 'quantized', 'package', 'torch', 'extension', 'foreign',
		'vendor'
	)),
	npu TEXT NOT NULL,  -- package to install on that target, or ''
	musa TEXT NOT NULL,
	remark TEXT NOT NULL,
	source INTEGER REFERENCES source (id)
) STRICT, WITHOUT ROWID;

-- Kernels that packages beside the plugins bring.
CREATE TABLE package_kernel (
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	ns TEXT NOT NULL,
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	key TEXT NOT NULL,
	package TEXT NOT NULL,
	path TEXT NOT NULL,
	refs TEXT NOT NULL, -- of the package's repository, joined by ' '
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (ns, base, target, op, key, package, path)
) STRICT, WITHOUT ROWID;

-- What users and vendors saw on devices, as they wrote it; '' where they did not say.
CREATE TABLE reported (
	id INTEGER PRIMARY KEY,
	ns TEXT NOT NULL,
	base TEXT NOT NULL,
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	op TEXT NOT NULL,
	torch TEXT NOT NULL,
	plugin TEXT NOT NULL,
	observed TEXT NOT NULL CHECK (
		observed IN ('native', 'cpu_fallback', 'not_implemented', 'dtype_limited', 'dynamic_shape', 'aicpu', 'crash', 'wrong_result')
	),
	detail TEXT NOT NULL,
	source TEXT NOT NULL, -- an address, or what the text was called
	date TEXT NOT NULL,
	chip TEXT NOT NULL,
	dtype TEXT NOT NULL,  -- joined by commas
	confidence TEXT NOT NULL CHECK (confidence IN ('', 'strict', 'loose')), -- loose: operator, device or outcome is inferred
	condition TEXT NOT NULL -- which calls it is about, as tests of unit_condition; '': all of these types and chips
) STRICT;

-- The vendor's tables of Python APIs in their order: by torch, then plugin.
CREATE TABLE document (
	place INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	release INTEGER, -- place of the npu release that it is about; NULL where nothing else is known of that
	ref TEXT NOT NULL,
	path TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT;

-- What the documents say of a Python API: three-valued, '' is not stated.
CREATE TABLE api (
	api TEXT NOT NULL,
	hardware TEXT NOT NULL, -- 'all', or series of chips joined by ' '
	first INTEGER NOT NULL REFERENCES document (place),
	last INTEGER NOT NULL REFERENCES document (place),
	supported TEXT NOT NULL CHECK (supported IN ('yes', 'no', 'blank')),
	dtypes TEXT NOT NULL,   -- the ones that are accepted
	excluded TEXT NOT NULL, -- the ones that are said not to be
	remarks TEXT NOT NULL,  -- words of: cpu (may run on the CPU), other (limited in a way that is not recorded)
	PRIMARY KEY (api, hardware, first)
) STRICT, WITHOUT ROWID;

-- Of which operators it is said.
CREATE TABLE api_operator (
	base TEXT NOT NULL,
	api TEXT NOT NULL,
	PRIMARY KEY (base, api)
) STRICT, WITHOUT ROWID;

-- Which operators a Python API calls: with what share of its samples, in percent; backward: when gradients are computed.
CREATE TABLE api_call (
	api TEXT NOT NULL,
	base TEXT NOT NULL,
	backward INTEGER NOT NULL CHECK (backward IN (0, 1)),
	share INTEGER NOT NULL CHECK (share BETWEEN 1 AND 100),
	PRIMARY KEY (api, base, backward)
) STRICT, WITHOUT ROWID;

-- Kernels of torch_npu that branch on the chip; only releases that were looked at are covered.
CREATE TABLE chip_branch (
	kernel TEXT NOT NULL, -- function, mostly called like the operator
	impl TEXT NOT NULL CHECK (impl IN ('acl_op', 'op_api')),
	path TEXT NOT NULL,
	condition TEXT NOT NULL,
	first INTEGER NOT NULL,
	last INTEGER NOT NULL,
	action TEXT NOT NULL, -- what the branch does, joined by ';', or ''
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (kernel, impl, path, condition, first)
) STRICT, WITHOUT ROWID;

-- Data types that a chip, or a kind of kernel, refuses whatever the operator.
CREATE TABLE dtype_rule (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	chips TEXT NOT NULL,   -- families joined by ' '; '' for any
	kernels TEXT NOT NULL CHECK (kernels IN ('any', 'written')), -- written: not PyTorch's own kernel made for the device
	refused TEXT NOT NULL,
	until INTEGER,         -- place of the last release of the target; NULL: all
	reason TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT;

-- What documents say of data types of single kernels of npu.
CREATE TABLE kernel_types (
	base TEXT NOT NULL,
	says TEXT NOT NULL CHECK (says IN ('takes', 'aicpu')), -- aicpu: runs on the scalar cores with these types
	dtypes TEXT NOT NULL, -- '' with aicpu: not told which
	detail TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (base, says, detail)
) STRICT, WITHOUT ROWID;

-- What autocast does with the inputs of an operator.
CREATE TABLE autocast (
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	list TEXT NOT NULL, -- lower_precision_fp, fp32, promote ...
	first INTEGER NOT NULL,
	last INTEGER NOT NULL,
	path TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (base, op, target, list, first)
) STRICT, WITHOUT ROWID;

-- What composite bodies always call, measured on one version of PyTorch.
CREATE TABLE leaf (
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	calls TEXT NOT NULL, -- overloads joined by ' '
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (base, op)
) STRICT, WITHOUT ROWID;

-- Which backward operators the formula of an autograd node calls; '' for none that is one by name.
CREATE TABLE gradient (
	base TEXT NOT NULL, -- of forward
	node TEXT NOT NULL,
	forward TEXT NOT NULL,
	first INTEGER NOT NULL REFERENCES torch (place),
	last INTEGER NOT NULL REFERENCES torch (place),
	calls TEXT NOT NULL, -- joined by ' '
	PRIMARY KEY (base, node, forward, first)
) STRICT, WITHOUT ROWID;

-- What a program calls on the device though the profile of another device does not show it.
CREATE TABLE implied (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL,
	seen TEXT NOT NULL,  -- operators of aten that the profile shows, all of them; '' for any program
	needs TEXT NOT NULL, -- words of: backward optimizer fp16
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	torch INTEGER REFERENCES torch (place), -- the first version that does; NULL for every one
	calls TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT;

-- Versions of CANN whose kernels were read, in their order, and the version of torch_npu made for each.
CREATE TABLE cann (
	place INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	plugin TEXT NOT NULL UNIQUE,
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT;

-- Which unit runs an operator, by the type of its first tensor and the chip.
CREATE TABLE unit (
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	unit TEXT NOT NULL CHECK (unit IN ('aicore', 'helper', 'undeclared', 'varies', 'mixed', 'aicpu', 'rejected')),
	dtypes INTEGER NOT NULL, -- bits of enum dtype
	chips INTEGER NOT NULL,  -- bit i: the i-th family of NPUs
	kernels TEXT NOT NULL,   -- those of CANN that run on the AI CPU, joined by ' '
	note TEXT NOT NULL,     -- rejected: 'docs only', 'docs contradict', 'declaration only'; 'acl_op': no call of CANN's API
	first INTEGER NOT NULL REFERENCES cann (place),
	last INTEGER NOT NULL REFERENCES cann (place),
	PRIMARY KEY (base, op, unit, dtypes, chips, kernels, note, first)
) STRICT, WITHOUT ROWID;

-- The calls into CANN that op-plugin makes for an operator, and where the code of each call is.
CREATE TABLE aclnn_call (
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	call TEXT NOT NULL,
	path TEXT NOT NULL,
	plugin TEXT NOT NULL, -- version of op-plugin that was read
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (base, op, call)
) STRICT, WITHOUT ROWID;

-- Casts that op-plugin makes before it calls a kernel.
CREATE TABLE npu_cast (
	base TEXT NOT NULL,
	kernel TEXT NOT NULL, -- 'aclnn', 'acl_op'
	argument TEXT NOT NULL,
	dtypes INTEGER NOT NULL, -- of the argument, bits of enum dtype; 0 for any that differs
	becomes TEXT NOT NULL, -- a type, 'dtype' for one that is given, or the argument whose type it takes
	path TEXT NOT NULL,
	plugin TEXT NOT NULL, -- version of op-plugin that has it there
	source INTEGER NOT NULL REFERENCES source (id),
	first INTEGER NOT NULL REFERENCES cann (place), -- for which op-plugin was read
	last INTEGER NOT NULL REFERENCES cann (place),
	PRIMARY KEY (base, kernel, argument, dtypes, becomes, first)
) STRICT, WITHOUT ROWID;

-- Calls that a kernel refuses by what an argument is.
CREATE TABLE argument_limit (
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	test TEXT NOT NULL,     -- what holds of a refused call, as in unit_condition
	chips INTEGER NOT NULL, -- npu: as in unit; 0: any
	en TEXT NOT NULL,
	zh TEXT NOT NULL,
	path TEXT NOT NULL,
	ref TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	spans TEXT NOT NULL CHECK (spans IN ('cann', 'release')),
	first INTEGER NOT NULL, -- cann or release (place)
	last INTEGER NOT NULL,
	PRIMARY KEY (base, target, op, test, chips, spans, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE aclnn (
	call TEXT PRIMARY KEY,
	path TEXT NOT NULL,
	ref TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT, WITHOUT ROWID;

-- Casts that CANN runs on the AI CPU.
CREATE TABLE slow_cast (
	of INTEGER NOT NULL,    -- bits of enum dtype
	becomes INTEGER NOT NULL, -- bits of enum dtype
	chips INTEGER NOT NULL, -- as in unit
	source INTEGER NOT NULL REFERENCES source (id),
	first INTEGER NOT NULL REFERENCES cann (place),
	last INTEGER NOT NULL REFERENCES cann (place),
	PRIMARY KEY (of, becomes, chips, first)
) STRICT, WITHOUT ROWID;

-- When a kernel of CANN runs on the AI CPU though it has a type's kernel for the AI Core.
CREATE TABLE unit_condition (
	kernel TEXT PRIMARY KEY,
	decided TEXT NOT NULL, -- by what: words of shape rank stride value attribute dtype
	test TEXT NOT NULL,    -- what a recorded call tells of it; '' for nothing
	en TEXT NOT NULL,
	zh TEXT NOT NULL,
	usual_ppm TEXT NOT NULL, -- of calls that do not tell, the millionths that were seen there; '' where nobody counted
	source INTEGER NOT NULL REFERENCES source (id)
) STRICT, WITHOUT ROWID;

-- Types that the kernels of torch_musa check. takes: any other raises; refuses: these raise, of others nothing is said.
CREATE TABLE kernel_limit (
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	argument TEXT NOT NULL,
	takes TEXT NOT NULL,   -- '*': PyTorch's own kernel, made for the device
	refuses TEXT NOT NULL,
	other TEXT NOT NULL,
	host TEXT NOT NULL,    -- '1' or '1 if ...': copies to the CPU and computes there
	path TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	first INTEGER NOT NULL, -- places in release
	last INTEGER NOT NULL,
	PRIMARY KEY (base, op, argument, takes, refuses, other, host, path, first)
) STRICT, WITHOUT ROWID;

-- Types that torch_musa's own tests run an operator with.
CREATE TABLE tested_types (
	base TEXT NOT NULL,
	dtypes TEXT NOT NULL,
	path TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	first INTEGER NOT NULL,
	last INTEGER NOT NULL,
	PRIMARY KEY (base, dtypes, path, first)
) STRICT, WITHOUT ROWID;

-- What the backends of torch.distributed take.
CREATE TABLE collective (
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	name TEXT NOT NULL,
	reduce_op TEXT NOT NULL, -- '' for a collective that reduces nothing, or refuses as a whole
	dtypes TEXT NOT NULL,
	supported TEXT NOT NULL CHECK (supported IN ('0', '1')),
	note TEXT NOT NULL,
	path TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	first INTEGER NOT NULL,
	last INTEGER NOT NULL,
	PRIMARY KEY (name, target, reduce_op, dtypes, supported, first)
) STRICT, WITHOUT ROWID;

-- Which of them operators of PyTorch call; ns is '' for what traces call "Collective name", where that differs.
CREATE TABLE collective_name (
	ns TEXT NOT NULL,
	base TEXT NOT NULL,
	collective TEXT NOT NULL,
	source INTEGER NOT NULL REFERENCES source (id),
	PRIMARY KEY (ns, base)
) STRICT, WITHOUT ROWID;

-- What packages register or bind for a device.
CREATE TABLE package_op (
	id INTEGER PRIMARY KEY,
	ns TEXT NOT NULL,   -- '' for a function that no namespace of the dispatcher has
	base TEXT NOT NULL,
	op TEXT NOT NULL,
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa')),
	package TEXT NOT NULL,
	argument TEXT NOT NULL,
	since TEXT NOT NULL, -- first version that was read and has it
	last TEXT NOT NULL,  -- the last one that has it
	takes TEXT NOT NULL,
	refuses TEXT NOT NULL,
	how TEXT NOT NULL,
	note TEXT NOT NULL,
	skips TEXT NOT NULL, -- types that the package's own tests leave out on the device
	path TEXT NOT NULL
) STRICT;

-- What has to be installed for the operators of a package, and where they were read.
CREATE TABLE package_source (
	package TEXT PRIMARY KEY,
	installs TEXT NOT NULL,
	newest TEXT NOT NULL, -- version that was read: what ends before it was removed
	source INTEGER REFERENCES source (id)
) STRICT, WITHOUT ROWID;

-- The versions of PyTorch that versions of a package are for.
CREATE TABLE package_build (
	package TEXT NOT NULL, -- as in package_source.installs and package_kernel.package
	version TEXT NOT NULL, -- '' for every one
	source INTEGER REFERENCES source (id),
	first INTEGER NOT NULL REFERENCES torch (place),
	last INTEGER NOT NULL REFERENCES torch (place),
	PRIMARY KEY (package, version, first)
) STRICT, WITHOUT ROWID;

-- Every base name that any table knows: for completing and suggesting names.
CREATE TABLE name (
	ns TEXT NOT NULL,
	base TEXT NOT NULL,
	PRIMARY KEY (ns, base)
) STRICT, WITHOUT ROWID;

-- What chips can do at most: TFLOPS by type, GB/s, microseconds a kernel takes at least. Text, as in opdb/cost.
CREATE TABLE chip_peak (
	id INTEGER PRIMARY KEY,
	chip TEXT NOT NULL UNIQUE,
	target TEXT NOT NULL CHECK (target IN ('npu', 'musa', '')), -- '': a GPU that dumps come from
	family TEXT NOT NULL,    -- of work_ratio
	fp32 TEXT NOT NULL,      -- '' where no figure has a source
	tf32 TEXT NOT NULL,
	fp16 TEXT NOT NULL,
	bf16 TEXT NOT NULL,
	int8 TEXT NOT NULL,
	bandwidth TEXT NOT NULL,
	floor TEXT NOT NULL,
	assumed TEXT NOT NULL,   -- types whose figure has no source of its own
	measured TEXT NOT NULL CHECK (measured IN ('0', '1')), -- some run on its family was measured
	source TEXT NOT NULL
) STRICT;

-- Measured over possible time of calls, by class of work and size.
CREATE TABLE work_ratio (
	id INTEGER PRIMARY KEY,
	class TEXT NOT NULL,     -- '*': any
	family TEXT NOT NULL,    -- of chips; 'all'
	bin TEXT NOT NULL CHECK (bin IN ('s', 'm', 'l', '*')), -- possible time under 5 us, under 50 us, more
	p10 TEXT NOT NULL,
	p50 TEXT NOT NULL,
	p90 TEXT NOT NULL,
	calls TEXT NOT NULL,
	workloads TEXT NOT NULL, -- in which the calls were
	UNIQUE (class, family, bin)
) STRICT;

CREATE INDEX support_by_release ON support (target, first, last);
CREATE INDEX aclnn_call_by_call ON aclnn_call (call, base);
CREATE INDEX reported_by_name ON reported (ns, base);
CREATE INDEX package_op_by_name ON package_op (ns, base);
CREATE INDEX universe_by_torch ON universe (first, last);

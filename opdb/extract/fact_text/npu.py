"""A release of torch_npu from its lists: npu_native_functions.yaml of the framework, op_plugin_functions.yaml of op-plugin.

op-plugin writes its list in one of two dialects: for one version of PyTorch, with entries that say `impl_ns`, or for many
(all_version), with entries that say for which versions they have an `acl_op` or an `op_api` kernel."""
import re
from collections import namedtuple

from fact_text import documents, native, schema
from fact_text.documents import List, Map, Text, as_bool, check_keys, is_empty
from fact_text.native import version
from fact_text.release import Name, Release, refuse
from fact_text.tables import Malformed, Place

NEWEST_SINGLE = '6.0.rc2'  # up to this plugin the build reads the list of one version even where that for many lies beside it
OLDEST_PRIVATEUSE = '2.1'  # from this PyTorch on the plugin has a dispatch key and a namespace of its own
OLDEST_QUANTIZED = '2.2'  # from this one on it registers on quantized keys

# What an entry may say. The ones that steer generated C++ alone say nothing here.
ENTRY_KEYS = set('func acl_op op_api sparse exposed internal_format_opapi impl_ns version gen_opapi dvm tags dispatch device_check'
                 ' device_guard structured structured_delegate structured_inherit use_const_ref_for_mutable_tensors bscpp_op variants'
                 ' autogen'.split())

WITHOUT_KERNEL = 'tocpu', 'unsupported'  # sections of operators that are sent to the CPU; that raise
CUSTOM = 'custom', 'custom_autograd'  # sections of operators of the plugin's own

CODE_ORIGINS = 'cpp', 'cpu-wrapper-generated'  # registrations that only the C++ code has
UNMARKED = {'symint': '0', 'exposed_py': '0', 'internal_format_opapi': '0', 'status': 'native'}

Entry = namedtuple('Entry', 'op marks place')


def digit(is_on):
    return '1' if is_on else '0'


def read_name(options):
    """A release's name begins with its version of PyTorch: v2.7.1-26.0.0; v2.7.1 and master are heads."""
    torch, _, plugin = options.release.removeprefix('v').partition('-')
    is_master = options.release == 'master'
    if not is_master and (torch != options.torch or not re.match('[0-9]', torch)):
        refuse("'%s' is not a release for PyTorch '%s', such as v2.7.1-26.0.0 for 2.7.1", options.release, options.torch)
    is_head = is_master or plugin in ('', 'dev')
    ref = 'master' if is_master else 'v' + torch if is_head else 'v%s-%s' % (torch, plugin)
    release = ref if is_master else ref[1:] + ('-dev' if is_head else '')
    if not re.fullmatch(r'[\w.+-]+', release, re.A):
        refuse("'%s' is not a name of a release", options.release)
    kind = 'dev' if is_head else 'rc' if 'rc' in plugin else 'final'
    return Name(release, ref, options.torch, 'dev' if is_head else plugin, kind)


class Versions:
    """For which versions of PyTorch an entry of op-plugin holds: "all_version", "v2.1, v2.2" or [v2.1, newest]."""

    def __init__(self, everything, built):
        self.built = built
        if not isinstance(everything, List):
            raise Malformed(everything.place, 'all_version must be a list')
        for item in everything:
            self.number(item, item.place)
        if built not in everything:
            raise Malformed(everything.place, 'the list is not for %s: all_version lacks it' % built)

    @staticmethod
    def number(text, place):
        found = isinstance(text, str) and re.fullmatch(r'v([0-9]{1,3})\.([0-9]{1,3})', text)
        if not found:
            raise Malformed(place, '"%s" is not a version such as v2.7' % (text,))
        return int(found[1]), int(found[2])

    def hold(self, value):
        if is_empty(value) or value == 'all_version':
            return value == 'all_version'
        if isinstance(value, Map):
            raise Malformed(value.place, 'expected versions, not a map')
        if isinstance(value, Text):  # by element, because v2.1 is a part of v2.10
            return self.number(self.built, value.place) in [self.number(part.strip(), value.place) for part in value.split(',')]
        if len(value) != 2:
            raise Malformed(value.place, 'a range has a first and a last version')
        first = self.number(value[0], value[0].place)
        last = (999, 999) if value[1] == 'newest' else self.number(value[1], value[1].place)
        if last < first:
            raise Malformed(value.place, 'the range ends before it begins')
        return first <= self.number(self.built, value.place) <= last


class VendorList:
    """One of the two lists. sections: those of operators with kernels, and the prefix of their dispatch key."""

    def __init__(self, path):
        self.root, self.versions = documents.load(path), None
        if not isinstance(self.root, Map):
            raise Malformed(getattr(self.root, 'place', Place(path)), 'expected a map of sections')
        check_keys(self.root, {*self.sections, *WITHOUT_KERNEL, 'symint', 'all_version', 'backend', 'cpp_namespace'})

    def origin_of(self, section):
        return self.origin if section == 'supported' else '%s:%s' % (self.origin, section)

    def entries(self, section):
        """The entries of a section; each is the name of an operator, or a map with a func."""
        node = self.root.get(section)
        if not is_empty(node) and not isinstance(node, List):
            raise Malformed(node.place, '"%s" must be a list' % section)
        for entry in node or ():
            marks = entry if isinstance(entry, Map) else Map(func=entry)
            func = marks.get('func')
            if not isinstance(func, Text):
                raise Malformed(entry.place, 'an entry is the name of an operator, or a map with a func')
            check_keys(marks, ENTRY_KEYS)
            given = schema.parse(func, func.place)
            if section in CUSTOM and not given.signature:
                raise Malformed(entry.place, '"%s" has no arguments and no result' % given.op)
            yield Entry(given.op, marks, entry.place)

    def mark(self, entry, key):
        """A boolean, or in the dialect for many versions a list of them."""
        value = entry.marks.get(key)
        if value is None or as_bool(value) is not None:
            return bool(as_bool(value))
        if not self.versions:
            raise Malformed(value.place, '%s must be True or False' % key)
        return self.versions.hold(value)


class Framework(VendorList):
    origin, source = 'npu_native_functions', 'npu-framework'
    sections = {'supported': '', 'custom': '', 'autograd': 'Autograd', 'custom_autograd': 'Autograd'}

    def __init__(self, path):
        super().__init__(path)
        self.custom = {entry.op for entry in self.entries('custom')}

    def kernels(self, entry):
        """The cells acl_op and op_api."""
        return '', digit(self.mark(entry, 'op_api')) if 'op_api' in entry.marks else ''


class Plugin(VendorList):
    origin, source = 'op_plugin', 'npu-op-plugin'
    sections = {'official': '', 'custom': '', 'autograd': 'Autograd', 'quant': 'Quantized', 'sparse': 'Sparse',
                'sparse_csr': 'SparseCsr', 'nestedtensor': 'NestedTensor'}
    custom = frozenset()

    def __init__(self, path, name, built):
        super().__init__(path)
        everything = self.root.get('all_version')
        if everything is None:
            return
        if name.plugin != 'dev' and version(name.plugin) <= version(NEWEST_SINGLE):
            raise Malformed(everything.place, 'the build of %s does not read this list, which is for many versions of PyTorch, but the one'
                            ' for its version, such as op_plugin/config/v2r1/op_plugin_functions.yaml' % name.plugin)
        self.versions = Versions(everything, built)

    def kernels(self, entry):
        """The cells acl_op and op_api; None where the entry does not hold for the version."""
        if self.versions:
            found = self.mark(entry, 'acl_op'), self.mark(entry, 'op_api')
            return tuple(map(digit, found)) if any(found) else None
        names = documents.words(entry.marks.get('impl_ns'))
        if not names:
            raise Malformed(entry.place, 'impl_ns is missing')
        for name in names:
            if name not in ('acl_op', 'op_api'):
                raise Malformed(entry.marks['impl_ns'].place, '"%s" is neither acl_op nor op_api' % name)
        return digit('acl_op' in names), digit('op_api' in names)


class Lists:
    """The two lists of a release, and the rows that follow from them."""

    def __init__(self, release, options):
        torch = release.name.torch
        self.release = release
        self.built = 'v' + '.'.join(torch.split('.')[:2])
        self.key, self.custom_ns = ('PrivateUse1', 'npu') if version(torch) >= version(OLDEST_PRIVATEUSE) else ('XLA', 'aten')
        self.native = native.load(options.native_functions)
        self.framework = Framework(options.framework)
        self.plugin = Plugin(options.op_plugin, release.name, self.built)
        self.any_sparse = False
        for vendor in (self.plugin, self.framework):
            symint = {entry.op for entry in vendor.entries('symint') if vendor.kernels(entry)}
            for section in vendor.sections:
                if section != 'quant' or version(torch) >= version(OLDEST_QUANTIZED):
                    for entry in vendor.entries(section):
                        self.add_kernel(vendor, section, entry, digit(entry.op in symint))
            for section in WITHOUT_KERNEL:
                for entry in vendor.entries(section):
                    self.add_without_kernel(vendor, section, entry)

    def find(self, op, prefix='', ns='aten'):
        return self.release.rows.get((ns, op, prefix + self.key))

    def add(self, op, place, prefix='', ns='aten', **cells):
        self.release.add((ns, op, prefix + self.key), place, **{**UNMARKED, **cells})

    def add_kernel(self, vendor, section, entry, symint):
        op, prefix, source = entry.op, vendor.sections[section], self.release.source(vendor.source)
        # `supported` means an operator of the framework's own where its section of custom operators defines it
        ns = self.custom_ns if section in CUSTOM or op in vendor.custom else 'aten'
        kernels = vendor.kernels(entry)
        if vendor.versions and vendor.mark(entry, 'sparse'):
            self.add(op, entry.place, 'Sparse', acl_op='0', op_api='1', origin=vendor.origin_of('sparse'), source=source)
            self.any_sparse = True
        cells = {'symint': symint, 'exposed_py': digit(vendor.mark(entry, 'exposed')),
                 'internal_format_opapi': digit(vendor.versions and vendor.mark(entry, 'internal_format_opapi'))}
        # The generator allows an operator one of the two keys; op-plugin's kernel is the one that is registered.
        if not kernels or (vendor is self.framework and section == 'autograd' and self.find(op, ns=ns)):
            return
        cells.update(acl_op=kernels[0], op_api=kernels[1], status='native-jit' if kernels == ('1', '0') else 'native')
        row = self.find(op, prefix, ns)
        if row and section in CUSTOM and row['origin'] == Framework.origin:
            row.update(cells, origin='%s+%s' % (row['origin'], vendor.origin_of(section)))
        else:
            self.add(op, entry.place, prefix, ns, origin=vendor.origin_of(section), source=source, **cells)

    def add_without_kernel(self, vendor, section, entry):
        """A composite is not sent to the CPU: no wrapper is generated for it."""
        op, versions = entry.op, entry.marks.get('version')
        if versions is not None and not (vendor.versions and vendor.versions.hold(versions)):
            return
        row = self.find(op)
        if row:
            row['origin'] += '+' + vendor.origin_of(section)
            return
        composite = op in self.native and self.native[op].composite
        status = 'blocked' if section == 'unsupported' else 'composite' if composite else 'cpu-fallback'
        self.add(op, entry.place, origin=vendor.origin_of(section), status=status, source=self.release.source(vendor.source))

    # --- what the code generator registers by itself, unless the plugin has a kernel of its own

    def add_generated(self):
        """A generator that knows `sparse:` registers the sparse kernels that PyTorch's CPU and CUDA share, too; every generator for
        PrivateUse1 gives each _foreach_* with a CPU kernel the slow path if the plugin has none."""
        for op, operator in self.native.items():
            kernels = operator.kernels
            shared = kernels.get('SparseCPU') and kernels['SparseCPU'] == kernels.get('SparseCUDA')
            if self.any_sparse and shared and not self.find(op, 'Sparse'):
                self.add(op, None, 'Sparse', origin='sparse-shared-generated', note='PyTorch device-agnostic sparse kernel',
                         source=self.release.source('npu-sparse'))
            if op.startswith('_foreach_') and kernels.get('CPU') and not self.find(op):
                self.add(op, None, origin='foreach-generated', status='composite', note='per-tensor slow path',
                         source=self.release.source('npu-foreach'))

    # --- formulas of gradients: they tell whether the lists are of one release

    def count_formulas(self, path):
        """Say how many formulas of op-plugin's derivatives.yaml hold, and how many of these are for operators that are not registered."""
        root = documents.load(path)
        everything = root.get('all_version') if isinstance(root, Map) else None
        versions = Versions(everything, self.built) if everything is not None else None
        formulas = root.get('backward') if versions else root
        if not isinstance(formulas, List):
            raise Malformed(getattr(root, 'place', Place(path)), 'expected a list of formulas')
        given = [(schema.parse_under(entry, 'name').op, entry) for entry in formulas]
        held = [(op, entry) for op, entry in given if not versions or 'version' not in entry or versions.hold(entry['version'])]
        unknown = [(op, entry.place.line) for op, entry in held
                   if op not in self.native and not any(self.find(op, prefix, self.custom_ns) for prefix in ('', 'Autograd'))]
        said = '%d formulas of gradients hold for %s' % (len(held), self.built)
        if unknown:
            said += '\n%d of them are for operators that are not registered, the first is %s (line %d)' % (len(unknown), *unknown[0])
        return said


def keep_code_facts(release):
    """Keep what was read in the C++ code: which kernels copy to the host, which launch an ACL operator."""
    for key in release.rows.keys() & release.old.keys():
        row, old = release.rows[key], release.old[key]
        row['host_path'] = old['host_path']
        if row['acl_op'] == '1' and old['acl_launch']:
            row['acl_launch'] = old['acl_launch']
            if row['status'] == 'native-jit' and old['acl_launch'] == '0':
                row.update(status='native', note=old['note'])


def fill_release(release, lists, options):
    """Columns of releases.tsv that follow from the lists, for a release that is new."""
    name, field = release.name, release.field
    is_head = name.plugin == 'dev'
    if options.plugin_commit:
        field['op_plugin'] = options.plugin_commit
    if not release.is_new:
        return
    branch = 'master' if is_head else name.plugin
    # the code generator moved in plugin 26 and in the heads for PyTorch 2.6 and later
    moved = version(name.torch) >= version('2.6') if is_head else version(name.plugin) >= version('26')
    folder = '' if lists.plugin.versions else lists.built.replace('.', 'r') + '/'
    field.update(op_plugin=options.plugin_commit or branch, op_plugin_branch=branch,
                 op_plugin_yaml='op_plugin/config/%sop_plugin_functions.yaml' % folder, codegen='torchnpugen' if moved else 'codegen',
                 key=lists.key, custom_ns=lists.custom_ns, fallback='listed' if lists.key == 'XLA' else 'boxed',
                 list=release.source('npu-op-plugin'))


def mark_known(release):
    """A release that npu/versions.tsv calls one without facts has them now."""
    versions = release.text.table('npu/versions.tsv')
    for row in versions.rows:
        if row['release'] == release.name.release and 'no-facts' in row['remark']:
            row['remark'] = 'beta' if row['remark'].startswith('beta') else ''
    release.text.put('npu/versions.tsv', versions.text())


def run(options):
    release = Release('npu', read_name(options), options)
    lists = Lists(release, options)
    if lists.key != 'XLA':
        lists.add_generated()
    keep_code_facts(release)
    kept = release.keep_old(CODE_ORIGINS)
    fill_release(release, lists, options)
    mark_known(release)
    formulas = lists.count_formulas(options.derivatives) if options.derivatives else ''
    release.write()
    print('%d registrations that only its C++ code has were kept' % kept)
    if formulas:
        print(formulas)

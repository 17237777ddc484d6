"""Programs that take turns on the same bytes: what each benchmark of this folder prints."""
import math
import multiprocessing
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(__file__).resolve().parents[2]
LADDER = (1, 10, 100, 1000)  # megabytes


def arguments(parser, megabytes, runs):
    """Those that every benchmark takes."""
    parser.add_argument("build", type=pathlib.Path, help="build directory, of --buildtype=release")
    parser.add_argument("--megabytes", type=int, default=megabytes)
    parser.add_argument("--runs", type=int, default=runs)
    parser.add_argument("--folder", type=pathlib.Path, help="where the inputs are made, of several gigabytes")
    parser.add_argument("--no-ladder", action="store_true", help="leave out the size ladder, which takes the longest")
    options = parser.parse_args()
    options.opcheck = options.build / "src" / "opcheck"
    options.environment = dict(os.environ, OPCHECK_DB=str(options.build / "opdb" / "opdb.sqlite"), LC_ALL="C.UTF-8")
    return options


def make(function, *args):
    """In a process of its own: what this one grows to would count as the peak of those that it starts."""
    maker = multiprocessing.Process(target=function, args=args)
    maker.start()
    maker.join()
    if maker.exitcode:
        sys.exit("no input was made")


def run(command, environment):
    """Wall seconds, processor seconds and peak memory in MiB of one process."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("%s: %s" % (command, process.stderr.read().decode()))
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def take_turns(commands, runs, environment):
    """The figures of each command, run by run, A B A B; a first turn that warms the page cache does not count."""
    found = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            figures = run(command, environment)
            if turn:
                found[name].append(figures)
    return found


def ratio(figures, peer, i=0):
    """How many times as fast as its peer: the median of the ratios turn by turn."""
    return statistics.median(b[i] / a[i] for a, b in zip(figures, peer))


def compare(title, ours, peers, runs, environment):
    """Prints the medians of all, and how many times as fast as each peer each of ours is, by wall and by processor time."""
    found = take_turns({**ours, **peers}, runs, environment)
    print("%s; medians of %d runs on %d cores" % (title, runs, os.cpu_count()))
    for name, figures in found.items():
        medians = [statistics.median(f[i] for f in figures) for i in (0, 1)]
        print("  %-28s %9.4f s wall %9.4f s processor %8.1f MiB" % (name, *medians, max(f[2] for f in figures)))
    for name in ours:
        for peer in peers:
            print("  %s: %.2f times as fast as %s (%.2f by processor time)" % (
                name, ratio(found[name], found[peer]), peer, ratio(found[name], found[peer], 1)))
    sys.stdout.flush()


def growth(figures, before, size, size_before, i):
    """The power of the bytes with which wall (0) or processor (1) time grew."""
    medians = [statistics.median(f[i] for f in some) for some in (figures, before)]
    return math.log(medians[0] / max(medians[1], 1e-4)) / math.log(size / size_before)


def climb(title, function, path, ours, environment, runs=3):
    """The size ladder: what ten times the bytes cost, next to wc -l, which only looks for line ends."""
    before = None
    for megabytes in LADDER:
        if shutil.disk_usage(path.parent).free < 3_000_000 * megabytes:
            print("%s, %d MB: no room" % (title, megabytes))
            return
        make(function, path, megabytes)
        size = path.stat().st_size
        found = take_turns({"opcheck": ours, "wc -l": ["wc", "-l", path]}, runs, environment)
        figures = found["opcheck"]
        wall = statistics.median(f[0] for f in figures)
        print("%s, ladder, %7.1f MB: %8.4f s, %6.0f MB/s, %6.1f MiB, %.2f times as long as wc -l%s" % (
            title, size / 1e6, wall, size / 1e6 / wall, max(f[2] for f in figures), 1 / ratio(figures, found["wc -l"]),
            ", grew with bytes ^ %.2f (^ %.2f by processor time)" % tuple(growth(figures, before[1], size, before[0], i)
                                                                        for i in (0, 1)) if before else ""))
        sys.stdout.flush()
        before = (size, figures)
        path.unlink()

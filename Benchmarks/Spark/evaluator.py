"""Counts of the evaluator: `predicate filter --count` over lines of JSON, in one pass over the files.

All predicates are asked about a file before the next is opened, so that it is read from the disk once and from memory
after that. As many files as there are cores are asked about at a time.
"""

import concurrent.futures
import os
import subprocess
import sys
from collections import Counter


def counts(command, formats, files):
    """The number of matches and the seconds of processor time, by the names of formats; a line now and then."""
    totals, seconds = Counter(), Counter()
    done = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = [pool.submit(asked, command, formats, file) for file in files]
        for task in concurrent.futures.as_completed(tasks):
            found, taken = task.result()
            totals.update(found)
            seconds.update(taken)
            done += 1
            if done % 10 == 0 or done == len(files):
                print(f"evaluator: {done} of {len(files)} files", flush=True)
    return totals, seconds


def asked(command, formats, file):
    results = {name: count(command, format, file) for name, format in formats.items()}
    return {name: found for name, (found, _) in results.items()}, {name: taken for name, (_, taken) in results.items()}


def count(command, format, file):
    words = [command, "filter", "--count", "--strict", "-f", "jsonl", "-t", "created=date", format, file]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        output, errors = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    # 1 says that nothing matched.
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{format}\n{errors}")
    return int(output), usage.ru_utime + usage.ru_stime

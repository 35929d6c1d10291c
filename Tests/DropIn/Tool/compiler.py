"""The compiler on many small files at once: the errors of each."""

import concurrent.futures
import os
import re
import subprocess

ERROR = re.compile(r"^(?P<file>/[^:\n]+):(?P<line>\d+):(?P<column>\d+): error: (?P<message>.*)$", re.M)
CHUNK = 48


class Diagnostic:
    def __init__(self, line, column, message):
        self.line, self.column, self.message = line, column, message


class Compiler:
    """One way to import the classes: a door, or the control."""

    def __init__(self, swiftc, folder, imports, search_paths):
        # Diagnostics are told from their sources by absolute paths.
        self.swiftc, self.folder, self.imports = swiftc, os.path.abspath(folder), imports
        self.search_paths = search_paths
        os.makedirs(self.folder, exist_ok=True)

    def check(self, texts):
        """The errors of each text, by its name. Texts with an extension are compiled alone, since others would see it."""
        for name, text in texts.items():
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        alone = [[name] for name, text in texts.items() if re.search(r"\bextension\b", text)]
        others = [name for name, text in texts.items() if not re.search(r"\bextension\b", text)]
        chunks = [others[start:start + CHUNK] for start in range(0, len(others), CHUNK)]
        found = {name: [] for name in texts}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for result in pool.map(self.run, chunks + alone):
                for name, errors in result.items():
                    found[name] = errors
        return found

    def path(self, name):
        return os.path.join(self.folder, name + ".swift")

    def run(self, names):
        command = [self.swiftc, "-frontend", "-typecheck", "-swift-version", "5", "-module-name", "Site", "-suppress-warnings",
                   "-diagnostic-style", "llvm"]
        for path in self.search_paths:
            command += ["-I", path]
        # The frontend itself, so that all files of the chunk are one compilation.
        outcome = subprocess.run(
            command + [self.path(name) for name in names], capture_output=True, text=True, errors="replace")
        found = {name: [] for name in names}
        for match in ERROR.finditer(outcome.stderr):
            name = os.path.splitext(os.path.basename(match["file"]))[0]
            if name in found:
                found[name].append(Diagnostic(int(match["line"]), int(match["column"]), match["message"]))
        if outcome.returncode == 0 or any(found.values()) and outcome.returncode == 1:
            return found
        return self.halves(names, outcome)

    def halves(self, names, outcome):
        """Finds the file at which the compiler itself ends."""
        if len(names) == 1:
            lines = [line for line in outcome.stderr.splitlines() if line.strip()] or ["no diagnostic"]
            return {names[0]: [Diagnostic(0, 0, "the compiler ended: " + lines[0][:200])]}
        middle = len(names) // 2
        return {**self.run(names[:middle]), **self.run(names[middle:])}

# These targets install everything that a fresh Debian machine needs. Where there is no `swift`, they install the package
# swiftlang, which Debian has since version 13.
SWIFT ?= swift
SWIFT_FLAGS ?=
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
PACKAGES_BUILD := pkgconf libsqlite3-dev libedit-dev zlib1g-dev libzstd-dev
PACKAGES_DEMO := $(PACKAGES_BUILD) iso-codes

COUNT ?= 1000000
SEED ?= 1

.PHONY: all build install deb demo test agree lint format setup setup-demo compiler clean

all: build

build: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate

# The command with all of Swift in it, so that it runs where there is no toolchain, with its manual page and completions:
# make install PREFIX=~/.local
PREFIX ?= /usr/local
PROGRAM = $$($(SWIFT) build -c release $(SWIFT_FLAGS) --static-swift-stdlib --show-bin-path)/predicate
install: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate --static-swift-stdlib
	sh Sources/Command/predicate/Packaging/install.sh "$(PROGRAM)" "$(DESTDIR)$(PREFIX)"

# A package for Debian and Ubuntu of this machine's architecture: make deb && sudo apt install ./.build/predicate_*.deb
deb: setup
	@$(call install,dpkg-dev)
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate --static-swift-stdlib
	sh Sources/Command/predicate/Packaging/deb.sh "$(PROGRAM)" .build

# What a release contains, in .build/release-files: the package for Debian, the command as an archive, the plugins with a linter
# that is built, and checksums.
.PHONY: release
release: setup
	@$(call install,dpkg-dev)
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate --static-swift-stdlib
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate-lint --static-swift-stdlib
	SWIFT=$(SWIFT) sh Sources/Command/predicate/Packaging/release.sh "$(PROGRAM)" "$(PROGRAM)-lint" .build/release-files

# The main job on real input: three filters over the ISO tables of the machine, and one error. It shares its build with the tests.
demo: setup-demo
	$(SWIFT) build $(SWIFT_FLAGS) --product predicate
	@sh Tests/Demo/demo.sh "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/predicate"

# Proves the two commands on an empty machine: debootstrap makes a Debian 13 in a folder, and in it a clone of this checkout
# runs make demo and make test, which install the rest. make debian-demo runs the first only. Both need root and remove the folder.
.PHONY: debian debian-demo
DEBIAN_ROOT ?= .build/debian
debian:
	@$(call install,debootstrap)
	@sh Tests/Debian/debian.sh $(if $(OPTIONAL),--optional) "$(DEBIAN_ROOT)" demo test

debian-demo:
	@$(call install,debootstrap)
	@sh Tests/Debian/debian.sh $(if $(OPTIONAL),--optional) "$(DEBIAN_ROOT)" demo

# Runs the articles about Core Data as a program: a model, its store, a second version, migration, a policy, a bulk update.
demo-model: setup
	$(SWIFT) build $(SWIFT_FLAGS) --product predicate
	$(SWIFT) build $(SWIFT_FLAGS) --product ModelDemo
	@bin="$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)"; sh Tests/Demo/model.sh "$$bin/ModelDemo" "$$bin/predicate"

# The failures are printed once more at the end.
test: setup
	$(SWIFT) build --build-tests $(SWIFT_FLAGS)
	@mkdir -p .build; $(COUNTS_BUILD) > .build/counts.log 2>&1 & counts=$$!; \
	{ $(SWIFT) test --skip-build $(SWIFT_FLAGS); echo $$? > .build/tests.status; } 2>&1 | tee .build/tests.log; \
	status=$$(cat .build/tests.status); grep -F '✘' .build/tests.log; \
	wait $$counts || { cat .build/counts.log; status=1; }; exit $$status
	@$(MAKE) --no-print-directory instructions OPTIONAL=1

# Builds and tests some modules with what they import, and nothing else: make rooms ROOMS="PredicateSQL"
.PHONY: rooms
rooms: setup
	@test -n "$(ROOMS)" || { echo 'ROOMS="MODULE …" is required: modules of Sources'; exit 2; }
	ROOMS="$(ROOMS)" $(SWIFT) test $(SWIFT_FLAGS)

# Compares SQLite with the evaluator on any number of random predicates: make agree COUNT=1000000
agree: setup
	PREDICATES_AGREE_COUNT=$(COUNT) PREDICATES_AGREE_SEED=$(SEED) \
	    $(SWIFT) test -c release -Xswiftc -enable-testing --filter AgreementTests

# Compares every database engine with the evaluator, on random predicates over random rows and on the rows of the conformance
# records: make engines ENGINE=postgresql COUNT=100000 SEED=7. A difference is printed with the command that reproduces it,
# which names a WORLD. Spark gets SPARK_COUNT predicates, since each of its statements takes a tenth of a second. ENGINE=mysql
# uses the server that MYSQLD names, or else a mysqld on PATH.
.PHONY: engines
ENGINES ?= sqlite postgresql mariadb duckdb spark
ENGINE ?= $(ENGINES)
ENGINES_CONFIGURATION ?= debug
ENGINES_BUILD = $(SWIFT) build -c $(ENGINES_CONFIGURATION) $(SWIFT_FLAGS)
SPARK_COUNT ?= $(if $(filter file undefined,$(origin COUNT)),300,$(COUNT))
engines: setup
	$(ENGINES_BUILD) --product EngineAgreement
	@sh Tests/Engines/engines.sh "$$($(ENGINES_BUILD) --show-bin-path)/EngineAgreement" \
	    --count $(if $(filter file,$(origin COUNT)),3000,$(COUNT)) --spark-count $(SPARK_COUNT) --seed $(SEED) \
	    $(if $(WORLD),--world $(WORLD)) $(ENGINE)

# Builds the examples for database clients and web frameworks with the real packages, which are downloaded, and compares the
# rows of GRDB, SQLite.swift, SQLiteNIO, PostgresNIO, Fluent and MySQLNIO (on MariaDB), and the answers of Hummingbird and Vapor,
# with those of the evaluator. CLIENT_ENGINES=sqlite leaves the servers out.
.PHONY: clients
CLIENT_ENGINES ?= sqlite postgresql mariadb
clients: setup
	@SWIFT=$(SWIFT) sh Tests/Clients/clients.sh build
	@sh Tests/Engines/engines.sh Tests/Clients/clients.sh $(CLIENT_ENGINES)

# Runs predicates over Parquet on a Spark cluster on this machine, with one worker and with two, and compares the counts with
# those of the evaluator. Times are medians of ROUNDS. make spark PEOPLE=200000 is a quick try.
.PHONY: spark
PEOPLE ?= 20000000
ROUNDS ?= 1
spark: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate
	@sh Benchmarks/Spark/spark.sh "$$($(SWIFT) build -c release $(SWIFT_FLAGS) --show-bin-path)/predicate" $(PEOPLE) $(ROUNDS)

# Builds the documentation site: the symbols of all libraries, the guides, which are in the catalog of Predicates, and the pages
# of the other modules, each in the catalog of its module, where Xcode and the Swift Package Index look. A broken link is an
# error. To see the site: python3 -m http.server -d .build/docs/site
.PHONY: docs
DOCS_MODULES := PredicateSyntax PredicateEvaluation PredicateChecks PredicateSQL PredicateConversion PredicateSQLite \
    PredicateQuery PredicateStore PredicateModel PredicateCoreData PredicateFoundation Predicates
DOCS_PATH ?= /
# The page to which the root of the site leads.
DOCS_START := documentation/predicates
docs: setup
	$(foreach module,$(DOCS_MODULES),$(SWIFT) build $(SWIFT_FLAGS) --product $(module) &&) true
	@rm -rf .build/docs && mkdir -p .build/docs/symbols && cp -RL Sources/Swift/Predicates/Predicates.docc .build/docs
	@cp $(filter-out Sources/Swift/Predicates/%,$(wildcard Sources/*/*/*.docc/*.md)) .build/docs/Predicates.docc
	@for module in $(DOCS_MODULES); do \
	    swift-symbolgraph-extract -module-name $$module -target "$$($(SWIFT) -print-target-info | \
	        sed -n 's/^ *"triple": "\(.*\)",$$/\1/p' | head -1)" -I "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/Modules" \
	        -I Sources/System/CPredicateSQLite -I Sources/System/CZlib -output-dir .build/docs/symbols -skip-synthesized-members -emit-extension-block-symbols || exit 1; \
	done
	docc convert .build/docs/Predicates.docc --additional-symbol-graph-dir .build/docs/symbols --output-dir .build/docs/site \
	    --hosting-base-path $(DOCS_PATH) --warnings-as-errors
	@test -f .build/docs/site/$(DOCS_START)/index.html && printf '%s\n' '<!doctype html><meta charset="utf-8">' \
	    '<title>swift-predicates</title><meta http-equiv="refresh" content="0; url=$(DOCS_START)/">' \
	    '<a href="$(DOCS_START)/">Predicates</a>' > .build/docs/site/index.html

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Benchmarks

setup: compiler
	@$(call install,$(PACKAGES_BUILD))

setup-demo: compiler
	@$(call install,$(PACKAGES_DEMO))

compiler:
	@command -v $(SWIFT) > /dev/null || { test $(SWIFT) = swift && $(call install,swiftlang); }; \
	command -v $(SWIFT) > /dev/null || { \
	    echo "error: there is no Swift compiler, and apt has none: install Swift 6.0 or later, or name it: make SWIFT=…"; exit 1; \
	}

clean:
	$(SWIFT) package clean

# Installs Debian packages that are not there yet.
define install
for package in $(1); do \
    if ! dpkg-query --show --showformat='$${Status}' $$package 2>/dev/null | grep -q 'ok installed'; then \
        missing="$$missing $$package"; \
    fi; \
done; \
if [ -n "$$missing" ]; then \
    $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends $$missing; \
fi
endef

# Fuzzing: make fuzz TARGET=FuzzParse SECONDS=60, or make fuzz-all SECONDS=60 for every target in turn. The corpus, the
# findings and the log of all runs stay in .build/fuzz; make fuzz-figures adds up the log.
.PHONY: fuzz fuzz-all fuzz-figures fuzz-build hostile hostile-sources coverage
TARGET ?= FuzzParse
SECONDS ?= 60
FUZZ_HOME ?= .build/fuzz
FUZZ_SCRATCH = .build/fuzzer
FUZZ = FUZZ_HOME=$(FUZZ_HOME) FUZZER=$(FUZZ_SCRATCH)/release/PredicateFuzz \
    PROGRAM="$$($(SWIFT) build -c release $(SWIFT_FLAGS) --show-bin-path)/PredicateFuzz" sh Tests/Fuzz/fuzz.sh

# libFuzzer has its own main function, so its build needs a folder of its own.
fuzz-build: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product PredicateFuzz
	$(SWIFT) build -c release $(SWIFT_FLAGS) --scratch-path $(FUZZ_SCRATCH) --product PredicateFuzz \
	    --sanitize fuzzer -Xswiftc -DFUZZING

fuzz: fuzz-build
	@$(FUZZ) run $(TARGET) $(SECONDS)

fuzz-all: fuzz-build
	@$(FUZZ) all $(SECONDS)

fuzz-figures:
	@FUZZ_HOME=$(FUZZ_HOME) sh Tests/Fuzz/fuzz.sh figures

# Puts mutated and generated formats and data through the library and the command: make hostile COUNT=1000000 SEED=1
hostile: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product PredicateFuzz
	@"$$($(SWIFT) build -c release $(SWIFT_FLAGS) --show-bin-path)/PredicateFuzz" hostile Tests/Conformance $(COUNT) $(SEED)

# Puts mutants of the sources in a folder through lint: make hostile-sources SOURCES=FOLDER COUNT=20000 SEED=1
hostile-sources: setup
	@test -n "$(SOURCES)" || { echo "SOURCES=FOLDER is required: sources with predicates"; exit 2; }
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product PredicateFuzz
	@"$$($(SWIFT) build -c release $(SWIFT_FLAGS) --show-bin-path)/PredicateFuzz" sources $(SOURCES) $(COUNT) $(SEED)

# Measures which lines of the libraries the tests reach, with at most 2,000 inputs per target of the fuzzers' corpus on this
# machine. Lines that are not reached are listed in .build/coverage/missed.txt.
COVERAGE_SCRATCH ?= .build/coverage-build
coverage: setup
	PREDICATES_CORPUS=$(abspath $(FUZZ_HOME))/corpus \
	    $(SWIFT) test --enable-code-coverage $(SWIFT_FLAGS) --scratch-path $(COVERAGE_SCRATCH)
	@sh Tests/Fuzz/coverage.sh $(COVERAGE_SCRATCH) .build/coverage

# Compiles call sites of Apple's predicate classes, given as rows of JSON, with each module: make drop-in CALLS=calls.jsonl
.PHONY: drop-in
drop-in: setup
	@test -n "$(CALLS)" || { echo "CALLS=FILE.jsonl is required: rows of repo, path, line, shape, snippet"; exit 2; }
	@$(call install,python3)
	$(SWIFT) build $(SWIFT_FLAGS) --product NSPredicates
	@python3 Tests/DropIn/Tool/drop_in.py --swiftc $(SWIFT)c --work .build/drop-in \
	    --modules "$$($(SWIFT) build $(SWIFT_FLAGS) --show-bin-path)/Modules" "$(CALLS)"

# Benchmarks are not tests: quote figures of a quiet machine only. FILTER takes words of a path (filter-structs/P02/100k),
# FLAGS other options of the program (--quick, --scales 1k,100k).
.PHONY: bench bench-compare bench-peers bench-everyday bench-migration instructions
PACKAGES_PEERS := jq ripgrep gcc gobjc gnustep-make libgnustep-base-dev python3-venv
BENCH_RESULTS ?= .build/bench
BENCH_OBJECTS ?= 1000000
GNUSTEP_OBJECTS ?= 100000
RELEASE = "$$($(SWIFT) build -c release $(SWIFT_FLAGS) --show-bin-path)
BENCH = $(RELEASE)/PredicateBenchmarks"
BENCH_BUILD = mkdir -p $(BENCH_RESULTS) && $(SWIFT) build -c release $(SWIFT_FLAGS) --product PredicateBenchmarks
# A run of some benchmarks does not overwrite the results of the last complete run.
BENCH_RUN = $(BENCH_RESULTS)/$(if $(strip $(FILTER)$(FLAGS)),some,latest).jsonl
# The files that exist when the command runs: make itself would look before the recipe has written them.
BENCH_FILES = $$(ls $(BENCH_RUN) $(addprefix $(BENCH_RESULTS)/,gnustep.jsonl programs.jsonl) 2>/dev/null)
export BENCH_TOOLCHAIN = $(shell $(SWIFT) --version 2>/dev/null | sed -n 's/.*\(Swift\) version \([0-9.]*\).*/\1 \2/p')

# Prints all figures and which goals of Benchmarks/goals are met. Goals about other programs use the last make bench-peers.
bench: setup
	$(BENCH_BUILD)
	@test ! -f $(BENCH_RUN) || mv $(BENCH_RUN) $(BENCH_RESULTS)/previous.jsonl
	@$(BENCH) $(if $(FILTER),--filter "$(FILTER)") $(FLAGS) --json $(BENCH_RUN)
	@test ! -f $(BENCH_RUN) || $(BENCH) goals Benchmarks/goals $(BENCH_FILES)

# BASE is the results file of an earlier run, NOW that of a later run. Without NOW the benchmarks are run.
bench-compare: setup
	$(BENCH_BUILD)
	@test -n "$(BASE)" || { echo "BASE=FILE.jsonl is required: the results of an earlier run"; exit 2; }
	@cp "$(BASE)" $(BENCH_RESULTS)/base.jsonl
	@test -n "$(NOW)" || $(MAKE) --no-print-directory bench
	@$(BENCH) compare $(BENCH_RESULTS)/base.jsonl "$(or $(NOW),$(BENCH_RUN))"

# Runs other programs over the same data: GNUstep's NSPredicate and jq from Debian, DuckDB from PyPI.
bench-peers: setup
	@$(call install,$(PACKAGES_PEERS))
	$(BENCH_BUILD)
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate
	@test -x $(BENCH_RESULTS)/venv/bin/python || python3 -m venv $(BENCH_RESULTS)/venv
	@$(BENCH_RESULTS)/venv/bin/python -c 'import duckdb' 2>/dev/null \
	    || $(BENCH_RESULTS)/venv/bin/pip install --quiet --disable-pip-version-check duckdb
	gcc -std=gnu11 $$(gnustep-config --objc-flags | sed 's/-MMD -MP//') Benchmarks/Peers/gnustep.m \
	    -o $(BENCH_RESULTS)/gnustep $$(gnustep-config --base-libs)
	@$(BENCH) export $(BENCH_RESULTS)/gnustep-data $(GNUSTEP_OBJECTS)
	@$(BENCH) export $(BENCH_RESULTS)/data $(BENCH_OBJECTS)
	LC_ALL=C.UTF-8 $(BENCH_RESULTS)/gnustep $(BENCH_RESULTS)/gnustep-data $(GNUSTEP_OBJECTS) \
	    > $(BENCH_RESULTS)/gnustep.jsonl
	$(BENCH_RESULTS)/venv/bin/python Benchmarks/Peers/peers.py $(BENCH_RESULTS)/data $(BENCH_OBJECTS) \
	    $(RELEASE)/predicate" > $(BENCH_RESULTS)/programs.jsonl
	@$(BENCH) peers $(BENCH_RESULTS)/gnustep.jsonl $(BENCH_RESULTS)/programs.jsonl
	@$(BENCH) goals Benchmarks/goals $(BENCH_FILES)
	@$(MAKE) --no-print-directory bench-everyday

# Times everyday work of the command beside DuckDB with one thread, ripgrep and sort | uniq -c, and compares the answers; then
# random work beside DuckDB: make bench-everyday EVERYDAY_ROWS=1000000 GRID="200 seed". A cell over 1.5 times DuckDB is marked.
EVERYDAY_ROWS ?= 4000000
GRID ?=
bench-everyday: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate
	@mkdir -p $(BENCH_RESULTS)
	@test -x $(BENCH_RESULTS)/venv/bin/python || python3 -m venv $(BENCH_RESULTS)/venv
	@$(BENCH_RESULTS)/venv/bin/python -c 'import duckdb' 2>/dev/null \
	    || $(BENCH_RESULTS)/venv/bin/pip install --quiet --disable-pip-version-check duckdb
	@$(BENCH_RESULTS)/venv/bin/python Benchmarks/Peers/everyday.py $(BENCH_RESULTS)/everyday $(EVERYDAY_ROWS) $(RELEASE)/predicate"
	@$(BENCH_RESULTS)/venv/bin/python Benchmarks/Peers/grid.py $(BENCH_RESULTS)/everyday $(EVERYDAY_ROWS) \
	    $(RELEASE)/predicate" $(GRID)

# Compares the migration of a Core Data store with plain SQL for the same rows.
bench-migration: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product predicate
	@sh Benchmarks/Migration/migration.sh $(RELEASE)/predicate" $(or $(MIGRATED_OBJECTS),1000000)

# Times 90 predicates on PostgreSQL, MariaDB, DuckDB and SQLite beside SQL written by hand, and predicates that are drawn by a
# seed: make bench-engines ROWS=100000 ENGINE=duckdb DRAW=200 SEED=5. A count of rows that is not that of the evaluator is a
# failure. The databases stay in BENCH_ENGINES_DATA, which the accounts of the servers must be able to reach.
.PHONY: bench-engines
ROWS ?= 1000000
BENCH_ENGINES_DATA ?= $(abspath $(BENCH_RESULTS))/engines
bench-engines: setup
	@$(call install,python3)
	$(SWIFT) build -c release $(SWIFT_FLAGS) --product EngineBenchmark
	@sh Tests/Engines/engines.sh Benchmarks/Engines/run.py --keep $(BENCH_ENGINES_DATA)/$(ROWS) \
	    --program $(RELEASE)/EngineBenchmark" --data $(BENCH_ENGINES_DATA) --rows $(ROWS) \
	    --rounds $(if $(filter file undefined,$(origin ROUNDS)),5,$(ROUNDS)) $(if $(FILTER),--filter "$(FILTER)") \
	    $(if $(DRAW),--draw $(DRAW)) $(if $(filter file,$(origin SEED)),,--seed $(SEED)) \
	    $(if $(filter file,$(origin ENGINE)),sqlite postgresql mariadb duckdb,$(ENGINE))

# Compares the instruction counts of small workloads with Benchmarks/instructions.budget; UPDATE=1 rewrites the budget. The
# program is built in a folder of its own, so make test can build it while the tests run. With OPTIONAL=1, which make test
# sets, it is reported but not a failure if valgrind cannot be installed or run.
COUNTS_BUILD = $(SWIFT) build -c release $(SWIFT_FLAGS) --scratch-path .build/counts --product InstructionCounts
instructions: setup
	$(if $(OPTIONAL),-)@$(call install,valgrind)
	$(COUNTS_BUILD)
	@sh Benchmarks/instructions.sh .build/counts/release/InstructionCounts .build/counts/profiles \
	    Benchmarks/instructions.budget $(if $(UPDATE),--update) $(if $(OPTIONAL),--optional)

# Runs all tests under the thread and address sanitizers, one build each. SANITIZE_FILTER can select suites. The tests that are
# skipped are printed first, and all findings are shown.
.PHONY: sanitize
SANITIZERS ?= thread address
SANITIZE_FILTER ?=
# Three tests of peak memory and the tests of deep trees on small stacks: a sanitizer needs several times as much memory and
# stack. The address sanitizer does not look for leaks, since these three tests run a million evaluations each.
SANITIZE_SKIP = aLineOfAHundredMegabytes|aLineThatNeverEnds|aStreamThatNeverEndsTakesConstantMemory|DeepTreeTests

sanitize: setup
	@mkdir -p .build; status=0; for sanitizer in $(SANITIZERS); do \
	    echo "== $$sanitizer sanitizer, without $(SANITIZE_SKIP)"; \
	    if ! echo 'print(1)' | $(SWIFT)c -sanitize=$$sanitizer -o .build/sanitizer-probe - 2>/dev/null \
	        || ! .build/sanitizer-probe >/dev/null; then \
	        echo "SKIPPED: this toolchain or machine has no $$sanitizer sanitizer"; continue; \
	    fi; \
	    build="--sanitize $$sanitizer --scratch-path .build/sanitize-$$sanitizer $(SWIFT_FLAGS)"; \
	    $(SWIFT) build --build-tests $$build || exit 1; \
	    log=.build/sanitize-$$sanitizer.log; \
	    TSAN_OPTIONS=exitcode=66 ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --skip-build $$build \
	        $(if $(SANITIZE_FILTER),--filter '$(SANITIZE_FILTER)') --skip '$(SANITIZE_SKIP)' >$$log 2>&1 || status=1; \
	    grep -a -A 30 -E 'recorded an issue|(WARNING|ERROR): (Thread|Address)Sanitizer' $$log && status=1; \
	    grep -a 'Test run with' $$log || { echo "the tests did not end"; status=1; }; \
	    echo "all of it: $$log"; \
	done; exit $$status

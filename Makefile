# Everything that a fresh Debian machine with the Swift toolchain needs is installed by these targets.
SWIFT ?= swift
SWIFT_FLAGS ?=
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
PACKAGES_BUILD := libsqlite3-dev libedit-dev
PACKAGES_DEMO := $(PACKAGES_BUILD) iso-codes

COUNT ?= 1000000
SEED ?= 1

.PHONY: all build demo test agree lint format setup setup-demo clean

all: build

build: setup
	$(SWIFT) build -c release $(SWIFT_FLAGS)

# The main job on real input: three filters over the ISO tables of the machine, and one error.
demo: setup-demo
	$(SWIFT) build -c release --product predicate
	@sh Tests/Demo/demo.sh "$$($(SWIFT) build -c release --show-bin-path)/predicate"

test: setup
	$(SWIFT) build --build-tests $(SWIFT_FLAGS)
	$(SWIFT) test --skip-build $(SWIFT_FLAGS)

# The differential test of SQL against the evaluator, over any number of random predicates: make agree COUNT=1000000
agree: setup
	PREDICATES_AGREE_COUNT=$(COUNT) PREDICATES_AGREE_SEED=$(SEED) \
	    $(SWIFT) test -c release -Xswiftc -enable-testing --filter AgreementTests

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

setup:
	@$(call install,$(PACKAGES_BUILD))

setup-demo:
	@$(call install,$(PACKAGES_DEMO))

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

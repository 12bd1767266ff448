# Short names for the daily tasks; the work is done in xtask/.

# List the recipes
default:
    @just --list --unsorted

# Build everything, run one case from sign-in to certificate against a server, and keep serving
demo *ARGUMENTS:
    cargo xtask demo {{ARGUMENTS}}

# Run every test
test *ARGUMENTS:
    cargo xtask test {{ARGUMENTS}}

# Check formatting, lints and what must not be in the repository
lint:
    cargo xtask lint

# Format all sources
format:
    cargo fmt --all
    cargo fmt --all --manifest-path plugins/Cargo.toml

# Build the plugins and the release program
build:
    cargo xtask build

# Run the benchmarks
bench *ARGUMENTS:
    cargo xtask bench {{ARGUMENTS}}

# Make thousands of certificates in one process, and fail if its memory grows
soak *CERTIFICATES:
    cargo xtask soak {{CERTIFICATES}}

# Let one installation live through a simulated year, and verify every certificate at the end
year *ARGUMENTS:
    cargo xtask year {{ARGUMENTS}}

# Fuzz the API from its own OpenAPI description
fuzz-api *REQUESTS:
    cargo xtask fuzz-api {{REQUESTS}}

# Build the built-in plugins
plugins:
    cargo xtask plugins

# Write one sample file of each kind (photo, document, signature, video) to a folder
specimens DIR:
    cargo run --package sealwright-lab -- specimens --out {{DIR}}

# Check licences, advisories and sources of all dependencies (needs cargo-deny)
deny:
    cargo deny check

# What continuous integration runs
ci:
    .ci/run

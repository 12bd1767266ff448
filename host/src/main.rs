//! The `sealwright` program: parses the command line and runs what it names.

fn main() -> std::process::ExitCode {
    sealwright::cli::run()
}

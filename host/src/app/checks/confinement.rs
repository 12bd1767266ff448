//! Starts a process like those that read untrusted files, to check whether it can access the server's data.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, anyhow};
use sealwright_child_process::{Bounds, Layer, Role, probe::Report, run, this_program};

use super::check::Check;
use crate::config::Config;

const PART: &str = "confinement";
const REMEDY: &str = "run on Linux 5.13 or later with Landlock switched on (lsm=landlock,…) and seccomp, and let the \
                      container's own filter allow both; until then, a process that reads hostile files has all \
                      rights of the server's user";

pub(in crate::app) async fn check(config: &Config) -> Check {
    // The key is the most sensitive file, and exists by now.
    let paths = vec![config.data_dir.clone(), config.secret_key_file.clone()];
    let tried = tokio::task::spawn_blocking(move || probe(&paths)).await.map_err(anyhow::Error::from).flatten();
    tried.map_or_else(
        |error| Check::broken(PART, format!("{error:#}"), "check the memory and process limits of this user"),
        |report| judge(&report),
    )
}

fn probe(paths: &[PathBuf]) -> anyhow::Result<Report> {
    let bounds = Bounds { time: Duration::from_secs(10), output_bytes: 64 << 10, own_group: true };
    let mut command = Role::Probe.command(&this_program());
    // The process starts in another folder.
    for path in paths {
        command.arg(std::path::absolute(path)?);
    }
    let said = run(&mut command, b"", bounds).context("starting a confined process")?;
    let said = said.map_err(|failure| anyhow!("a confined process failed: {failure} {}", failure.errors.trim()))?;
    serde_json::from_slice(&said).context("reading what a confined process found")
}

fn judge(report: &Report) -> Check {
    let mut open: Vec<String> = report.opened.iter().map(|path| format!("can open {}", path.display())).collect();
    open.extend(report.made_socket.then(|| "can make a socket".to_owned()));
    let layers = [&report.files, &report.system_calls];
    let gaps = layers.into_iter().filter_map(|layer| match layer {
        Layer::InForce => None,
        Layer::InPart(why) | Layer::Missing(why) => Some(why.clone()),
    });
    let gaps: Vec<String> = gaps.collect();
    if !open.is_empty() {
        let why = if gaps.is_empty() { String::new() } else { format!(": {}", gaps.join("; ")) };
        return Check::doubtful(
            PART,
            format!("a process that reads hostile files {}{why}", open.join(" and ")),
            REMEDY,
        );
    }
    if matches!(report.system_calls, Layer::Missing(_)) {
        return Check::doubtful(PART, gaps.join("; "), REMEDY);
    }
    let in_part = if gaps.is_empty() { String::new() } else { format!(" ({})", gaps.join("; ")) };
    let finding = "a process that reads hostile files has no access to the server's files, no network and no new \
                   privileges";
    Check::good(PART, format!("{finding}{in_part}"))
}

#[cfg(test)]
mod tests {
    use super::{super::check::State, *};

    fn report() -> Report {
        Report { files: Layer::InForce, system_calls: Layer::InForce, opened: Vec::new(), made_socket: false }
    }

    #[test]
    fn what_a_process_could_do_counts_more_than_what_the_kernel_promises() {
        assert_eq!(judge(&report()).state, State::Good);
        let opened = Report { opened: vec!["/data/secret.key".into()], ..report() };
        let check = judge(&opened);
        assert_eq!(check.state, State::Doubtful);
        assert_eq!(check.finding, "a process that reads hostile files can open /data/secret.key");
        let without = Report {
            files: Layer::Missing("this kernel has no Landlock".to_owned()),
            system_calls: Layer::Missing("no filter".to_owned()),
            opened: vec!["/data".into()],
            made_socket: true,
        };
        let expected = "a process that reads hostile files can open /data and can make a socket: this kernel has no \
                        Landlock; no filter";
        assert_eq!(judge(&without).finding, expected);
    }

    #[test]
    fn an_older_landlock_is_named_and_good_enough() {
        let check = judge(&Report { files: Layer::InPart("version 1".to_owned()), ..report() });
        assert_eq!(check.state, State::Good);
        assert!(check.finding.ends_with("(version 1)"), "{}", check.finding);
    }
}

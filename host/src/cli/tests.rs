use clap::error::ErrorKind;

use super::*;

fn parse(line: &str) -> Result<Arguments, clap::Error> {
    let matches = command_line().try_get_matches_from(line.split(' '))?;
    Arguments::from_arg_matches(&matches)
}

#[test]
fn the_definition_of_the_command_line_is_sound() {
    command_line().debug_assert();
}

#[test]
fn every_command_has_help_with_an_example() {
    fn check(command: &clap::Command, path: &str) {
        for subcommand in command.get_subcommands() {
            let path = format!("{path} {}", subcommand.get_name());
            let example = subcommand.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(example.contains(&path), "{path}: {example:?}");
            assert!(subcommand.get_about().is_some(), "{path}");
            check(subcommand, &path);
        }
    }
    check(&command_line(), "sealwright");
}

#[test]
fn every_setting_has_its_flag_before_and_after_the_command() {
    let command = command_line();
    for setting in Setting::VARIANTS {
        let long = setting.flag();
        let flag = command.get_arguments().find(|argument| argument.get_long() == long.strip_prefix("--"));
        assert!(flag.is_some_and(clap::Arg::is_global_set), "{long}");
    }
    let given = parse("sealwright --listen 127.0.0.1:1 serve --data-dir /data").unwrap().settings.given();
    assert_eq!(given, [(Setting::Listen, "127.0.0.1:1".to_owned()), (Setting::DataDir, "/data".to_owned())]);
}

#[test]
fn settings_are_listed_by_the_help_of_serve_and_the_others_say_where_they_are() {
    fn help_of(command: &mut clap::Command, seen: &mut Vec<(String, String)>) {
        let help = command.render_long_help().to_string();
        seen.push((command.get_name().to_owned(), help));
        for subcommand in command.get_subcommands_mut().filter(|subcommand| subcommand.get_name() != "help") {
            help_of(subcommand, seen);
        }
    }
    let mut command = command_line();
    command.build();
    let mut seen = Vec::new();
    help_of(&mut command, &mut seen);
    assert!(seen.len() > 20, "{}", seen.len());
    for (name, help) in seen {
        let lists = |flag: String| help.contains(&format!("{flag} <")) || help.contains(&format!("{flag}[="));
        let listed = Setting::VARIANTS.iter().copied().filter(|setting| lists(setting.flag()));
        if name == "serve" {
            assert_eq!(listed.count(), Setting::VARIANTS.len(), "{help}");
        } else {
            assert!(listed.eq([Setting::DataDir]), "{name}: {help}");
            assert!(help.contains(SETTINGS), "{name}: {help}");
        }
    }
}

#[test]
fn a_switch_needs_no_value_and_takes_one() {
    let given = |line| parse(line).unwrap().settings.given();
    let switched = |value: &str| vec![(Setting::WebhookAllowPrivateAddresses, value.to_owned())];
    assert_eq!(given("sealwright serve --webhook-allow-private-addresses"), switched("true"));
    assert_eq!(given("sealwright serve --webhook-allow-private-addresses=false"), switched("false"));
    assert_eq!(given("sealwright serve"), []);
}

#[test]
fn commands_take_their_arguments() {
    let command = |line| parse(line).unwrap().command;
    assert!(matches!(command("sealwright serve"), Command::Serve(given) if given.role == server::Role::All));
    assert!(
        matches!(command("sealwright serve --role worker"), Command::Serve(given) if given.role == server::Role::Worker)
    );
    assert!(
        matches!(command("sealwright apply --dry-run a.toml b.toml"), Command::Apply(given) if given.dry_run && given.files.len() == 2)
    );
    assert!(matches!(command("sealwright facts --json a.pdf"), Command::Facts(given) if !given.pictures_only));
    assert!(parse("sealwright doctor --json").unwrap().json);
    assert_eq!(parse("sealwright apply").unwrap_err().kind(), ErrorKind::MissingRequiredArgument);
    assert_eq!(parse("sealwright webhook resend x").unwrap_err().kind(), ErrorKind::ValueValidation);
}

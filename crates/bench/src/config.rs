//! Configurations: what is run on every instance.

use super::models::FILES;
use super::peers::{PRESETS, Rule};
use super::words;
use crate::Host;
use crate::args::Bench;
use indubit_console::exit::Failure;
use indubit_run::program;

/// Something that is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub tool: Tool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Indubit itself, with these arguments of `check`.
    Indubit(Vec<String>),
    /// Another program with its arguments, in which placeholders are replaced.
    Peer { words: Vec<String>, rule: Rule },
}

impl Config {
    fn indubit(name: &str, arguments: Vec<String>) -> Config {
        Config { name: name.into(), tool: Tool::Indubit(arguments) }
    }

    /// The command, without limits and with `{model}` for the model. Two runs with equal commands did the same.
    pub fn command(&self) -> String {
        match &self.tool {
            Tool::Indubit(arguments) => {
                let mut all: Vec<&str> = vec!["indubit", "check", "{model}"];
                all.extend(arguments.iter().map(String::as_str));
                words::join(&all)
            }
            Tool::Peer { words, .. } => words::join(words),
        }
    }
}

/// All configurations that were asked for, in the order engines, configurations, switches, peers.
pub fn all(args: &Bench, host: &dyn Host) -> Result<Vec<Config>, Failure> {
    let engine = |name: &str| Config::indubit(name, vec!["--engine".into(), name.into()]);
    let mut configs: Vec<Config> = args.engines.iter().map(|name| engine(name)).collect();
    for text in &args.config {
        let (name, arguments) = named("--config", text)?;
        configs.push(Config::indubit(name, arguments));
    }
    if let Some(base) = &args.ablate {
        if !configs.iter().any(|config| config.name == *base) {
            let added = engine(base);
            validate(std::slice::from_ref(&added), host).map_err(|_| no_base(base))?;
            configs.insert(0, added);
        }
        configs.extend(ablations(&configs, base, args, host)?);
    }
    for text in &args.peer {
        configs.push(peer(text)?);
    }
    for (texts, is_safe) in [(&args.peer_safe, true), (&args.peer_unsafe, false)] {
        for text in texts {
            add_rule(&mut configs, text, is_safe)?;
        }
    }
    if configs.is_empty() {
        configs.push(Config::indubit("indubit", Vec::new()));
    }
    validate(&configs, host)?;
    Ok(configs)
}

fn no_base(name: &str) -> Failure {
    Failure::bad_input(format!("--ablate {name}: there is no such configuration"))
        .with_hint("name an engine, or a configuration that --config defines")
}

/// The base with each switch added to it.
fn ablations(configs: &[Config], base: &str, args: &Bench, host: &dyn Host) -> Result<Vec<Config>, Failure> {
    let base = configs.iter().find(|config| config.name == base).expect("it was added if it was missing");
    let Tool::Indubit(arguments) = &base.tool else {
        return Err(no_base(&base.name));
    };
    let mut switches = args.switch.clone();
    if args.every_switch {
        switches.extend(host.other_settings(&base.name, arguments)?);
    }
    let with = |switch: &String| {
        let words =
            words::split(switch).map_err(|e| Failure::bad_input(format!("--switch {switch}: {e}")))?;
        let name = format!("{} {}", base.name, words::join(&words));
        let is_setting = words.first().is_some_and(|word| !word.starts_with('-'));
        let added = words
            .into_iter()
            .flat_map(|word| is_setting.then(|| "--option".into()).into_iter().chain([word]));
        Ok(Config::indubit(&name, arguments.iter().cloned().chain(added).collect()))
    };
    switches.iter().map(with).collect()
}

/// `NAME=WORDS`.
fn named<'a>(option: &str, text: &'a str) -> Result<(&'a str, Vec<String>), Failure> {
    let (name, rest) = text.split_once('=').ok_or_else(|| {
        Failure::bad_input(format!("{option} {text}: expected a name, `=`, and what it stands for"))
    })?;
    let words = words::split(rest).map_err(|e| Failure::bad_input(format!("{option} {name}: {e}")))?;
    Ok((name.trim(), words))
}

/// `NAME=COMMAND`, or the name of a preset.
fn peer(text: &str) -> Result<Config, Failure> {
    let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    if let Some(preset) = PRESETS.iter().find(|preset| preset.name == text) {
        let installed = preset.programs.iter().find(|name| program(name).is_some());
        let Some(&installed) = installed else {
            let names = preset.programs.join(" or ");
            return Err(Failure::bad_input(format!("--peer {text}: the program {names} is not installed")));
        };
        let mut words = vec![installed.to_string()];
        words.extend(owned(preset.arguments));
        let rule = Rule { safe: owned(preset.safe), unsafe_: owned(preset.unsafe_) };
        return Ok(Config { name: text.into(), tool: Tool::Peer { words, rule } });
    }
    if !text.contains('=') {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        return Err(Failure::bad_input(format!("--peer {text}: there is no such peer"))
            .with_hint(format!("ready are {}; others are given as NAME=COMMAND", names.join(", "))));
    }
    let (name, words) = named("--peer", text)?;
    let Some(first) = words.first() else {
        return Err(Failure::bad_input(format!("--peer {name}: there is no command")));
    };
    if program(first).is_none() {
        return Err(Failure::bad_input(format!("--peer {name}: there is no program `{first}`")));
    }
    if !words.iter().any(|word| FILES.iter().any(|(name, _)| word.contains(name))) {
        return Err(Failure::bad_input(format!("--peer {name}: the command does not mention the model"))
            .with_hint(
                "write {model} where the path of the model goes, {aig} for a file in binary AIGER, or {chc} for Horn clauses",
            ));
    }
    Ok(Config { name: name.into(), tool: Tool::Peer { words, rule: Rule::default() } })
}

/// `NAME=TEXT`: a text in the output of that peer.
fn add_rule(configs: &mut [Config], text: &str, is_safe: bool) -> Result<(), Failure> {
    let option = if is_safe { "--peer-safe" } else { "--peer-unsafe" };
    let named = text.split_once('=').filter(|(_, meaning)| !meaning.trim().is_empty());
    let (name, meaning) = named.ok_or_else(|| {
        Failure::bad_input(format!("{option} {text}: expected the name of a peer, `=`, and a text"))
    })?;
    let rule = configs.iter_mut().find_map(|config| match &mut config.tool {
        Tool::Peer { rule, .. } if config.name == name.trim() => Some(rule),
        _ => None,
    });
    let rule =
        rule.ok_or_else(|| Failure::bad_input(format!("{option} {text}: there is no peer `{name}`")))?;
    if is_safe { &mut rule.safe } else { &mut rule.unsafe_ }.push(meaning.trim().into());
    Ok(())
}

/// Before hours go by: names that can be told apart, and arguments that `check` takes.
fn validate(configs: &[Config], host: &dyn Host) -> Result<(), Failure> {
    for (i, config) in configs.iter().enumerate() {
        let name = &config.name;
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(Failure::bad_input("a configuration needs a name of printable characters"));
        }
        if configs[..i].iter().any(|other| other.name == *name) {
            return Err(Failure::bad_input(format!("two configurations are called `{name}`")));
        }
        if let Tool::Indubit(arguments) = &config.tool {
            host.validate(name, arguments)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::path::Path;

    #[derive(Parser)]
    struct Call {
        #[command(flatten)]
        bench: Bench,
    }

    /// A program that takes everything but magic.
    struct Program;

    impl Host for Program {
        fn validate(&self, name: &str, arguments: &[String]) -> Result<(), Failure> {
            match arguments.iter().any(|word| word == "magic") {
                true => Err(Failure::bad_input(format!("configuration `{name}`: there is no magic"))),
                false => Ok(()),
            }
        }
        fn other_settings(&self, _: &str, _: &[String]) -> Result<Vec<String>, Failure> {
            Ok(vec!["joins=off".into(), "generalize=mic".into()])
        }
        fn convert(&self, _: &Path, _: Option<&str>, _: &Path) -> Result<Vec<u8>, Failure> {
            Ok(Vec::new())
        }
    }

    fn bench(words: &[&str]) -> Result<Vec<Config>, Failure> {
        let words = ["bench", "set.csv"].iter().chain(words);
        all(&Call::try_parse_from(words).unwrap().bench, &Program)
    }

    fn commands(words: &[&str]) -> Vec<(String, String)> {
        bench(words).unwrap().iter().map(|c| (c.name.clone(), c.command())).collect()
    }

    fn pair(name: &str, command: &str) -> (String, String) {
        (name.into(), command.into())
    }

    #[test]
    fn engines_and_configurations() {
        assert_eq!(commands(&[]), [pair("indubit", "indubit check {model}")]);
        assert_eq!(
            commands(&["--engines", "ic3,bmc", "--config", "deep=--engine bmc --bound 7"]),
            [
                pair("ic3", "indubit check {model} --engine ic3"),
                pair("bmc", "indubit check {model} --engine bmc"),
                pair("deep", "indubit check {model} --engine bmc --bound 7"),
            ]
        );
    }

    #[test]
    fn ablation_adds_one_configuration_for_each_switch() {
        assert_eq!(
            commands(&["--ablate", "ic3", "--switch", "--paranoid", "--switch", "--seed 1 --paranoid"]),
            [
                pair("ic3", "indubit check {model} --engine ic3"),
                pair("ic3 --paranoid", "indubit check {model} --engine ic3 --paranoid"),
                pair("ic3 --seed 1 --paranoid", "indubit check {model} --engine ic3 --seed 1 --paranoid"),
            ]
        );
        let with_base = ["--config", "base=--seed 3", "--ablate", "base", "--switch=--paranoid"];
        assert_eq!(
            commands(&with_base)[1],
            pair("base --paranoid", "indubit check {model} --seed 3 --paranoid")
        );
    }

    #[test]
    fn switches_by_the_names_of_options() {
        let found = commands(&["--ablate", "ic3", "--switch", "joins=on activity=off"]);
        let command = "indubit check {model} --engine ic3 --option joins=on --option activity=off";
        assert_eq!(found[1], pair("ic3 joins=on activity=off", command));
        let every = commands(&["--ablate", "ic3", "--every-switch"]);
        let names: Vec<&str> = every.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["ic3", "ic3 joins=off", "ic3 generalize=mic"]);
    }

    #[test]
    fn peers_and_their_rules() {
        let configs =
            bench(&["--peer", "p=sh -c 'echo \"$0\"' {model}", "--peer-safe", "p=Proved = yes"]).unwrap();
        assert_eq!(configs[0].command(), "sh -c 'echo \"$0\"' {model}");
        let Tool::Peer { rule, .. } = &configs[0].tool else { panic!("a peer") };
        assert_eq!(rule.safe, ["Proved = yes"]);
    }

    #[test]
    fn mistakes_are_found_before_anything_runs() {
        for (words, expected) in [
            (&["--config", "x"][..], "expected a name"),
            (&["--config", "x=--engine magic"], "configuration `x`: there is no magic"),
            (&["--config", "x='"], "is not closed"),
            (&["--config", "=--seed 1"], "needs a name"),
            (&["--engines", "ic3", "--config", "ic3=--seed 1"], "two configurations are called `ic3`"),
            (&["--ablate", "magic", "--switch=--paranoid"], "there is no such configuration"),
            (&["--peer", "magic"], "there is no such peer"),
            (&["--peer", "x=no-such-program {model}"], "there is no program"),
            (&["--peer", "x=sh"], "does not mention the model"),
            (&["--peer", "x="], "there is no command"),
            (&["--peer-safe", "x=y"], "there is no peer `x`"),
            (&["--peer", "x=sh {model}", "--peer-safe", "x="], "expected the name of a peer"),
        ] {
            let error = format!("{:?}", bench(words).unwrap_err());
            assert!(error.contains(expected), "{words:?}: {error}");
        }
    }
}

//! The options of the puzzles' generators as flags of the command line, derived from what the puzzles declare.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use novelo_puzzles::PUZZLES;
use novelo_search::parameter::{Kind, Parameter};

/// The options that were given: names and values, still to be checked against those of the one puzzle meant.
#[derive(Debug, Clone, Default)]
pub struct GeneratorOptions(pub Vec<(&'static str, String)>);

/// Every option of any puzzle's generator once, with the puzzles that have it.
fn declared() -> Vec<(&'static Parameter, Vec<(&'static str, &'static Parameter)>)> {
    let mut options: Vec<(&Parameter, Vec<_>)> = Vec::new();
    for puzzle in PUZZLES {
        let info = puzzle.info();
        for parameter in info.generator {
            match options.iter_mut().find(|(first, _)| first.name == parameter.name) {
                Some((_, owners)) => owners.push((info.name, parameter)),
                None => options.push((parameter, vec![(info.name, parameter)])),
            }
        }
    }
    options
}

/// What an option does, for each puzzle that has it: "Exactly one solution (numbrix, mazes)".
fn help(owners: &[(&'static str, &'static Parameter)]) -> String {
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    for (puzzle, parameter) in owners {
        let mut about = parameter.about.trim_end_matches('.').to_owned();
        if let Kind::Word(_) = parameter.kind {
            about = format!("{about}: {}", parameter.kind);
        }
        if let Some((_, puzzles)) = parts.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&about)) {
            puzzles.push(puzzle);
            continue;
        }
        if let Some(first) = about.get_mut(..1).filter(|_| !parts.is_empty()) {
            first.make_ascii_lowercase();
        }
        parts.push((about, vec![puzzle]));
    }
    let part = |(about, puzzles): &(String, Vec<&str>)| format!("{about} ({})", puzzles.join(", "));
    parts.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// Whether an option is given by its name alone, for all puzzles that have it.
fn is_flag(owners: &[(&'static str, &'static Parameter)]) -> bool {
    owners.iter().all(|(_, parameter)| parameter.kind == Kind::Flag)
}

impl Args for GeneratorOptions {
    fn augment_args(command: Command) -> Command {
        declared().into_iter().fold(command, |command, (parameter, owners)| {
            let arg = Arg::new(parameter.name).long(parameter.name).help(help(&owners));
            command.arg(if is_flag(&owners) {
                arg.action(ArgAction::SetTrue)
            } else {
                arg.value_name(match parameter.kind {
                    Kind::Integer { .. } | Kind::Number { .. } => "N",
                    Kind::Flag => "BOOL",
                    Kind::Word(_) => "WORD",
                    Kind::Text(_) => "TEXT",
                })
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GeneratorOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = declared().into_iter().filter_map(|(parameter, owners)| {
            let value = if is_flag(&owners) {
                matches.get_flag(parameter.name).then(|| "true".to_owned())
            } else {
                matches.get_one::<String>(parameter.name).cloned()
            };
            value.map(|value| (parameter.name, value))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_of_several_puzzles_is_given_the_same_way_to_all() {
        for (_, owners) in declared() {
            let flags = owners.iter().filter(|(_, parameter)| parameter.kind == Kind::Flag).count();
            assert!(flags == 0 || flags == owners.len(), "{owners:?}");
        }
    }

    #[test]
    fn the_help_names_the_puzzles() {
        let of = |name: &str| {
            declared().into_iter().find(|(it, _)| it.name == name).map(|(_, owners)| help(&owners))
        };
        assert_eq!(of("unique").as_deref(), Some("Exactly one solution (numbrix, mazes)"));
        assert_eq!(
            of("goal").as_deref(),
            Some(
                "The goal: blank-last, blank-first, or a board (sliding); how many boxes are to be closed (boxes)"
            )
        );
    }
}

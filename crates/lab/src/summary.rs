//! Runs put together: by method, by instance, by whatever tells them apart.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;

use serde::Serialize;

use crate::run::{Ending, Run};
use crate::statistics::{deviation, mean};

/// What runs can be grouped by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Field {
    /// The algorithm.
    Algorithm,
    /// The heuristic.
    Heuristic,
    /// Algorithm, heuristic and everything else the method is told.
    Method,
    /// The instance.
    Instance,
    /// The puzzle.
    Puzzle,
    /// Rows and columns.
    Size,
    /// A swept parameter of this name.
    Parameter(String),
}

impl Field {
    /// The name it is asked for by.
    pub fn name(&self) -> &str {
        match self {
            Self::Algorithm => "algorithm",
            Self::Heuristic => "heuristic",
            Self::Method => "method",
            Self::Instance => "instance",
            Self::Puzzle => "puzzle",
            Self::Size => "size",
            Self::Parameter(name) => name,
        }
    }

    /// Its value in a run.
    pub fn of(&self, run: &Run) -> String {
        let task = &run.task;
        match self {
            Self::Algorithm => task.method.algorithm.clone(),
            Self::Heuristic => task.method.heuristic.clone().unwrap_or_default(),
            Self::Method => task.method.label(),
            Self::Instance => task.subject.name.clone(),
            Self::Puzzle => task.subject.puzzle().to_owned(),
            Self::Size => task.subject.size().map(|size| size.to_string()).unwrap_or_default(),
            Self::Parameter(name) => task.method.parameters.get(name).cloned().unwrap_or_default(),
        }
    }
}

impl FromStr for Field {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Ok(match name {
            "algorithm" => Self::Algorithm,
            "heuristic" => Self::Heuristic,
            "method" => Self::Method,
            "instance" => Self::Instance,
            "puzzle" => Self::Puzzle,
            "size" => Self::Size,
            "" => return Err("a field to group by has a name".into()),
            name => Self::Parameter(name.into()),
        })
    }
}

/// What a group of runs has in common, and the means of their figures over those that ended with an answer.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct Summary {
    /// The values of the fields it was grouped by.
    pub group: Vec<String>,
    /// The places of its runs among all that were summarised.
    pub runs: Vec<usize>,
    /// How many instances it has runs on.
    pub instances: usize,
    /// How many of these were answered: solved, or proved unsolvable.
    pub solved: usize,
    /// How many of these answers are proved: the cost optimal, or no solution.
    pub proved: usize,
    /// How its last unanswered run ended, if there is one.
    pub stop: Option<String>,
    /// Which instances it has runs on: the same number for groups that have the same.
    #[serde(skip)]
    pub boards: usize,
    /// Whether one of its solutions costs more than another that was found for the same instance.
    #[serde(skip)]
    pub outdone: bool,
    /// How many of its answered runs have node counts.
    #[serde(skip)]
    pub counted: usize,
    /// How many of its answered runs say how much memory they held.
    #[serde(skip)]
    pub weighed: usize,
    pub cost: Option<f64>,
    pub expanded: Option<f64>,
    pub generated: Option<f64>,
    pub stored_peak: Option<f64>,
    pub peak_bytes: Option<f64>,
    pub seconds: Option<f64>,
    /// The standard deviation of the seconds over repeats of the same run.
    pub deviation: Option<f64>,
    pub penetrance: Option<f64>,
    pub branching_factor: Option<f64>,
}

/// Groups runs by the values of some fields, in the order in which they first appear.
pub fn summarise(runs: &[Run], by: &[Field]) -> Vec<Summary> {
    let mut groups: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
    let mut places = HashMap::new();
    for (i, run) in runs.iter().enumerate() {
        let key: Vec<_> = by.iter().map(|field| field.of(run)).collect();
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(i);
    }
    let least = least_costs(runs);
    let mut boards = HashMap::new();
    let summarised = groups.into_iter().map(|(group, members)| {
        let mut summary = summary(group, members, runs);
        let on: BTreeSet<_> = summary.runs.iter().map(|&i| &runs[i].task.subject.instance).collect();
        let next = boards.len();
        summary.boards = *boards.entry(on).or_insert(next);
        let dearer = |run: &Run| run.figures.cost > least.get(run.task.subject.instance.as_str()).copied();
        summary.outdone = summary.runs.iter().any(|&i| dearer(&runs[i]));
        summary
    });
    summarised.collect()
}

/// The least cost of a solution that was found for each instance.
fn least_costs(runs: &[Run]) -> HashMap<&str, u32> {
    let mut least = HashMap::new();
    for run in runs {
        if let Some(cost) = run.figures.cost {
            let known = least.entry(run.task.subject.instance.as_str()).or_insert(cost);
            *known = cost.min(*known);
        }
    }
    least
}

fn summary(group: Vec<String>, members: Vec<usize>, runs: &[Run]) -> Summary {
    let of = |i: &usize| &runs[*i];
    let answered: Vec<&Run> = members.iter().map(of).filter(|run| run.answered()).collect();
    let average = |figure: fn(&Run) -> Option<f64>| {
        mean(&answered.iter().filter_map(|run| figure(run)).collect::<Vec<_>>())
    };
    let proved = |run: &&&Run| run.figures.optimal || run.outcome == Ending::Unsolvable;
    let unanswered = members.iter().map(of).rfind(|run| !run.answered());
    Summary {
        instances: distinct(members.iter().map(of)),
        solved: distinct(answered.iter().copied()),
        proved: distinct(answered.iter().filter(proved).copied()),
        stop: unanswered.map(|run| run.ended().to_owned()),
        boards: 0,
        outdone: false,
        counted: answered.iter().filter(|run| run.figures.expanded.is_some()).count(),
        weighed: answered.iter().filter(|run| run.figures.peak_bytes.is_some()).count(),
        cost: average(|run| run.figures.cost.map(f64::from)),
        expanded: average(|run| run.figures.expanded.map(|n| n as f64)),
        generated: average(|run| run.figures.generated.map(|n| n as f64)),
        stored_peak: average(|run| run.figures.stored_peak.map(|n| n as f64)),
        peak_bytes: average(|run| run.figures.peak_bytes.map(|n| n as f64)),
        seconds: average(|run| run.figures.seconds),
        deviation: spread(&answered),
        penetrance: average(|run| run.figures.penetrance),
        branching_factor: average(|run| run.figures.branching_factor),
        group,
        runs: members,
    }
}

fn distinct<'a>(runs: impl Iterator<Item = &'a Run>) -> usize {
    runs.map(|run| &run.task.subject).collect::<BTreeSet<_>>().len()
}

/// The deviation over repeats, pooled over all that was repeated: how far a measured time is to be trusted, not how
/// much instances differ.
fn spread(runs: &[&Run]) -> Option<f64> {
    let mut repeats = HashMap::<_, Vec<f64>>::new();
    for run in runs {
        let what = (&run.task.subject, &run.task.method);
        repeats.entry(what).or_default().extend(run.figures.seconds);
    }
    let variances: Vec<_> =
        repeats.values().filter_map(|seconds| deviation(seconds)).map(|it| it * it).collect();
    mean(&variances).map(f64::sqrt)
}

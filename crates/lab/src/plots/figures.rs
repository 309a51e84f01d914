//! The plots of the lab: which runs become which points.

use std::collections::{BTreeMap, HashMap};

use novelo_search::parameter::Spec;

use super::{Axis, Chart, Point, Series, Shape, Unit};
use crate::run::{Ending, Run};
use crate::statistics::mean;
use crate::summary::Summary;
use crate::task::{Method, Subject};

/// A figure of runs that can be plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Measure {
    Seconds,
    Expanded,
    Generated,
    Stored,
    Memory,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Seconds, Self::Expanded, Self::Generated, Self::Stored, Self::Memory];

    /// What it is, in words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Seconds => "time",
            Self::Expanded => "nodes expanded",
            Self::Generated => "nodes generated",
            Self::Stored => "most nodes held",
            Self::Memory => "memory",
        }
    }

    /// What an axis of it says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Seconds => "time",
            Self::Expanded => "nodes expanded",
            Self::Generated => "nodes generated",
            Self::Stored => "most nodes held at once",
            Self::Memory => "memory held",
        }
    }

    /// What its numbers are.
    pub fn unit(self) -> Unit {
        match self {
            Self::Seconds => Unit::Seconds,
            Self::Memory => Unit::Bytes,
            Self::Expanded | Self::Generated | Self::Stored => Unit::Number,
        }
    }

    /// Its value in a run.
    pub fn of(self, run: &Run) -> Option<f64> {
        let figures = &run.figures;
        match self {
            Self::Seconds => figures.seconds,
            Self::Expanded => figures.expanded.map(|n| n as f64),
            Self::Generated => figures.generated.map(|n| n as f64),
            Self::Stored => figures.stored_peak.map(|n| n as f64),
            Self::Memory => figures.peak_bytes.map(|n| n as f64),
        }
    }

    /// Its mean in a summary.
    pub fn mean(self, summary: &Summary) -> Option<f64> {
        match self {
            Self::Seconds => summary.seconds,
            Self::Expanded => summary.expanded,
            Self::Generated => summary.generated,
            Self::Stored => summary.stored_peak,
            Self::Memory => summary.peak_bytes,
        }
    }
}

/// What scaling is measured against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// The number of cells of the board.
    Cells,
    /// The cost of an optimal solution, where a run proved one.
    OptimalCost,
}

/// The mean of a figure for each summary, on a logarithmic scale.
pub fn bars(summaries: &[Summary], measure: Measure) -> Chart {
    let shown: Vec<_> = summaries
        .iter()
        .filter_map(|summary| Some((summary, measure.mean(summary).filter(|&mean| mean > 0.0)?)))
        .collect();
    let label = |summary: &Summary| {
        let name =
            summary.group.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ");
        if summary.solved == summary.instances {
            name
        } else {
            format!("{name} ({} of {})", summary.solved, summary.instances)
        }
    };
    // The first stands at the top.
    let shown: Vec<_> = shown.into_iter().rev().collect();
    let points = shown.iter().enumerate().map(|(i, &(_, mean))| Point::new(mean, i as f64 + 1.0));
    Chart {
        title: format!("Mean {}", measure.title()),
        note: shown
            .iter()
            .any(|(summary, _)| summary.solved < summary.instances)
            .then(|| "means over the instances that the method answered, in brackets where not all".into()),
        x: Axis::log(format!("mean {}, logarithmic", measure.label())).of(measure.unit()),
        y: Axis { categories: shown.iter().map(|(summary, _)| label(summary)).collect(), ..Axis::linear("") },
        series: vec![Series { name: String::new(), shape: Shape::Bars, points: points.collect() }],
        diagonal: None,
    }
}

/// How a figure grows with the size of the board or the cost of an optimal solution, method by method.
pub fn scaling(runs: &[Run], against: Against, measure: Measure) -> Chart {
    let optimal = optimal_costs(runs);
    let place = |run: &Run| match against {
        Against::Cells => run.task.subject.size().map(|size| size.cells() as u32),
        Against::OptimalCost => optimal.get(run.task.subject.instance.as_str()).copied(),
    };
    let mut series = Vec::new();
    for (name, runs) in by_method(runs) {
        let mut values = BTreeMap::<u32, Vec<f64>>::new();
        for run in runs.iter().filter(|run| run.outcome == Ending::Solved) {
            if let (Some(x), Some(value)) = (place(run), measure.of(run)) {
                values.entry(x).or_default().push(value);
            }
        }
        let points = values.iter().filter_map(|(&x, values)| Some(Point::new(f64::from(x), mean(values)?)));
        series.push(Series { name, shape: Shape::Line, points: points.filter(|p| p.y > 0.0).collect() });
    }
    let x = match against {
        Against::Cells => "cells of the board",
        Against::OptimalCost => "cost of an optimal solution",
    };
    Chart {
        title: format!("{} against {x}", capital(measure.title())),
        note: Some("means over the boards solved at each value".into()),
        x: Axis::linear(x),
        y: Axis::log(format!("{}, logarithmic", measure.label())).of(measure.unit()),
        series,
        diagonal: None,
    }
}

/// How many instances each method has answered after a time.
pub fn cactus(runs: &[Run]) -> Chart {
    let mut series = Vec::new();
    for (name, runs) in by_method(runs) {
        let mut times = HashMap::<&Subject, Vec<f64>>::new();
        for run in runs.iter().filter(|run| run.answered()) {
            times.entry(&run.task.subject).or_default().extend(run.figures.seconds);
        }
        let mut times: Vec<f64> =
            times.values().filter_map(|times| mean(times)).map(|t| t.max(1e-7)).collect();
        times.sort_by(f64::total_cmp);
        let points = times.iter().enumerate().map(|(i, &time)| Point::new(time, i as f64 + 1.0));
        series.push(Series { name, shape: Shape::Steps, points: points.collect() });
    }
    Chart {
        title: "Instances answered against time".into(),
        note: None,
        x: Axis::log("time for each, logarithmic").of(Unit::Seconds),
        y: Axis::linear("instances answered within it"),
        series,
        diagonal: None,
    }
}

/// The cost of the best solution after a time, and beneath it the bound that is proved by then, as multiples of the least
/// cost that any run has found: means over the instances, from when all that a method solves have a solution.
pub fn anytime(runs: &[Run]) -> Chart {
    let mut best = HashMap::<&Subject, u32>::new();
    for (run, cost) in runs.iter().filter_map(|run| Some((run, run.figures.cost?))) {
        best.entry(&run.task.subject).and_modify(|least| *least = cost.min(*least)).or_insert(cost);
    }
    let mut series = Vec::new();
    for (name, runs) in by_method(runs) {
        let told = runs.iter().filter(|run| !run.improvements.is_empty());
        let told: Vec<_> = told.filter(|run| best[&*run.task.subject] > 0).collect();
        let mut times: Vec<f64> = Vec::new();
        for run in &told {
            times.extend(run.improvements.iter().map(|it| it.seconds).chain(run.figures.seconds));
        }
        let begin = told.iter().map(|run| run.improvements[0].seconds).fold(0.0, f64::max);
        times.retain(|&time| time >= begin);
        times.sort_by(f64::total_cmp);
        let mut points = [Vec::new(), Vec::new()];
        for time in times {
            let now = told.iter().filter_map(|run| {
                let last = run.improvements.iter().take_while(|it| it.seconds <= time).last()?;
                let least = f64::from(best[&*run.task.subject]);
                let ended = run.figures.seconds.is_some_and(|end| end <= time);
                let bound = if ended { run.figures.lower_bound } else { last.lower_bound };
                Some((f64::from(last.cost) / least, f64::from(bound.unwrap_or(0)) / least))
            });
            let (costs, bounds): (Vec<_>, Vec<_>) = now.unzip();
            for (points, values) in points.iter_mut().zip([costs, bounds]) {
                points.extend(mean(&values).map(|mean| Point::new(time.max(1e-7), mean)));
            }
        }
        let [costs, bounds] = points;
        series.push(Series { name: name.clone(), shape: Shape::Steps, points: costs });
        series.push(Series { name: format!("{name}: bound"), shape: Shape::Steps, points: bounds });
    }
    series.retain(|series| !series.points.is_empty());
    Chart {
        title: "Solution cost against time, with the proved bound beneath".into(),
        note: Some("means over the instances, as multiples of the least cost that any run has found".into()),
        x: Axis::log("time (s), logarithmic"),
        y: Axis::linear("cost, and bound"),
        series,
        diagonal: None,
    }
}

/// Two methods, instance by instance.
pub fn scatter(runs: &[Run], first: &str, second: &str, measure: Measure) -> Chart {
    let means = |label: &str| {
        let mut values = BTreeMap::<&Subject, Vec<f64>>::new();
        for run in runs.iter().filter(|run| run.answered() && run.task.method.label() == label) {
            values.entry(&run.task.subject).or_default().extend(measure.of(run));
        }
        values
    };
    let (left, right) = (means(first), means(second));
    let both = left.iter().filter_map(|(instance, values)| {
        let point = Point::new(mean(values)?, mean(right.get(instance)?)?);
        (point.x > 0.0 && point.y > 0.0).then_some(Point { weight: 0.4, ..point })
    });
    let points: Vec<_> = both.collect();
    let alone = left.len().max(right.len()) - points.len();
    Chart {
        title: format!("{}: {second} against {first}", capital(measure.title())),
        note: (alone > 0)
            .then(|| format!("{alone} instances are not shown: answered by one alone, or with a value of 0")),
        x: Axis::log(format!("{first}: {}", measure.label())).of(measure.unit()),
        y: Axis::log(format!("{second}: {}", measure.label())).of(measure.unit()),
        series: vec![Series { name: "instances".into(), shape: Shape::Points, points }],
        diagonal: Some("equal".into()),
    }
}

/// A figure against a swept parameter, with its least value marked.
pub fn sweep(runs: &[Run], parameter: &str, measure: Measure) -> Chart {
    let mut families = Vec::<(String, BTreeMap<String, Vec<&Run>>)>::new();
    for run in runs {
        let Some(value) = run.task.method.parameters.get(parameter) else { continue };
        let name = family(run, parameter);
        if families.iter().all(|(known, _)| *known != name) {
            families.push((name.clone(), BTreeMap::new()));
        }
        let (_, values) = families.iter_mut().find(|(known, _)| *known == name).expect("just added");
        values.entry(value.clone()).or_default().push(run);
    }
    let mut series = Vec::new();
    let mut left_out = 0;
    for (name, values) in families {
        let most = values.values().map(|runs| answered(runs)).max().unwrap_or(0);
        let mut points = Vec::new();
        for (value, runs) in &values {
            // A mean over fewer instances would make a value look good for giving up.
            if answered(runs) < most {
                left_out += 1;
                continue;
            }
            let figures: Vec<_> =
                runs.iter().filter(|run| run.answered()).filter_map(|run| measure.of(run)).collect();
            if let (Ok(x), Some(y)) = (value.parse(), mean(&figures).filter(|&y| y > 0.0)) {
                points.push(Point::new(x, y));
            }
        }
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let least = points.iter().copied().min_by(|a, b| a.y.total_cmp(&b.y));
        series.push(Series { name: name.clone(), shape: Shape::Line, points });
        if let Some(least) = least {
            let name = format!("least: {parameter} = {}", least.x);
            series.push(Series { name, shape: Shape::Mark, points: vec![Point { weight: 0.5, ..least }] });
        }
    }
    Chart {
        title: format!("{} against {parameter}", capital(measure.title())),
        note: (left_out > 0)
            .then(|| format!("{left_out} values that answered fewer instances are not shown")),
        x: Axis::linear(parameter),
        y: Axis::log(format!("mean {}, logarithmic", measure.label())).of(measure.unit()),
        series,
        diagonal: None,
    }
}

/// A figure against a swept parameter on each board, for each of the methods that were swept: what the mean of all boards
/// hides.
pub fn sweep_boards(runs: &[Run], parameter: &str, measure: Measure) -> Vec<(String, Chart)> {
    type Curves = BTreeMap<String, BTreeMap<String, Vec<f64>>>;
    let mut families = Vec::<(String, Curves)>::new();
    for run in runs.iter().filter(|run| run.answered()) {
        let Some(value) = run.task.method.parameters.get(parameter) else { continue };
        let name = family(run, parameter);
        if families.iter().all(|(known, _)| *known != name) {
            families.push((name.clone(), Curves::new()));
        }
        let (_, boards) = families.iter_mut().find(|(known, _)| *known == name).expect("just added");
        let values = boards.entry(run.task.subject.name.clone()).or_default();
        values.entry(value.clone()).or_default().extend(measure.of(run));
    }
    let chart = |name: &str, boards: Curves| {
        let series = boards.into_iter().map(|(board, values)| {
            let point = |(value, figures): (&String, &Vec<f64>)| {
                Some(Point::new(value.parse().ok()?, mean(figures).filter(|&y| y > 0.0)?))
            };
            let mut points: Vec<_> = values.iter().filter_map(point).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Series { name: board, shape: Shape::Line, points }
        });
        Chart {
            title: format!("{} of {name} against {parameter}, board by board", capital(measure.title())),
            note: None,
            x: Axis::linear(parameter),
            y: Axis::log(format!("{}, logarithmic", measure.label())).of(measure.unit()),
            series: series.collect(),
            diagonal: None,
        }
    };
    families.into_iter().map(|(name, boards)| (name.clone(), chart(&name, boards))).collect()
}

/// A heuristic against the true distance: how many states have which pair of values.
pub fn h_against_distance(heuristic: &str, pairs: &BTreeMap<(u32, i64), u64>) -> Chart {
    let most = pairs.values().copied().max().unwrap_or(1) as f64;
    // Estimates are counted in thousandths, so that fractions keep their place.
    let point = |(&(distance, thousandths), &states): (&(u32, i64), &u64)| Point {
        x: f64::from(distance),
        y: thousandths as f64 / 1000.0,
        weight: ((states as f64).ln_1p() / most.ln_1p()).max(0.05),
    };
    let mut sums = BTreeMap::<u32, (f64, f64)>::new();
    for (&(distance, thousandths), &states) in pairs {
        let (sum, count) = sums.entry(distance).or_default();
        *sum += thousandths as f64 / 1000.0 * states as f64;
        *count += states as f64;
    }
    let means = sums.iter().map(|(&distance, &(sum, count))| Point::new(f64::from(distance), sum / count));
    let above = |point: &Point| point.y > point.x + 1e-9;
    let (over, under): (Vec<_>, Vec<_>) = pairs.iter().map(point).partition(above);
    let mut series =
        vec![Series { name: "states (larger: more)".into(), shape: Shape::Points, points: under }];
    if !over.is_empty() {
        series.push(Series { name: "overestimated".into(), shape: Shape::Points, points: over });
    }
    series.push(Series { name: "mean of h".into(), shape: Shape::Line, points: means.collect() });
    Chart {
        title: format!("{heuristic} against the true distance"),
        note: None,
        x: Axis::linear("true distance to the goal (cost)"),
        y: Axis::linear("estimate h"),
        series,
        diagonal: Some("h = distance".into()),
    }
}

/// The cost of an optimal solution of each instance of which a run proved one.
pub fn optimal_costs(runs: &[Run]) -> HashMap<&str, u32> {
    let proved = runs.iter().filter(|run| run.figures.optimal);
    proved.filter_map(|run| Some((run.task.subject.instance.as_str(), run.figures.cost?))).collect()
}

fn by_method(runs: &[Run]) -> Vec<(String, Vec<&Run>)> {
    let mut groups = Vec::<(String, Vec<&Run>)>::new();
    for run in runs {
        let label = run.task.method.label();
        match groups.iter_mut().find(|(known, _)| *known == label) {
            Some((_, runs)) => runs.push(run),
            None => groups.push((label, vec![run])),
        }
    }
    groups
}

/// What the methods of a sweep have in common: the label with the parameter's name in place of its value.
fn family(run: &Run, parameter: &str) -> String {
    let value = &run.task.method.parameters[parameter];
    let nameless = |text: &str| match text.parse::<Spec>() {
        Ok(mut spec) => {
            for given in &mut spec.given {
                if given.0 == parameter || (given.0.is_empty() && given.1 == *value) {
                    *given = (String::new(), parameter.to_owned());
                }
            }
            spec.to_string()
        }
        Err(_) => text.to_owned(),
    };
    let mut method = Method::clone(&run.task.method);
    method.algorithm = nameless(&method.algorithm);
    method.heuristic = method.heuristic.as_deref().map(nameless);
    method.label()
}

fn answered(runs: &[&Run]) -> usize {
    let answered = runs.iter().filter(|run| run.answered());
    answered.map(|run| &run.task.subject).collect::<std::collections::HashSet<_>>().len()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

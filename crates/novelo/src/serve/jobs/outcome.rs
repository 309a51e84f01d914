//! What several runs come to: tables, charts and files, all made by the lab.

use novelo_lab::report::Report;
use novelo_lab::results::Header;
use novelo_lab::summary::{Field, summarise};
use novelo_lab::table::{Table, of_summaries};
use novelo_lab::{Ending, Run, machine};
use serde::Serialize;

use super::files::File;
use super::job::Job;

/// What several runs come to.
#[derive(Serialize)]
pub struct Outcome {
    /// A row for each method.
    table: Table,
    /// A row for each instance and method, where there are several instances.
    details: Option<Table>,
    /// Runs that could not be done, and why.
    remarks: Vec<String>,
    files: Vec<File>,
}

impl Outcome {
    /// Puts runs together under a title, and leaves the files with the job.
    pub fn of(title: &str, text: &str, runs: &[Run], job: &Job) -> Self {
        let table = |by: &[Field]| of_summaries(&summarise(runs, by), by);
        let several = runs.iter().any(|run| run.task.subject != runs[0].task.subject);
        let methods = table(&[Field::Method]);
        let details = several.then(|| table(&[Field::Instance, Field::Method]));
        let full = details.as_ref().unwrap_or(&methods);
        let headers = [Header {
            experiment: title.into(),
            text: text.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            commit: machine::COMMIT.map(str::to_owned),
            machine: machine::describe(),
            jobs: 1,
            shard: None,
        }];
        let report = Report::new(&headers, runs, vec![Field::Method]);
        let charts = report.charts();
        let mut files: Vec<_> = charts.iter().flat_map(|(name, chart)| File::charts(name, chart)).collect();
        files.push(File::download("table.csv", "The table as CSV", "text/csv", full.csv()));
        files.push(File::download("table.md", "The table as Markdown", "text/markdown", full.markdown()));
        files.push(File::download("report.html", "All of it as one page", "text/html", report.html()));
        job.keep(files.clone());
        Self { table: methods, details, remarks: remarks(runs), files }
    }
}

/// Why runs could not be done, each reason once.
fn remarks(runs: &[Run]) -> Vec<String> {
    let mut remarks = Vec::new();
    for run in runs.iter().filter(|run| matches!(run.outcome, Ending::Refused | Ending::Failed)) {
        let remark = format!("{}: {}", run.task.method.label(), run.reason.as_deref().unwrap_or(run.ended()));
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    remarks
}

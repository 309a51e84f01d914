//! `novelo report`

use std::io::IsTerminal as _;
use std::path::PathBuf;

use clap::Args;
#[cfg(feature = "plots")]
use clap::ValueEnum;
use novelo_lab::report::Report;
use novelo_lab::results;

use super::{compare, print, write_file};
use crate::exit::Code;
use crate::user_error::UserError;

/// The width of a table that goes nowhere in particular.
const WIDE: usize = 200;

const EXAMPLES: &str = "\
Examples:
  novelo report eight-puzzle.ndjson
  novelo report eight-puzzle.ndjson --html eight-puzzle.html
  novelo report numbrix-alpha.ndjson --by alpha --plots . --format png
  novelo report results.ndjson --by instance,method --csv > table.csv";

/// Options of `report`; there are plots where something draws them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportOptions {
    /// Results files of one experiment
    #[arg(required = true, value_name = "RESULTS")]
    pub results: Vec<PathBuf>,

    /// What makes a row: method, algorithm, heuristic, instance, puzzle, size, or a swept parameter
    #[arg(long, value_name = "FIELD,…", default_value = "method", value_delimiter = ',')]
    pub by: Vec<String>,

    /// Write a page with tables and plots, which needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Print Markdown: the summary and a table for each instance
    #[arg(long, conflicts_with_all = ["csv", "latex"])]
    pub markdown: bool,

    /// Print the summary as CSV
    #[arg(long, conflicts_with = "latex")]
    pub csv: bool,

    /// Print LaTeX: the summary and a table for each instance
    #[arg(long)]
    pub latex: bool,

    /// Write each plot to a file of its own in a folder
    #[cfg(feature = "plots")]
    #[arg(long, value_name = "FOLDER")]
    pub plots: Option<PathBuf>,

    /// The kind of these files
    #[cfg(feature = "plots")]
    #[arg(long, value_enum, default_value = "svg", requires = "plots")]
    pub format: Format,
}

/// A kind of picture.
#[cfg(feature = "plots")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Scalable
    Svg,
    /// Pixels
    Png,
}

/// Prints the summary and writes what was asked for.
pub fn run(options: &ReportOptions) -> Result<Code, UserError> {
    let (mut headers, mut runs) = (Vec::new(), Vec::new());
    for path in &options.results {
        let contents = results::read(path).map_err(|error| UserError::new(error.to_string()))?;
        headers.extend(contents.headers);
        runs.extend(contents.runs);
    }
    if runs.is_empty() {
        return Err(UserError::new("there are no runs in these results yet"));
    }
    let swept = runs.iter().flat_map(|run| run.task.method.parameters.keys()).map(String::as_str).collect();
    let report = Report::new(&headers, &runs, compare::fields(&options.by, &swept)?);
    let mut written = false;
    #[cfg(feature = "plots")]
    if let Some(folder) = &options.plots {
        plots(&report, folder, options.format)?;
        written = true;
    }
    if let Some(path) = &options.html {
        write_file(path, report.html().as_bytes())?;
        written = true;
    }
    if options.markdown {
        print(&report.markdown())?;
    } else if options.latex {
        print(&report.latex())?;
    } else if options.csv {
        print(&report.summary().csv())?;
    } else if !written {
        let terminal = std::io::stdout().is_terminal();
        let table = report.summary().text(if terminal { textwrap::termwidth() } else { WIDE }, terminal);
        print(&format!("{}\n\n{table}", report.title))?;
    }
    Ok(Code::Success)
}

#[cfg(feature = "plots")]
fn plots(report: &Report<'_>, folder: &std::path::Path, format: Format) -> Result<(), UserError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| UserError::new(format!("cannot make {}: {error}", folder.display())))?;
    for (name, chart) in report.charts() {
        match format {
            Format::Svg => write_file(&folder.join(name + ".svg"), chart.svg().as_bytes())?,
            Format::Png => write_file(&folder.join(name + ".png"), &chart.png().map_err(UserError::new)?)?,
        }
    }
    Ok(())
}

//! The report as one page that needs nothing else.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Report;
use crate::table::units;

const STYLE: &str = "
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; white-space: nowrap; border-bottom: 1px solid #ddd; vertical-align: top; }
th { border-bottom: 2px solid #888; } .number { text-align: right; } .text { text-align: left; }
strong { color: #00704f; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 34rem), 1fr)); gap: 1rem; }
.plots figure { margin: 0; border: 1px solid #ddd; align-self: start; } .plots svg { width: 100%; height: auto; display: block; }
code { font-size: 0.85em; white-space: normal; overflow-wrap: anywhere; } :target { background: #fff3c4; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; } dt { color: #666; } dd { margin: 0; }
summary { cursor: pointer; }
";

/// Opens the list of runs when a link leads into it.
const SCRIPT: &str = "
function show() { const to = document.getElementById(location.hash.slice(1)); const box = to && to.closest('details');
  if (box) { box.open = true; to.scrollIntoView(); } }
addEventListener('hashchange', show); show();
";

impl Report<'_> {
    /// The whole as one page of HTML that needs no network.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    h1 { (self.title) }
                    @for paragraph in self.text.split("\n\n") { p { (paragraph) } }
                    (self.circumstances())
                    h2 { "Summary" }
                    p {
                        "Means over the runs that ended with an answer. Green: the best of its column among those that \
                         answered the most; nodes, penetrance and b* only of methods none of whose solutions costs more \
                         than another's on the same instance. ± is the standard deviation over repeats of the same run. \
                         –: not known, or does not apply to the method."
                    }
                    div.scroll { (self.summary().html()) }
                    (self.drawings())
                    h2 { "Instance by instance" }
                    @for (name, table) in self.instances() {
                        details { summary { (name) } div.scroll { (table.html()) } }
                    }
                    h2 { "Every run" }
                    details {
                        summary { (self.runs.len()) " runs, each with the command that repeats it" }
                        div.scroll { (self.every_run()) }
                    }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        page.into_string()
    }

    #[cfg(feature = "plots")]
    fn drawings(&self) -> Markup {
        html! {
            h2 { "Plots" }
            div.plots { @for (_, chart) in self.charts() { figure { (PreEscaped(chart.svg())) } } }
        }
    }

    /// Charts are data where nothing draws them.
    #[cfg(not(feature = "plots"))]
    #[allow(clippy::unused_self)]
    fn drawings(&self) -> Markup {
        html! {}
    }

    fn circumstances(&self) -> Markup {
        html! {
            @for header in self.headers {
                dl {
                    dt { "program" }
                    dd { "novelo " (header.version) @if let Some(commit) = &header.commit { ", commit " (commit) } }
                    dt { "machine" } dd { (header.machine) }
                    dt { "at a time" } dd { (header.jobs) @if let Some(shard) = &header.shard { ", part " (shard) } }
                }
            }
        }
    }

    fn every_run(&self) -> Markup {
        html! {
            table {
                thead { tr { th { "run" } th { "ended" } th { "time" } th.text { "command" } } }
                tbody {
                    @for (i, run) in self.runs.iter().enumerate() {
                        tr id={ "run-" (i + 1) } {
                            td.number { (i + 1) }
                            td { (run.ended()) @if let Some(reason) = &run.reason { br; small { (reason) } } }
                            td.number { @if let Some(seconds) = run.figures.seconds { (units::seconds(seconds)) } }
                            td { code { (run.task.command()) } }
                        }
                    }
                }
            }
        }
    }
}

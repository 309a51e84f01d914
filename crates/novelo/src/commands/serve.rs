//! `novelo serve`

use std::net::{IpAddr, SocketAddr};
use std::num::NonZero;
use std::time::Duration;

use clap::Args;

use super::print;
use crate::cli::{bytes, duration, threads};
use crate::exit::Code;
use crate::serve::{self, Limits};
use crate::user_error::UserError;

const SERVE_EXAMPLES: &str = "\
Examples:
  novelo serve                                     on this machine only, at port 7878
  novelo serve --port 0 --no-open                  any free port, no browser
  novelo serve --bind 0.0.0.0 --host class.example --max-jobs 4 --job-time 20s

Whoever can reach the address can use the page; there are no accounts. Jobs hold at most
max-jobs times job-memory.";

/// Options of `serve`.
#[derive(Debug, Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub struct Serve {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 7878)]
    pub port: u16,

    /// The address to listen at; 0.0.0.0 is every address of this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: IpAddr,

    /// A name that clients may call this machine by, beside localhost and its addresses; may be repeated
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,

    /// Jobs at once; as many as there are cores if absent. More wait
    #[arg(long, value_name = "N", value_parser = threads)]
    pub max_jobs: Option<usize>,

    /// Memory of one job, such as 300MiB or 2GiB
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = bytes)]
    pub job_memory: u64,

    /// Time of one job, such as 20s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub job_time: Duration,

    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
}

/// Serves the page until Ctrl-C.
pub fn run(options: Serve) -> Result<Code, UserError> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let jobs = options.max_jobs.unwrap_or(cores);
    let limits = Limits {
        jobs,
        memory: usize::try_from(options.job_memory).unwrap_or(usize::MAX),
        time: options.job_time,
        threads: (cores / jobs).max(1),
    };
    let address = SocketAddr::new(options.bind, options.port);
    let ready = |address: SocketAddr| {
        let url = format!("http://{address}/");
        // Nothing is lost if this line cannot be written.
        let _ = print(&format!("novelo is at {url}\nCtrl-C ends it.\n"));
        if !options.no_open && has_browser() {
            let _ = opener::open_browser(&url);
        }
    };
    serve::run(address, options.host, limits, ready).map_err(|error| {
        let user_error = UserError::new(format!("cannot serve on {address}: {error}"));
        match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                user_error.help("choose another port, such as --port 0 for any free one")
            }
            _ => user_error,
        }
    })?;
    Ok(Code::Success)
}

/// Whether a browser could show itself.
fn has_browser() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

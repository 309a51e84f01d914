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

On another address than this machine's own it asks for the token in the link that it prints;
whoever has the link can use the page, and there are no accounts. Jobs hold at most max-jobs
times job-memory.";

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

    /// Size of the folder of tables above which jobs leave no more in it, such as 100MiB
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = bytes)]
    pub cache_quota: u64,

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
        cache: options.cache_quota,
    };
    let address = SocketAddr::new(options.bind, options.port);
    let token = (!options.bind.is_loopback()).then(serve::token);
    let open = token.as_ref().map_or(String::new(), |_| {
        format!(
            "Open to every machine that reaches this address and has the token in the link: boards and games, and\n\
             {jobs} jobs at once of up to {} and {} each.\n",
            bytesize::ByteSize(options.job_memory),
            humantime::format_duration(options.job_time),
        )
    });
    let query = token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
    let ready = |address: SocketAddr| {
        let url = format!("http://{address}/{query}");
        // Nothing is lost if this line cannot be written.
        let _ = print(&format!("novelo is at {url}\n{open}Ctrl-C ends it.\n"));
        if !options.no_open && has_browser() {
            let _ = open::that_detached(&url);
        }
    };
    let admission = serve::Admission { names: options.host, token };
    serve::run(address, admission, limits, ready).map_err(|error| {
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

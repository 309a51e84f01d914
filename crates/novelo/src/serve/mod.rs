//! The web page and the API behind it.

mod api_error;
mod app;
mod body;
mod brief;
mod connections;
mod games;
mod guard;
mod health;
mod instances;
mod jobs;
mod judge;
mod listen;
mod page;
mod registry;
mod scores;
mod views;

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use tokio::sync::watch;

pub use app::Limits;
pub use guard::Admission;

use app::{App, Shared};
use brief::Brief;
use games::Games;
use jobs::JobQueue;

use crate::keep::Keep;

/// How often things that nobody wants any more are looked for.
const ROUND: Duration = Duration::from_secs(1);

/// A number nobody can guess.
fn random() -> u32 {
    getrandom::u32().expect("the system has randomness")
}

/// A name nobody can guess: 128 random bits.
pub fn token() -> String {
    let [a, b, c, d] = std::array::from_fn(|_| random());
    format!("{a:08x}{b:08x}{c:08x}{d:08x}")
}

/// Serves on an address until told to stop; `ready` is called with the address once it listens.
pub fn run(
    address: SocketAddr,
    admission: Admission,
    limits: Limits,
    ready: impl FnOnce(SocketAddr),
) -> std::io::Result<()> {
    // Every stream of events is an open file; the usual 1024 are soon used up.
    let _ = rlimit::increase_nofile_limit(1 << 16);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        // Before anybody can know of the server: a signal must never find nobody listening.
        let signal = signal()?;
        let listener = listen::bind(address)?;
        let address = listener.local_addr()?;
        let (close, closing) = watch::channel(false);
        let queue = JobQueue::open(limits.jobs, limits.time);
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let keep = Mutex::new(Keep::open());
        let app = Arc::new(App {
            limits,
            jobs: queue.clone(),
            games: Games::default(),
            keep,
            brief: Brief::new(cores),
            closing,
        });
        tokio::spawn({
            let app = app.clone();
            async move {
                loop {
                    tokio::time::sleep(ROUND).await;
                    app.jobs.reap();
                    app.games.reap();
                }
            }
        });
        ready(address);
        let end = async {
            signal.await;
            queue.close();
            close.send_replace(true);
        };
        listen::serve(listener, app::router(app, admission.into()), end).await;
        Ok(())
    });
    // Work that does not look up at once must not hold up the end.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// What a server answers to a body that is posted to an address, without a connection: for those who try every body there
/// is. A job is taken on and cancelled.
pub fn answer(address: &str, body: &[u8]) -> (u16, Vec<u8>) {
    static SERVER: LazyLock<(tokio::runtime::Runtime, Shared, axum::Router)> = LazyLock::new(|| {
        let limits =
            Limits { jobs: 1, memory: 64 << 20, time: Duration::from_millis(100), threads: 1, cache: 0 };
        let app = Arc::new(App {
            jobs: JobQueue::open(limits.jobs, limits.time),
            limits,
            games: Games::default(),
            keep: Mutex::new(Keep::none()),
            brief: Brief::new(1),
            closing: watch::channel(false).1,
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let router = app::router(app.clone(), Admission::default().into());
        (runtime.expect("the system has a thread to spare"), app, router)
    });
    let (runtime, app, router) = &*SERVER;
    let request = axum::http::Request::post(address)
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(axum::body::Body::from(body.to_vec()));
    let Ok(request) = request else { return (400, b"null".to_vec()) };
    runtime.block_on(async {
        let service = hyper_util::service::TowerToHyperService::new(router.clone());
        let Ok(response) = hyper::service::Service::call(&service, request).await;
        let status = response.status().as_u16();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
        app.jobs.forget_all();
        app.games.forget_all();
        (status, body.map(Vec::from).unwrap_or_default())
    })
}

/// Listens from now on for Ctrl-C or, where there is one, a signal to terminate; the future waits for it.
fn signal() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(windows)]
    {
        let mut interrupt = tokio::signal::windows::ctrl_c()?;
        Ok(async move {
            interrupt.recv().await;
        })
    }
}

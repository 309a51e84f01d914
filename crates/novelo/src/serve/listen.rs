//! Connections: how many, how long they may dawdle, and how they end.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};

use super::connections::{Connection, Connections};

/// Connections that may wait to be accepted. With the usual 128 a class that comes in at once waits a second: those in
/// excess are only tried again.
const WAITING: u32 = 1024;
/// The longest that a client may take to send the head of a request.
const HEAD_WITHIN: Duration = Duration::from_secs(20);
/// The longest that requests in hand at the end may take to finish.
const FAREWELL: Duration = Duration::from_secs(3);
/// When the system has no more file handles, a pause lets some come free.
const BREATH: Duration = Duration::from_millis(100);

/// Listens at an address.
pub fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Elsewhere a server that has just ended keeps its port for a while; on Windows the option would share it.
    if !cfg!(windows) {
        socket.set_reuseaddr(true)?;
    }
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// Serves until `end` is over, then lets the requests in hand finish.
pub async fn serve(listener: TcpListener, app: Router, end: impl Future<Output = ()>) {
    let connections = Arc::new(Connections::default());
    let graceful = GracefulShutdown::new();
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN);
    let mut end = std::pin::pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        let Ok((stream, peer)) = accepted else {
            // One that only waits gives its handle up.
            connections.close_idle(|_| true);
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let Some(place) = connections.place(canonical(peer.ip())) else { continue };
        let _ = stream.set_nodelay(true);
        let (app, used) = (TowerToHyperService::new(app.clone()), place.clone());
        let service = service_fn(move |request| {
            let busy = Connection::busy(&used);
            let answer = hyper::service::Service::call(&app, request);
            async move { answer.await.map(|response| response.map(|body| busy.with(body))) }
        });
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection that breaks off concerns nobody but its client.
            tokio::select! {
                _ = connection => {}
                () = place.closed() => {}
            }
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
}

/// An address of the old kind that is written as one of the new.
fn canonical(address: IpAddr) -> IpAddr {
    address.to_canonical()
}

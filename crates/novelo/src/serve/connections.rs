//! The connections held at once: bounded, all together and for each client, so that one which only waits keeps nobody out.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::Notify;

/// Connections held at once. When there are more, one that waits for its client's next request is closed; when all are
/// busy, the new one is.
const MOST: usize = 4096;
/// Those of one client, unless it is on this machine.
const MOST_OF_CLIENT: usize = 512;

/// The connections of a server.
#[derive(Default)]
pub struct Connections {
    /// By their numbers, which rise.
    held: Mutex<BTreeMap<u64, Weak<Connection>>>,
    next: AtomicU64,
    /// Rises with every request that is done.
    uses: AtomicU64,
}

/// One connection.
pub struct Connection {
    number: u64,
    client: IpAddr,
    /// Requests in hand: those that are answered or being answered.
    requests: AtomicUsize,
    /// When its last request was done, as the server counts uses; its first if it has none.
    used: AtomicU64,
    close: Notify,
    all: Arc<Connections>,
}

impl Connections {
    fn held(&self) -> MutexGuard<'_, BTreeMap<u64, Weak<Connection>>> {
        // Every change under the lock is whole, so a panic elsewhere leaves no half of one.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection of a client, if there is or can be made one.
    pub fn place(self: &Arc<Self>, client: IpAddr) -> Option<Arc<Connection>> {
        let of_client = |it: &Connection| it.client == client;
        let full = !client.is_loopback() && self.count(of_client) >= MOST_OF_CLIENT;
        if full && !self.close_idle(of_client) || self.held().len() >= MOST && !self.close_idle(|_| true) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let connection = Arc::new(Connection {
            number,
            client,
            requests: AtomicUsize::new(0),
            used: AtomicU64::new(self.uses.load(Ordering::Relaxed)),
            close: Notify::new(),
            all: Arc::clone(self),
        });
        self.held().insert(number, Arc::downgrade(&connection));
        Some(connection)
    }

    fn count(&self, of: impl Fn(&Connection) -> bool) -> usize {
        let held: Vec<_> = self.held().values().filter_map(Weak::upgrade).collect();
        held.iter().filter(|it| of(it)).count()
    }

    /// Closes the connection that has waited longest for a request, of some; false if none waits.
    pub fn close_idle(&self, of: impl Fn(&Connection) -> bool) -> bool {
        let held: Vec<_> = self.held().values().filter_map(Weak::upgrade).collect();
        let idle = held.iter().filter(|it| it.requests.load(Ordering::Relaxed) == 0 && of(it));
        let Some(longest) = idle.min_by_key(|it| (it.used.load(Ordering::Relaxed), it.number)) else {
            return false;
        };
        self.held().remove(&longest.number);
        longest.close.notify_one();
        true
    }
}

impl Connection {
    /// Waits until the connection must make room for another.
    pub async fn closed(&self) {
        self.close.notified().await;
    }

    /// Notes a request, until what is returned goes out of scope.
    pub fn busy(connection: &Arc<Self>) -> Busy {
        connection.requests.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(connection))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.held().remove(&self.number);
    }
}

/// A request in hand.
pub struct Busy(Arc<Connection>);

impl Busy {
    /// An answer that keeps the connection busy while it is sent.
    pub fn with(self, body: Body) -> Answer {
        Answer { body, _busy: self }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let Connection { requests, used, all, .. } = &*self.0;
        used.store(all.uses.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer.
pub struct Answer {
    body: Body,
    _busy: Busy,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_only_waits_makes_room() {
        let all = Arc::new(Connections::default());
        let (class, other) = ("10.0.0.7".parse().unwrap(), "10.0.0.8".parse().unwrap());
        let mut held: Vec<_> = (0..MOST_OF_CLIENT).map(|_| all.place(class).unwrap()).collect();
        // All are busy but two, of which one had a request later than the other.
        let busy: Vec<_> = held.iter().skip(2).map(Connection::busy).collect();
        drop(Connection::busy(&held[0]));
        held.push(all.place(class).unwrap());
        assert!(!all.held().contains_key(&1) && all.held().contains_key(&0));
        held.push(all.place(class).unwrap());
        assert!(!all.held().contains_key(&0));
        held.iter().skip(MOST_OF_CLIENT).for_each(|it| std::mem::forget(Connection::busy(it)));
        assert!(all.place(class).is_none());
        assert!(all.place(other).is_some());
        drop((busy, held));
    }
}

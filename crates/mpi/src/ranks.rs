//! Bytes between the ranks of MPI: sends that do not block, from buffers that are used again, and receives posted ahead.

#![allow(
    unsafe_code,
    reason = "MPI reads and writes buffers behind the back of the language; each lives as long as its request"
)]

use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::time::Duration;

use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{AsRaw as _, Communicator as _};
use novelo_search::parallel::{Processes, TransportError};

/// Bytes of a message that travel at once. The last byte tells whether more of the same message follow.
const CHUNK: usize = 128 << 10;
/// Receives that are posted ahead.
const POSTED: usize = 16;
/// How often a process without messages lets others run before it sleeps.
const YIELDS: u32 = 64;
const SLEEP: Duration = Duration::from_micros(100);

/// A buffer that MPI may read or write until its request is done. The bytes of a `Vec` stay where they are when it is moved.
struct Pending {
    buffer: Vec<u8>,
    request: ffi::MPI_Request,
}

/// The ranks of a communicator.
pub struct Ranks {
    comm: ffi::MPI_Comm,
    rank: usize,
    count: usize,
    /// The number of the search, which its messages are tagged with: those of another are not received.
    search: c_int,
    /// Receives in the order in which messages are matched to them.
    posted: VecDeque<Pending>,
    sending: VecDeque<Pending>,
    free: Vec<Vec<u8>>,
    /// The first parts of messages whose last has not come, by rank.
    parts: Vec<Vec<u8>>,
    empty: u32,
}

// SAFETY: MPI is initialised to be called from one thread at a time, and the only owner is behind a lock; the handles
// themselves are plain pointers.
unsafe impl Send for Ranks {}

/// Ends all ranks at once.
pub fn abort(code: c_int) -> ! {
    // SAFETY: MPI is initialised before this can be called.
    unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, code) };
    std::process::exit(code)
}

impl Ranks {
    pub fn new(world: &SimpleCommunicator) -> Self {
        let count = world.size() as usize;
        Self {
            comm: world.as_raw(),
            rank: world.rank() as usize,
            count,
            search: 0,
            posted: VecDeque::new(),
            sending: VecDeque::new(),
            free: Vec::new(),
            parts: vec![Vec::new(); count],
            empty: 0,
        }
    }

    /// Posts a receive into a buffer.
    fn post(&mut self, mut buffer: Vec<u8>) {
        buffer.resize(CHUNK, 0);
        let mut request = MaybeUninit::uninit();
        // SAFETY: the buffer has so many bytes and is kept, untouched, until the request is done.
        let request = unsafe {
            let (start, any) = (buffer.as_mut_ptr().cast::<c_void>(), ffi::RSMPI_ANY_SOURCE);
            let kind = ffi::RSMPI_UINT8_T;
            ffi::MPI_Irecv(start, CHUNK as c_int, kind, any, self.search, self.comm, request.as_mut_ptr());
            request.assume_init()
        };
        self.posted.push_back(Pending { buffer, request });
    }

    /// Sends the bytes of a buffer, which it keeps until they are gone.
    fn send_chunk(&mut self, to: usize, buffer: Vec<u8>) {
        let mut request = MaybeUninit::uninit();
        // SAFETY: as in `post`.
        let request = unsafe {
            let (start, kind) = (buffer.as_ptr().cast::<c_void>(), ffi::RSMPI_UINT8_T);
            let (length, to) = (buffer.len() as c_int, to as c_int);
            ffi::MPI_Isend(start, length, kind, to, self.search, self.comm, request.as_mut_ptr());
            request.assume_init()
        };
        self.sending.push_back(Pending { buffer, request });
    }

    /// Takes the buffers of sends that are done.
    fn reclaim(&mut self) {
        while let Some(first) = self.sending.front_mut()
            && is_done(&mut first.request).is_some()
        {
            let done = self.sending.pop_front().expect("it is there");
            if self.free.len() < 4 * self.count {
                self.free.push(done.buffer);
            }
        }
    }

    /// Takes what has arrived for the receive that was posted first: who has sent it, the bytes, and whether more follow.
    fn arrived(&mut self) -> Result<Option<(usize, Pending, usize, bool)>, TransportError> {
        let Some(first) = self.posted.front_mut() else { return Ok(None) };
        let Some(status) = is_done(&mut first.request) else { return Ok(None) };
        let pending = self.posted.pop_front().expect("it is there");
        let mut length = 0;
        // SAFETY: the status is that of a receive that is done.
        unsafe { ffi::MPI_Get_count(&raw const status, ffi::RSMPI_UINT8_T, &raw mut length) };
        let (from, length) = (status.MPI_SOURCE as usize, length as usize);
        if length == 0 || length > CHUNK || from >= self.count {
            return Err(TransportError(format!(
                "a message of {length} bytes from rank {from} is none of ours"
            )));
        }
        let more = pending.buffer[length - 1] != 0;
        Ok(Some((from, pending, length - 1, more)))
    }
}

/// Whether a request is done, and what came of it.
fn is_done(request: &mut ffi::MPI_Request) -> Option<ffi::MPI_Status> {
    let (mut done, mut status) = (0, MaybeUninit::<ffi::MPI_Status>::zeroed());
    // SAFETY: the request was made by MPI and is not used any more when it is done.
    unsafe {
        ffi::MPI_Test(request, &raw mut done, status.as_mut_ptr());
        (done != 0).then(|| status.assume_init())
    }
}

impl Processes for Ranks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn begin(&mut self) -> Result<(), TransportError> {
        self.search += 1;
        self.empty = 0;
        (0..POSTED).for_each(|_| self.post(Vec::new()));
        Ok(())
    }

    /// Takes in what nobody waits for, until all that was sent has gone, here and everywhere; then no receive is needed.
    fn end(&mut self) -> Result<(), TransportError> {
        let mut barrier = None;
        loop {
            while let Some((_, pending, ..)) = self.arrived()? {
                self.post(pending.buffer);
            }
            self.reclaim();
            match &mut barrier {
                None if self.sending.is_empty() => {
                    let mut request = MaybeUninit::uninit();
                    // SAFETY: the request is made by this call.
                    barrier = Some(unsafe {
                        ffi::MPI_Ibarrier(self.comm, request.as_mut_ptr());
                        request.assume_init()
                    });
                }
                None => {}
                Some(request) => {
                    if is_done(request).is_some() {
                        break;
                    }
                    std::thread::yield_now();
                }
            }
        }
        for mut pending in std::mem::take(&mut self.posted) {
            // SAFETY: a receive that is cancelled is done when it has been waited for, and its buffer free.
            unsafe {
                ffi::MPI_Cancel(&raw mut pending.request);
                ffi::MPI_Wait(&raw mut pending.request, ffi::RSMPI_STATUS_IGNORE);
            }
        }
        self.parts.iter_mut().for_each(Vec::clear);
        Ok(())
    }

    fn send(&mut self, to: usize, bytes: &mut Vec<u8>) -> Result<(), TransportError> {
        self.reclaim();
        if bytes.len() < CHUNK {
            bytes.push(0);
            let mut buffer = self.free.pop().unwrap_or_default();
            buffer.clear();
            std::mem::swap(bytes, &mut buffer);
            self.send_chunk(to, buffer);
            return Ok(());
        }
        let chunks = bytes.len().div_ceil(CHUNK - 1);
        for (i, chunk) in bytes.chunks(CHUNK - 1).enumerate() {
            let mut buffer = self.free.pop().unwrap_or_default();
            buffer.clear();
            buffer.extend_from_slice(chunk);
            buffer.push(u8::from(i + 1 < chunks));
            self.send_chunk(to, buffer);
        }
        bytes.clear();
        Ok(())
    }

    fn receive(&mut self, bytes: &mut Vec<u8>) -> Result<Option<usize>, TransportError> {
        while let Some((from, pending, length, more)) = self.arrived()? {
            self.empty = 0;
            let arrived = &pending.buffer[..length];
            let whole = if more || !self.parts[from].is_empty() {
                self.parts[from].extend_from_slice(arrived);
                !more
            } else {
                bytes.clear();
                bytes.extend_from_slice(arrived);
                self.post(pending.buffer);
                return Ok(Some(from));
            };
            self.post(pending.buffer);
            if whole {
                std::mem::swap(bytes, &mut self.parts[from]);
                self.parts[from].clear();
                return Ok(Some(from));
            }
        }
        Ok(None)
    }

    fn wait(&mut self) {
        self.reclaim();
        self.empty += 1;
        if self.empty < YIELDS {
            std::thread::yield_now();
        } else {
            std::thread::sleep(SLEEP);
        }
    }

    fn held(&self) -> usize {
        let buffers = self.posted.iter().chain(&self.sending).map(|pending| &pending.buffer);
        buffers.chain(&self.free).map(Vec::capacity).sum()
    }
}

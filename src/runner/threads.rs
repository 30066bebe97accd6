//! Deferred drop: worker threads that have ended their work keep their memory until the scores are
//! ready.

use std::convert::Infallible;
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, bounded};

/// The threads of workers. A thread that has ended its work keeps its memory until
/// [`WorkerThreads::release`], since freeing much memory delays threads that map memory. After the
/// release it frees the memory in the background.
#[derive(Debug, Default)]
pub struct WorkerThreads {
    threads: Vec<JoinHandle<()>>,
    /// A channel without messages. Threads that have ended their work wait until its sender is
    /// dropped.
    release_channel: Option<(Sender<Infallible>, Release)>,
}

/// The receiver on which a thread waits for [`WorkerThreads::release`].
pub(super) type Release = Receiver<Infallible>;

impl WorkerThreads {
    /// Returns the signal for which a new thread waits before it frees its memory.
    pub(super) fn release_signal(&mut self) -> Release {
        let (_, release) = self.release_channel.get_or_insert_with(|| bounded(0));
        release.clone()
    }

    /// Adds a thread.
    pub(super) fn push(&mut self, thread: JoinHandle<()>) {
        self.threads.push(thread);
    }

    /// Makes all threads so far free their memory. Dropping this value does the same.
    pub fn release(&mut self) {
        self.release_channel = None;
    }

    /// Waits until all threads have freed their memory.
    pub fn join(mut self) {
        self.release();
        // A thread that panicked has printed its message.
        let threads = self.threads.into_iter();
        threads.for_each(|thread| drop(thread.join()));
    }
}

//! Deferred drop: worker threads that have ended keep their memory until the scores are ready.

use std::convert::Infallible;
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, bounded};

/// The threads of workers. A thread that has ended its work keeps its memory until
/// [`WorkerThreads::release`], since freeing much of it delays threads that map memory. Then it
/// frees the memory in the background.
#[derive(Debug, Default)]
pub struct WorkerThreads {
    threads: Vec<JoinHandle<()>>,
    /// A channel to which nothing is sent. Threads wait until its sender is dropped.
    released: Option<(Sender<Infallible>, Release)>,
}

/// A thread that receives from it waits for [`WorkerThreads::release`].
pub(super) type Release = Receiver<Infallible>;

impl WorkerThreads {
    pub(super) fn wait_for_release(&mut self) -> Release {
        let (_, release) = self.released.get_or_insert_with(|| bounded(0));
        release.clone()
    }

    pub(super) fn push(&mut self, thread: JoinHandle<()>) {
        self.threads.push(thread);
    }

    /// Lets the threads so far free their memory, as dropping this does.
    pub fn release(&mut self) {
        self.released = None;
    }

    /// Waits until all threads have freed their memory.
    pub fn join(mut self) {
        self.release();
        // A thread that panicked has printed its message.
        self.threads
            .into_iter()
            .for_each(|thread| drop(thread.join()));
    }
}

//! The threads of workers that have ended, and the memory that they hold.

use std::convert::Infallible;
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, bounded};

/// Threads of workers. When their work is done they keep their memory until they are let go, since
/// freeing much of it holds up threads that map any; then they free it, which need not be waited
/// for, except to measure something else.
#[derive(Debug)]
pub struct WorkerThreads {
    threads: Vec<JoinHandle<()>>,
    /// They are let go when there is none any more.
    holder: Option<Sender<Infallible>>,
    held: Hold,
}

/// Nothing is ever sent to it: a thread that receives from it waits until it is let go.
pub(super) type Hold = Receiver<Infallible>;

impl Default for WorkerThreads {
    fn default() -> Self {
        let (holder, held) = bounded(0);
        WorkerThreads {
            threads: Vec::new(),
            holder: Some(holder),
            held,
        }
    }
}

impl WorkerThreads {
    pub(super) fn hold(&self) -> Hold {
        self.held.clone()
    }

    pub(super) fn push(&mut self, thread: JoinHandle<()>) {
        self.threads.push(thread);
    }

    /// Lets those that have ended free their memory, since others are to work now. Later ones keep
    /// theirs again, unless they are already there.
    pub(super) fn let_go_ended(&mut self) {
        let (holder, held) = bounded(0);
        self.holder = Some(holder);
        self.held = held;
    }

    /// Lets them free their memory. So does dropping this.
    pub fn let_go(&mut self) {
        self.holder = None;
    }

    /// Waits until they have freed it.
    pub fn join(mut self) {
        self.let_go();
        // A worker that panicked has said so.
        self.threads
            .into_iter()
            .for_each(|thread| drop(thread.join()));
    }
}

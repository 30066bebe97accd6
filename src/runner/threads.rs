//! The threads of workers that have ended, and the memory that they hold.

use std::convert::Infallible;
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, bounded};

/// Threads of workers. When their work is done they keep their memory until they are let go, since
/// freeing much of it holds up threads that map any; then they free it, which need not be waited
/// for, except to measure something else.
#[derive(Debug, Default)]
pub struct WorkerThreads {
    threads: Vec<JoinHandle<()>>,
    /// Both ends of what they wait at. They are let go when the first one is dropped.
    holder: Option<(Sender<Infallible>, Hold)>,
}

/// Nothing is ever sent to it: a thread that receives from it waits until it is let go.
pub(super) type Hold = Receiver<Infallible>;

impl WorkerThreads {
    pub(super) fn hold(&mut self) -> Hold {
        let (_, held) = self.holder.get_or_insert_with(|| bounded(0));
        held.clone()
    }

    pub(super) fn push(&mut self, thread: JoinHandle<()>) {
        self.threads.push(thread);
    }

    /// Lets those that have ended free their memory, as dropping this does. Later ones keep theirs
    /// again, unless they are already there.
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

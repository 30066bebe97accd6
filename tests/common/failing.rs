//! Provides strategies whose engines pass the self-test, and fail in the search.

use brandes::device::{DeviceError, DeviceInfo, DeviceOptions, Session, Source};
use brandes::engine::{Engine, EngineError, Root, Sums};
use brandes::prepare::Prepared;
use brandes::strategy::{About, DeviceEngine, DeviceStrategy, Strategy};

/// The self-test searches a path of this many vertices.
const SELF_TEST: usize = 36;

/// The point at which an engine fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The upload of the graph fails.
    Upload,
    /// The call of `search` with this number (from 1) fails.
    Search(u32),
    /// Reading the sums fails.
    Collect,
    /// The first search panics.
    Panic,
    /// The first search does not return.
    Hang,
}

/// Returns `strategy` with engines that fail.
pub fn failing(strategy: Strategy, failure: Failure) -> Strategy {
    Strategy::new(Box::leak(Box::new(Failing { strategy, failure })))
}

struct Failing {
    strategy: Strategy,
    failure: Failure,
}

fn planned() -> DeviceError {
    DeviceError::Refused("planned failure".into())
}

impl DeviceStrategy for Failing {
    fn about(&self) -> About {
        self.strategy.about()
    }

    fn kernels(&self, options: &DeviceOptions, info: &DeviceInfo) -> Vec<Source> {
        self.strategy.kernels(options, info)
    }

    fn engine<'s>(
        &'static self,
        session: &'s Session,
        prepared: &'s Prepared,
    ) -> Result<DeviceEngine<'s>, DeviceError> {
        let sound = self.strategy.engine(session, prepared)?;
        if prepared.graph.vertices() <= SELF_TEST {
            return Ok(sound);
        }
        if self.failure == Failure::Upload {
            return Err(planned());
        }
        Ok(DeviceEngine {
            engine: Box::new(FailingEngine {
                engine: sound.engine,
                failure: self.failure,
                calls: 0,
            }),
            plan: sound.plan,
        })
    }
}

struct FailingEngine<'s> {
    engine: Box<dyn Engine + 's>,
    failure: Failure,
    calls: u32,
}

impl Engine for FailingEngine<'_> {
    fn roots_wanted(&self) -> usize {
        self.engine.roots_wanted()
    }

    fn roots_in_flight(&self) -> usize {
        self.engine.roots_in_flight()
    }

    fn search(&mut self, roots: &[Root]) -> Result<(), EngineError> {
        self.calls += 1;
        match self.failure {
            Failure::Search(call) if call == self.calls => return Err(planned().into()),
            Failure::Panic => panic!("planned panic"),
            Failure::Hang => loop {
                std::thread::park();
            },
            _ => {}
        }
        self.engine.search(roots)
    }

    fn collect(&mut self, sums: &mut Sums<'_>) -> Result<(), EngineError> {
        match self.failure {
            Failure::Collect => Err(planned().into()),
            _ => self.engine.collect(sums),
        }
    }
}

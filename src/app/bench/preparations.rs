//! One graph as its subjects search it.

use std::sync::Arc;

use super::Subject;
use brandes::cpu::CpuOptions;
use brandes::device::Session;
use brandes::graph::Graph;
use brandes::plan;
use brandes::prepare::{PrepareOptions, Prepared, Reductions, TooManyRoots, When, prepare};
use brandes::runner::CpuWorkers;
use brandes::strategy::Strategy;

/// The graph to search from all sources, and the same for the subjects that serve the sources
/// inside its chains.
pub struct Preparations {
    plain: Arc<Prepared>,
    contracted: Option<Arc<Prepared>>,
    /// How it was asked to be reduced.
    pub reduce: Reductions,
    /// Whether a run that leaves it to `--reduce auto` serves sources inside chains.
    by_default: bool,
}

impl Preparations {
    /// Prepares the graph in all the ways that the subjects need. Whether `options` serve
    /// chains is of no account. Beside a device so many workers search too.
    pub fn new(
        graph: &Graph,
        options: &PrepareOptions,
        subjects: &[Subject],
        session: Option<&Session>,
        workers: CpuWorkers,
    ) -> Result<Self, TooManyRoots> {
        let devices = subjects.iter().any(|subject| !subject.is_cpu());
        let with = |chains| {
            let reduce = Reductions {
                chains,
                twins: match chains {
                    When::Always => When::Never,
                    _ => options.reduce.twins,
                },
                ..options.reduce
            };
            let options = PrepareOptions { reduce, ..*options };
            let mut prepared = prepare(graph, &options)?;
            if chains == When::Auto {
                let options = CpuOptions::default();
                let workers = match session {
                    None => num_cpus::get(),
                    Some(_) => workers.count(num_cpus::get()),
                };
                plan::reduce(&mut prepared, reduce.twins, options, workers, devices);
            }
            Ok(Arc::new(prepared))
        };
        let plain = with(When::Never)?;
        let mut contracted = with(When::Auto)?;
        let by_default = contracted.chains.is_some();
        if !by_default && subjects.iter().any(|subject| subject.serves_chains()) {
            contracted = with(When::Always)?;
        }
        Ok(Preparations {
            plain,
            contracted: contracted.chains.is_some().then_some(contracted),
            reduce: options.reduce,
            by_default,
        })
    }

    /// The graph as it stands.
    pub fn plain(&self) -> &Arc<Prepared> {
        &self.plain
    }

    /// What a subject searches: as in a run with this strategy and `--reduce auto`.
    pub fn of(&self, subject: Subject) -> &Arc<Prepared> {
        let auto = subject == Subject::Cpu || subject == Subject::Device(Strategy::Auto);
        let contracts = subject.serves_chains() || (auto && self.by_default);
        let contracted = self.contracted.as_ref().filter(|_| contracts);
        contracted.unwrap_or(&self.plain)
    }
}

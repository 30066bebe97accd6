//! One graph, prepared for each subject as in a run.

use std::sync::Arc;

use super::{Bench, Setting, Subject};
use brandes::Error;
use brandes::cpu::CpuOptions;
use brandes::device::Session;
use brandes::graph::Graph;
use brandes::plan;
use brandes::prepare::{PrepareOptions, Prepared, Reductions, When, prepare};
use brandes::runner::CpuWorkers;

/// The prepared forms of a graph.
pub struct Preparations {
    /// The graph prepared without serving sources inside chains.
    pub plain: Arc<Prepared>,
    /// The graph as a run with strategy and engine `auto` prepares it.
    auto: Arc<Prepared>,
    /// The graph for subjects that search over a hierarchy. Its twins are merged only if `--reduce`
    /// names them.
    hierarchy: Option<Arc<Prepared>>,
    /// The reductions of `--reduce`.
    pub reduce: Reductions,
}

impl Preparations {
    /// Prepares the graph in all forms that the subjects need, by the reductions of `options`.
    /// `workers` is the number of CPU workers beside the device; without a device, all cores
    /// search.
    pub fn new(
        graph: &Graph,
        options: &PrepareOptions,
        subjects: &[Subject],
        session: Option<&Session>,
        workers: CpuWorkers,
    ) -> Result<Self, Error> {
        let devices = subjects.iter().any(|subject| !subject.is_cpu());
        let requested = options.reduce;
        let cores = num_cpus::get();
        let workers = session.map_or(cores, |_| workers.count(cores));
        let prepare_with = |chains, twins| {
            let mut options = *options;
            (options.reduce.chains, options.reduce.twins) = (chains, twins);
            prepare(graph, &options)
        };
        let plain = Arc::new(prepare_with(When::Never, requested.twins)?);
        let mut auto = Arc::clone(&plain);
        if requested.chains != When::Never {
            let mut chosen = prepare_with(requested.chains, requested.twins)?;
            if requested.chains == When::Auto {
                let options = CpuOptions::default();
                plan::reduce(&mut chosen, requested.twins, options, workers, devices);
            }
            if chosen.chains.is_some() {
                auto = Arc::new(chosen);
            }
        }
        // A run with strategy or engine `hierarchy` serves sources inside chains unless `--reduce`
        // forbids it, and merges twins only if `--reduce` names them.
        let hierarchy = subjects.iter().any(|subject| subject.serves_chains());
        let hierarchy = hierarchy.then(|| {
            let or = |given, default| if given == When::Auto { default } else { given };
            let chains = or(requested.chains, When::Always);
            prepare_with(chains, or(requested.twins, When::Never))
        });
        Ok(Preparations {
            plain,
            auto,
            hierarchy: hierarchy.transpose()?.map(Arc::new),
            reduce: requested,
        })
    }

    /// Returns a setting with the graph that it searches, for the device of `session` if it needs
    /// one.
    pub fn bench(&self, setting: Setting, session: Option<&Session>) -> Bench {
        Bench::new(setting, self.for_subject(setting.subject), session)
    }

    /// Returns the graph that a subject searches, as in a run with this strategy or engine.
    pub fn for_subject(&self, subject: Subject) -> &Arc<Prepared> {
        match &self.hierarchy {
            Some(hierarchy) if subject.serves_chains() => hierarchy,
            _ if [Subject::CPU, Subject::AUTO].contains(&subject) => &self.auto,
            _ => &self.plain,
        }
    }
}

//! One graph as its subjects search it.

use std::sync::Arc;

use super::Subject;
use brandes::cpu::EngineName;
use brandes::graph::Graph;
use brandes::plan;
use brandes::prepare::{ChainsOption, PrepareOptions, Prepared, TooManyRoots, prepare};
use brandes::strategy::Strategy;

/// The graph as it stands, and with its chains contracted for those who would search it so.
pub struct Preparations {
    plain: Arc<Prepared>,
    contracted: Option<Arc<Prepared>>,
    /// Whether a run that leaves it to `--chains auto` contracts this graph.
    pays: bool,
}

impl Preparations {
    /// Those who search a graph with its chains contracted only.
    const CONTRACTED: [Subject; 2] = [
        Subject::Device(Strategy::Chains),
        Subject::Engine(EngineName::Chains),
    ];

    /// Prepares the graph in all the ways that the subjects need. `options.chains` is of no
    /// account.
    pub fn new(
        graph: &Graph,
        options: &PrepareOptions,
        subjects: &[Subject],
    ) -> Result<Self, TooManyRoots> {
        let devices = subjects.iter().any(|subject| !subject.is_cpu());
        let with = |chains| {
            let options = PrepareOptions { chains, ..*options };
            let mut prepared = prepare(graph, &options)?;
            if chains == ChainsOption::Auto {
                plan::contract(&mut prepared, num_cpus::get(), devices);
            }
            Ok(Arc::new(prepared))
        };
        let contracted = |chains| {
            let prepared: Arc<Prepared> = with(chains)?;
            Ok::<_, TooManyRoots>(prepared.chains.is_some().then_some(prepared))
        };
        let plain = with(ChainsOption::Never)?;
        let mut made = contracted(ChainsOption::Auto)?;
        let pays = made.is_some();
        let always = |subject: &Subject| Self::CONTRACTED.contains(subject);
        if !pays && subjects.iter().any(always) {
            made = contracted(ChainsOption::Always)?;
        }
        Ok(Preparations {
            plain,
            contracted: made,
            pays,
        })
    }

    /// The graph as it stands.
    pub fn plain(&self) -> &Arc<Prepared> {
        &self.plain
    }

    /// What a subject searches: as in a run with this strategy and `--chains auto`.
    pub fn of(&self, subject: Subject) -> &Arc<Prepared> {
        let contracted = match subject {
            _ if Self::CONTRACTED.contains(&subject) => true,
            Subject::Cpu => self.pays,
            Subject::Device(strategy) if strategy == Strategy::Auto => self.pays,
            Subject::Engine(_) | Subject::Device(_) | Subject::Ablation(_) => false,
        };
        let contracted = self.contracted.as_ref().filter(|_| contracted);
        contracted.unwrap_or(&self.plain)
    }
}

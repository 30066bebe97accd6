//! One graph as its subjects search it.

use std::sync::Arc;

use super::Subject;
use crate::graph::Graph;
use crate::opencl::Strategy;
use crate::prepare::{ChainsOption, PrepareOptions, Prepared, TooManyRoots, prepare};

/// The graph as it stands, and with its chains contracted for those who would search it so.
pub struct Preparations {
    plain: Arc<Prepared>,
    contracted: Option<Arc<Prepared>>,
    /// Whether a run that leaves it to `--chains auto` contracts this graph.
    pays: bool,
}

impl Preparations {
    /// Prepares the graph in all the ways that the subjects need. `options.chains` is of no account.
    pub fn new(
        graph: &Graph,
        options: &PrepareOptions,
        subjects: &[Subject],
    ) -> Result<Self, TooManyRoots> {
        let devices = subjects.iter().any(|&subject| subject != Subject::Cpu);
        let with = |chains| {
            let options = PrepareOptions {
                chains,
                devices,
                ..*options
            };
            prepare(graph, &options).map(Arc::new)
        };
        let contracted = |chains| {
            let prepared: Arc<Prepared> = with(chains)?;
            Ok::<_, TooManyRoots>(prepared.chains.is_some().then_some(prepared))
        };
        let plain = with(ChainsOption::Never)?;
        let mut made = contracted(ChainsOption::Auto)?;
        let pays = made.is_some();
        if !pays && subjects.contains(&Subject::Device(Strategy::Chains)) {
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
            Subject::Device(Strategy::Chains) => true,
            Subject::Cpu | Subject::Device(Strategy::Auto) => self.pays,
            Subject::Device(_) | Subject::Ablation(_) => false,
        };
        let contracted = self.contracted.as_ref().filter(|_| contracted);
        contracted.unwrap_or(&self.plain)
    }
}

//! The reductions of a graph before it is searched.

use std::fmt;
use std::str::FromStr;

use super::Reduction;
use super::blocks::Blocks;
use super::direction::Reverse;

/// The condition for a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum When {
    /// The reduction is made if it reduces the work.
    #[default]
    Auto,
    /// The reduction is made in every graph that it applies to.
    Always,
    /// The reduction is not made.
    Never,
}

/// The reductions, in the order in which they are made. They change scores by rounding errors only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Reductions {
    /// Folding of trees into the vertices that they hang off, in undirected graphs.
    pub fold: When,
    /// Splitting at articulation points. In directed graphs, this also removes trees.
    pub blocks: When,
    /// Searches of the reversed graph in place of a directed one.
    pub reverse: When,
    /// Merging of twins, vertices with the same neighbours, in graphs without weights. It cannot be
    /// combined with scores of edges or `chains`.
    pub twins: When,
    /// In undirected graphs, searches from the ends of chains of degree-2 vertices in place of
    /// searches from the sources inside them, by engine and strategy `hierarchy`.
    pub chains: When,
}

impl Reductions {
    /// No reductions.
    pub const NONE: Reductions = Reductions {
        fold: When::Never,
        blocks: When::Never,
        reverse: When::Never,
        twins: When::Never,
        chains: When::Never,
    };

    /// Returns no reductions, except folding if `fold` is true.
    pub const fn folding(fold: bool) -> Reductions {
        Reductions {
            fold: if fold { When::Always } else { When::Never },
            ..Reductions::NONE
        }
    }

    /// Lists the reductions of a renumbered graph that need nothing from engines, in the order in
    /// which they are made.
    pub(super) fn list(self) -> [(&'static dyn Reduction, When); 2] {
        [(&Blocks, self.blocks), (&Reverse, self.reverse)]
    }

    /// Leaves out all reductions but folding that are [`When::Auto`].
    pub fn only_fold(&mut self) {
        let others = self.named_mut().into_iter().filter(|one| one.0 != "fold");
        let others = others.filter(|one| *one.1 == When::Auto);
        others.for_each(|(_, when)| *when = When::Never);
    }

    /// Returns the reductions by name.
    pub fn named(mut self) -> [(&'static str, When); 5] {
        self.named_mut().map(|(name, when)| (name, *when))
    }

    fn named_mut(&mut self) -> [(&'static str, &mut When); 5] {
        [
            ("fold", &mut self.fold),
            ("blocks", &mut self.blocks),
            ("reverse", &mut self.reverse),
            ("twins", &mut self.twins),
            ("chains", &mut self.chains),
        ]
    }
}

/// Writes `none` if no reduction is made, otherwise the names of those that are always made, or
/// `auto` if there are none.
impl fmt::Display for Reductions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.named().into_iter();
        let named = named.filter_map(|(name, when)| (when == When::Always).then_some(name));
        let named: Vec<_> = named.collect();
        f.write_str(&match *self {
            Reductions::NONE => "none".into(),
            _ if named.is_empty() => "auto".into(),
            _ => named.join(","),
        })
    }
}

impl FromStr for Reductions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => return Ok(Reductions::default()),
            "none" => return Ok(Reductions::NONE),
            _ => {}
        }
        let mut reductions = Reductions::NONE;
        for name in text.split(',') {
            let mut named = reductions.named_mut().into_iter();
            let Some((_, when)) = named.find(|(one, _)| *one == name) else {
                let names = Reductions::NONE.named().map(|(name, _)| name).join(", ");
                return Err(format!(
                    "'{text}' is not a list of reductions; give auto, none, or some of these with \
                     commas between them: {names}"
                ));
            };
            if std::mem::replace(when, When::Always) == When::Always {
                return Err(format!("'{name}' is named twice"));
            }
        }
        Ok(reductions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_parse() {
        let good = "auto none fold chains fold,blocks fold,blocks,twins blocks,reverse,twins \
                    fold,blocks,chains";
        for text in good.split(' ') {
            assert_eq!(text.parse::<Reductions>().unwrap().to_string(), text);
        }
        let other_order = "chains,fold".parse::<Reductions>().unwrap();
        assert_eq!(other_order.to_string(), "fold,chains");
        for bad in ["", "folds", "fold,", "auto,fold", "none,none", "fold,fold"] {
            assert!(bad.parse::<Reductions>().is_err(), "{bad}");
        }
    }
}

//! Which reductions of the graph are made before it is searched.

use std::fmt;
use std::str::FromStr;

/// When a reduction is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum When {
    /// If that makes less work.
    #[default]
    Auto,
    /// In every graph that it is for.
    Always,
    /// Not at all.
    Never,
}

/// Reductions of undirected graphs, in the order in which they are made. None of them changes a
/// score by more than its rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Reductions {
    /// Trees are folded into the vertices that they hang at.
    pub fold: When,
    /// What is left is split at its articulation points.
    pub blocks: When,
    /// Vertices with the same neighbours are merged, of graphs without weights whose chains are not
    /// contracted.
    pub twins: When,
    /// Sources inside chains of degree-2 vertices are served by the searches from the ends of their
    /// chains. Only engine and strategy `hierarchy` do that.
    pub chains: When,
}

impl Reductions {
    /// The graph is searched as it stands.
    pub const NONE: Reductions = Reductions {
        fold: When::Never,
        blocks: When::Never,
        twins: When::Never,
        chains: When::Never,
    };

    /// Trees are folded or not, and that is all.
    pub const fn folding(fold: bool) -> Reductions {
        Reductions {
            fold: if fold { When::Always } else { When::Never },
            ..Reductions::NONE
        }
    }

    /// All of them, by name.
    pub fn named(mut self) -> [(&'static str, When); 4] {
        self.each().map(|(name, when)| (name, *when))
    }

    fn each(&mut self) -> [(&'static str, &mut When); 4] {
        let Reductions {
            fold,
            blocks,
            twins,
            chains,
        } = self;
        [
            ("fold", fold),
            ("blocks", blocks),
            ("twins", twins),
            ("chains", chains),
        ]
    }
}

/// `auto`, `none`, or the names of those that are made always.
impl fmt::Display for Reductions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.named().into_iter();
        let named = named.filter(|&(_, when)| when == When::Always);
        let named: Vec<_> = named.map(|(name, _)| name).collect();
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
            let mut all = reductions.each().into_iter();
            let Some((_, when)) = all.find(|(known, _)| *known == name) else {
                return Err(format!(
                    "'{text}' is none of auto, none, or some of fold, blocks, twins and chains \
                     with commas between them"
                ));
            };
            if std::mem::replace(when, When::Always) == When::Always {
                return Err(format!("'{name}' is named twice"));
            }
        }
        if reductions.twins == When::Always && reductions.chains == When::Always {
            return Err("twins are merged or chains served, not both".into());
        }
        Ok(reductions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_parse() {
        for text in [
            "auto",
            "none",
            "fold",
            "chains",
            "fold,blocks",
            "fold,blocks,twins",
            "fold,blocks,chains",
        ] {
            assert_eq!(text.parse::<Reductions>().unwrap().to_string(), text);
        }
        assert_eq!(
            "chains,fold".parse::<Reductions>().unwrap().to_string(),
            "fold,chains"
        );
        let both = "fold,twins,chains";
        for bad in [
            "",
            "folds",
            "fold,",
            "auto,fold",
            "none,none",
            "fold,fold",
            both,
        ] {
            assert!(bad.parse::<Reductions>().is_err(), "{bad}");
        }
    }
}

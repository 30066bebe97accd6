//! Decides which column or attribute has the weights.

use super::finder::Finder;
use super::options::Column;
use super::problems::no_such_column;
use crate::error::Problem;
use crate::formats::text::{attributes, header};
use crate::tokens::shown;
use crate::{WeightChoice, WeightOptions};

impl Finder<'_> {
    /// Returns the column of weights or the attribute that has them, if the user asked for weights.
    pub(super) fn weight(
        &mut self,
        weights: Option<&WeightOptions>,
        ends: (usize, usize),
    ) -> Result<(Option<usize>, Option<String>), Problem> {
        let columns = self.options.columns.as_ref();
        let named = columns.and_then(|columns| columns.weight.clone());
        let Some(weights) = weights else {
            let read = "they are not read (add --weighted, or leave weight= out)";
            let problem = |_| Err(unfit!("--columns names weights, but {read}"));
            return named.map_or(Ok((None, None)), problem);
        };
        let asked = match &weights.choice {
            WeightChoice::Usual => named,
            _ if named.is_some() => {
                return Err(unfit!(
                    "--columns and --weighted both name the weights (leave one of them out)"
                ));
            }
            WeightChoice::Column(number) => Some(Column::Number(*number)),
            WeightChoice::Named(name) => Some(Column::Name(name.clone())),
        };
        let first = self.rows.first();
        let has_attributes = first.is_some_and(|row| row.attributes.is_some());
        Ok(match asked {
            Some(Column::Name(name)) if has_attributes => (None, Some(name)),
            None if has_attributes => (None, Some("weight".into())),
            Some(column) => (Some(self.column(&column)?), None),
            None => (Some(self.usual_weights(ends)?), None),
        })
    }

    /// Returns the column whose name says that it has the weights, or else the one behind the ends.
    fn usual_weights(&mut self, ends: (usize, usize)) -> Result<usize, Problem> {
        if let Some(column) = self.named_weights(ends) {
            return Ok(column);
        }
        let next = ends.0.max(ends.1) + 1;
        if next >= self.columns {
            return Err(Problem::no_weights());
        }
        if let Some(word) = self.words.get(next) {
            if !self.all(next, |text| text.is_empty() || self.sample.is_number(text)) {
                let weight = Column::Name("weight".into());
                return Err(no_such_column(&weight, self.columns, &self.words));
            }
            let word = shown(word);
            self.note(format!(
                "the weights are in column {word} (--weighted NAME takes another)"
            ));
        }
        Ok(next)
    }

    /// Returns the column whose name says that it has the weights.
    fn named_weights(&self, ends: (usize, usize)) -> Option<usize> {
        header::first_of(&self.words, header::WEIGHTS, &[ends.0, ends.1])
    }

    /// Returns whether the rows seem to have weights.
    pub(super) fn has_weights(&self, ends: (usize, usize)) -> bool {
        let next = ends.0.max(ends.1) + 1;
        let attributes = self.rows.iter().filter_map(|row| row.attributes.as_ref());
        let mut in_attributes = attributes.map(attributes::has_weight);
        self.named_weights(ends).is_some()
            || in_attributes.any(|has| has)
            || self.words.is_empty()
                && self.all(next, |text| self.sample.is_number(text))
                && !self.all(next, |text| text == b"1")
    }

    /// Notes the first column behind the ends that is not read although it may be an end or a
    /// weight: it has text, or there are many columns.
    pub(super) fn note_ignored(&mut self, ends: (usize, usize), weight: Option<usize>) {
        /// Two ends, a weight and a time.
        const USUAL: usize = 4;
        let numbers = |text: &[u8]| text.is_empty() || self.sample.is_number(text);
        let odd = |&column: &usize| self.columns > USUAL || !self.all(column, numbers);
        let mut unread = (ends.0.max(ends.1) + 1..self.columns).filter(|&c| weight != Some(c));
        let is_known = !self.words.is_empty() || self.options.columns.is_some();
        if let Some(column) = unread.find(odd).filter(|_| !is_known) {
            let (text, source, target) = (shown(self.rows[0].text(column)), ends.0 + 1, column + 1);
            self.note(format!(
                "column {target}, such as {text}, is not read (--columns \
                 source={source},target={target} takes it for an end)"
            ));
        }
    }
}

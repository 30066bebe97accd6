//! Numbers vertices on all cores, in the order in which the input first mentions their labels.

use std::hash::{BuildHasher, Hash};
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use indexmap::IndexSet;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::builder::check_vertices;
use super::error::Problem;
use super::labels::{NameInterner, too_many};
use super::{Labels, Vertex};

/// The ends of each edge as codes, which the [`Dictionary`] of their block maps to labels.
pub(super) type Codes = Vec<[u32; 2]>;

/// The labels of the codes of a block.
#[derive(Debug, Default)]
enum Dictionary {
    /// Labels are numbers of 32 bits, and each is its own code.
    #[default]
    Plain,
    /// Labels are numbers of 64 bits, and codes are their positions in this set.
    Numbers(IndexSet<u64, FxBuildHasher>),
    /// Labels are names, and codes are their positions in this set.
    Names(NameInterner),
}

/// The edges of a block, whose ends are codes: numbers while all of them fit into 32 bits,
/// otherwise positions in a dictionary of numbers or, if an end is no number, of names.
#[derive(Debug, Default)]
pub(super) struct Coded {
    /// The ends of each edge.
    pub codes: Codes,
    dictionary: Dictionary,
    /// The smallest and the largest number that is the label of an end, or an empty range if labels
    /// are names; set by [`Self::finish`].
    pub range: Option<(u64, u64)>,
}

impl Coded {
    /// Returns whether labels are names.
    #[inline]
    pub fn has_names(&self) -> bool {
        matches!(self.dictionary, Dictionary::Names(_))
    }

    fn is_plain(&self) -> bool {
        matches!(self.dictionary, Dictionary::Plain)
    }

    /// Adds an edge between numbers.
    ///
    /// # Errors
    /// [`Problem`] if 32 bits cannot count the names.
    #[inline]
    pub fn push_numbers(&mut self, ends: [u64; 2]) -> Result<(), Problem> {
        if let (Dictionary::Plain, [source, target]) = (&self.dictionary, ends)
            && let (Ok(source), Ok(target)) = (u32::try_from(source), u32::try_from(target))
        {
            self.codes.push([source, target]);
            return Ok(());
        }
        self.push_by_dictionary(ends)
    }

    /// Implements [`Self::push_numbers`] with a dictionary, which is made first if there is none.
    #[cold]
    fn push_by_dictionary(&mut self, ends: [u64; 2]) -> Result<(), Problem> {
        self.add_dictionary();
        if let Dictionary::Numbers(numbers) = &mut self.dictionary {
            let codes = ends.map(|end| numbers.insert_full(end).0 as u32);
            self.codes.push(codes);
            return Ok(());
        }
        let [source, target] = ends.map(|end| end.to_string());
        self.push_names([source.as_bytes(), target.as_bytes()])
    }

    /// Adds an edge between names. The numbers in the block become names too.
    ///
    /// # Errors
    /// [`Problem`] if 32 bits cannot count the names.
    pub fn push_names(&mut self, [source, target]: [&[u8]; 2]) -> Result<(), Problem> {
        self.name_numbers()?;
        if let Dictionary::Names(names) = &mut self.dictionary {
            self.codes
                .push([names.intern(source)?, names.intern(target)?]);
        }
        Ok(())
    }

    /// Frees unused memory and sets [`Self::range`]. Call this when all edges have been added.
    pub fn finish(&mut self) {
        self.codes.shrink_to_fit();
        let ends = self.codes.as_flattened().iter();
        self.range = match &self.dictionary {
            _ if self.codes.is_empty() => None,
            Dictionary::Plain => {
                let (low, high) = ends.fold((u32::MAX, 0), |(l, h), &x| (l.min(x), h.max(x)));
                Some((low.into(), high.into()))
            }
            Dictionary::Numbers(numbers) => {
                let numbers = numbers.iter().copied();
                numbers.clone().min().zip(numbers.max())
            }
            Dictionary::Names(_) => Some((u64::MAX, 0)),
        };
    }

    /// Adds a dictionary of numbers if codes are the labels.
    fn add_dictionary(&mut self) {
        if self.is_plain() {
            let edges = self.codes.capacity();
            let mut numbers = IndexSet::with_capacity_and_hasher(edges, FxBuildHasher);
            for code in self.codes.as_flattened_mut() {
                *code = numbers.insert_full(u64::from(*code)).0 as u32;
            }
            self.dictionary = Dictionary::Numbers(numbers);
        }
    }

    /// Converts a dictionary of numbers to one of names.
    fn name_numbers(&mut self) -> Result<(), Problem> {
        self.add_dictionary();
        if let Dictionary::Numbers(numbers) = &self.dictionary {
            let mut names = NameInterner::default();
            for number in numbers {
                names.intern(number.to_string().as_bytes())?;
            }
            self.dictionary = Dictionary::Names(names);
        }
        Ok(())
    }

    /// Returns whether a number is the label of an end; false for blocks of names.
    pub fn has_number(&self, number: u64) -> bool {
        match &self.dictionary {
            Dictionary::Plain => u32::try_from(number)
                .is_ok_and(|number| self.codes.as_flattened().contains(&number)),
            Dictionary::Numbers(numbers) => numbers.contains(&number),
            Dictionary::Names(_) => false,
        }
    }
}

/// The entry of [`by_table`] for a number that does not occur.
const UNSEEN: u32 = u32::MAX;

/// The largest number of entries of a table that may take more memory than the edges.
const SMALL_TABLE: usize = 1 << 20;

/// Replaces all codes by vertices and returns the labels of the vertices.
///
/// # Errors
/// [`Problem`] if 32 bits cannot count the vertices.
pub(super) fn number(blocks: &mut [Coded]) -> Result<Labels, Problem> {
    if blocks.iter().any(Coded::has_names) {
        blocks.par_iter_mut().try_for_each(Coded::name_numbers)?;
        let (vertices, names) = merged(blocks, |block| match &block.dictionary {
            Dictionary::Names(names) => names.names().collect(),
            _ => Vec::new(),
        })?;
        let labels = names.into_iter().collect();
        decode(blocks, &vertices);
        return Ok(labels);
    }
    let Some((_, largest)) = range(blocks.iter()) else {
        return Ok(Labels::consecutive(0, 0));
    };
    let ends = 2 * blocks.iter().map(|block| block.codes.len()).sum::<usize>();
    // The table has positions of 32 bits, because wider ones would take twice as much cache.
    let fit_in_32_bits = ends < UNSEEN as usize;
    // The table takes at most as much memory as the ends of edges, or 4 MiB if that is more.
    let affordable = ends.max(SMALL_TABLE);
    if blocks.iter().all(Coded::is_plain) && fit_in_32_bits && (largest as usize) < affordable {
        return Ok(by_table(blocks, largest as usize + 1));
    }
    blocks.par_iter_mut().for_each(Coded::add_dictionary);
    let (vertices, numbers) = merged(blocks, |block| match &block.dictionary {
        Dictionary::Numbers(numbers) => numbers.iter().copied().collect(),
        _ => Vec::new(),
    })?;
    decode(blocks, &vertices);
    Ok(labels_of_numbers(numbers))
}

/// Returns the labels that are these numbers.
pub(super) fn labels_of_numbers(numbers: Vec<u64>) -> Labels {
    let first = numbers.first().copied().unwrap_or(0);
    let follows = |(v, &number): (usize, &u64)| first.checked_add(v as u64) == Some(number);
    match numbers.par_iter().enumerate().all(follows) {
        true => Labels::consecutive(first, numbers.len()),
        false => Labels::Numbers(numbers),
    }
}

/// Returns the smallest and the largest number that is the label of an end in any block.
pub(super) fn range<'b>(blocks: impl Iterator<Item = &'b Coded>) -> Option<(u64, u64)> {
    let ranges = blocks.filter_map(|block| block.range);
    ranges.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
}

/// Returns the labels of the `count` vertices that `--vertices` declares: first the `labels` of the
/// vertices that occur in the file, then the others in ascending order.
///
/// # Errors
/// [`Problem`] if labels are names or outside the declared range, or there is too little memory.
pub(super) fn with_declared(labels: Labels, count: u64) -> Result<Labels, Problem> {
    check_vertices(count)?;
    let mut numbers: Vec<u64> = match labels {
        Labels::Consecutive { first, count } => (first..).take(count).collect(),
        Labels::Numbers(numbers) => numbers,
        Labels::Names { .. } => {
            return Err(unfit!(
                "--vertices declares numbers, but some vertices have names (leave --vertices out)"
            ));
        }
    };
    let low = numbers.par_iter().min().copied().unwrap_or(0);
    let high = numbers.par_iter().max().copied().unwrap_or(0);
    let first = u64::from(low > 0);
    if !numbers.is_empty() && high >= count + first {
        return Err(unfit!(
            "--vertices {count} is too small for vertex {high} of the file (give a larger number)"
        ));
    }
    let mut seen = vec![false; count as usize];
    for &number in &numbers {
        seen[(number - first) as usize] = true;
    }
    let unseen = (first..).zip(seen).filter(|&(_, seen)| !seen);
    numbers.extend(unseen.map(|(number, _)| number));
    Ok(labels_of_numbers(numbers))
}

/// Implements [`number`] by a table with an entry for each number below `size`: first the position
/// among all ends at which the number first occurs, later the vertex with this number.
fn by_table(blocks: &mut [Coded], size: usize) -> Labels {
    let unseen = (0..size).into_par_iter().map(|_| AtomicU32::new(UNSEEN));
    let table: Vec<AtomicU32> = unseen.collect();
    let starts = blocks.iter().scan(0, |end, block| {
        let ends = 2 * block.codes.len() as u32;
        Some(mem::replace(end, *end + ends))
    });
    let starts: Vec<u32> = starts.collect();
    blocks.par_iter().zip(starts).for_each(|(block, start)| {
        for (position, &code) in (start..).zip(block.codes.as_flattened()) {
            // Most numbers occurred before, and a load is cheaper than an atomic minimum.
            let slot = &table[code as usize];
            if slot.load(Relaxed) > position {
                slot.fetch_min(position, Relaxed);
            }
        }
    });
    // The upper half of an item is the first position of a number, the lower half the number.
    let packed = |(number, slot): (usize, &AtomicU32)| {
        let position = slot.load(Relaxed);
        (position != UNSEEN).then_some(u64::from(position) << 32 | number as u64)
    };
    let mut order: Vec<u64> = table.par_iter().enumerate().filter_map(packed).collect();
    order.par_sort_unstable();
    let vertices = || order.par_iter().map(|&item| item as u32).enumerate();
    if !vertices().all(|(vertex, number)| vertex == number as usize) {
        vertices()
            .for_each(|(vertex, number)| table[number as usize].store(vertex as u32, Relaxed));
        blocks.par_iter_mut().for_each(|block| {
            for code in block.codes.as_flattened_mut() {
                *code = table[*code as usize].load(Relaxed);
            }
        });
    }
    drop(table);
    let numbers = order.into_par_iter().map(|item| (item as u32).into());
    labels_of_numbers(numbers.collect())
}

/// Replaces the codes of each block by vertices. `vertices` has the vertex of each code of each
/// block.
fn decode(blocks: &mut [Coded], vertices: &[Vec<Vertex>]) {
    let pairs = blocks.par_iter_mut().zip(vertices);
    pairs.for_each(|(block, vertices)| {
        for code in block.codes.as_flattened_mut() {
            *code = vertices[*code as usize];
        }
    });
}

/// Returns the vertex of each entry of each dictionary, and the label of each vertex. `keys`
/// returns the labels in the dictionary of a block.
///
/// Entries are partitioned by the hashes of their labels. One core processes a partition, and finds
/// the first entry of each label in it. The first entries of all labels become the vertices, in the
/// order of the input.
fn merged<'b, K: Copy + Eq + Hash + Send + Sync>(
    blocks: &'b [Coded],
    keys: fn(&'b Coded) -> Vec<K>,
) -> Result<(Vec<Vec<Vertex>>, Vec<K>), Problem> {
    /// The binary logarithm of the number of partitions.
    const PARTITION_BITS: u32 = 6;
    const PARTITIONS: usize = 1 << PARTITION_BITS;
    /// Packs an entry into a number: the block in the upper half, the code in the lower one.
    fn packed(block: usize, code: usize) -> u64 {
        (block as u64) << 32 | code as u64
    }
    let dictionaries: Vec<Vec<K>> = blocks.par_iter().map(keys).collect();
    // For each block, the codes in each partition.
    let partitioned = |keys: &Vec<K>| {
        let mut partitions = vec![Vec::new(); PARTITIONS];
        for (code, key) in keys.iter().enumerate() {
            // Maps use the lower bits of a hash, so partitions use the upper ones.
            let partition = FxBuildHasher.hash_one(key) >> (u64::BITS - PARTITION_BITS);
            partitions[partition as usize].push(code as u32);
        }
        partitions
    };
    let partitions: Vec<Vec<Vec<u32>>> = dictionaries.par_iter().map(partitioned).collect();
    let zeros = |keys: &Vec<K>| keys.iter().map(|_| AtomicU64::new(0)).collect();
    // For each entry of each block, the first entry with the same label.
    let firsts: Vec<Vec<AtomicU64>> = dictionaries.par_iter().map(zeros).collect();
    (0..PARTITIONS).into_par_iter().for_each(|partition| {
        let mut seen: FxHashMap<K, u64> = FxHashMap::default();
        for (block, keys) in dictionaries.iter().enumerate() {
            for &code in &partitions[block][partition] {
                let code = code as usize;
                let entry = *seen.entry(keys[code]).or_insert(packed(block, code));
                firsts[block][code].store(entry, Relaxed);
            }
        }
    });
    drop(partitions);
    // The first entry with a label becomes a vertex. The others find their vertex by that entry.
    let mut vertices: Vec<Vec<Vertex>> = Vec::with_capacity(dictionaries.len());
    let mut labels = Vec::new();
    for (block, keys) in dictionaries.iter().enumerate() {
        let numbered = |(code, &key): (usize, &K)| {
            let is_first = firsts[block][code].load(Relaxed) == packed(block, code);
            let vertex = labels.len() as Vertex;
            if is_first {
                labels.push(key);
            }
            vertex
        };
        vertices.push(keys.iter().enumerate().map(numbered).collect());
        if labels.len() > u32::MAX as usize - 1 {
            return Err(too_many().into());
        }
    }
    let vertex = |entry: &AtomicU64| {
        let entry = entry.load(Relaxed);
        vertices[(entry >> 32) as usize][entry as u32 as usize]
    };
    let of_block = |firsts: &Vec<AtomicU64>| firsts.iter().map(vertex).collect();
    Ok((firsts.par_iter().map(of_block).collect(), labels))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// Checks that the labels are the distinct names in order, and that the ends have theirs.
    fn check(blocks: &mut [Coded], names: &[String]) {
        let labels = number(blocks).unwrap();
        let shown: Vec<String> = (0..labels.len() as u32)
            .map(|v| labels.display(v).to_string())
            .collect();
        let mut seen = HashSet::new();
        let distinct: Vec<_> = names.iter().filter(|name| seen.insert(*name)).collect();
        assert!(shown.iter().eq(distinct), "{shown:?}");
        let ends = blocks.iter().flat_map(|block| block.codes.as_flattened());
        assert!(ends.map(|&v| &shown[v as usize]).eq(names), "{shown:?}");
    }

    proptest! {
        #[test]
        fn numbering_is_by_first_appearance(
            blocks in prop::collection::vec(
                prop::collection::vec(
                    prop::array::uniform2(prop_oneof![0..9u64, 0..3_000_000u64, any::<u64>()]),
                    0..20),
                0..5)
        ) {
            let ends = blocks.iter().flatten().flatten();
            let names: Vec<String> = ends.map(u64::to_string).collect();
            // Only numbers, only names, and both in turns.
            for named in [|_| false, |_| true, |entry| entry % 3 == 2] {
                let coded = |edges: &Vec<[u64; 2]>| {
                    let mut coded = Coded::default();
                    for (entry, &ends) in edges.iter().enumerate() {
                        let texts = ends.map(|end| end.to_string());
                        let pushed = match named(entry) {
                            true => coded.push_names([texts[0].as_bytes(), texts[1].as_bytes()]),
                            false => coded.push_numbers(ends),
                        };
                        pushed.unwrap();
                    }
                    coded.finish();
                    coded
                };
                check(&mut blocks.iter().map(coded).collect::<Vec<_>>(), &names);
            }
        }
    }
}

//! A hash that identifies a graph.

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::Graph;

/// The number of words that are hashed as one piece, so that all cores can hash pieces.
const PIECE: usize = 1 << 18;

/// Returns a hash of 64 bits that is the same on every machine and differs for different graphs,
/// except with a chance of one in 2^64. It depends on how the vertices are numbered (readers number
/// them in the order in which the input mentions them), but neither on labels nor on lengths.
///
/// The algorithm must not change, because the profiles that `brandes tune` stores have
/// fingerprints. The CSR offsets, and then the targets, as 32-bit little-endian words, are cut into
/// pieces of 2^18 words each (the last piece of either may be shorter). Each piece is hashed by
/// XXH3 (64 bits, seed 0). The fingerprint is XXH3 of these 64-bit little-endian words: 1 if
/// directed, else 0; vertices; arcs; the hashes of the pieces.
pub fn fingerprint(graph: &Graph) -> u64 {
    let csr = graph.csr();
    let mut words = vec![
        u64::from(graph.directed()),
        csr.vertices() as u64,
        csr.arcs() as u64,
    ];
    for array in [csr.offsets(), csr.targets()] {
        words.par_extend(array.par_chunks(PIECE).map(hash_of_piece));
    }
    let words: Vec<u64> = words.into_iter().map(u64::to_le).collect();
    xxh3_64(bytemuck::cast_slice(&words))
}

/// Returns the hash of a piece of the offsets or the targets.
fn hash_of_piece(words: &[u32]) -> u64 {
    let words: Vec<u32> = words.iter().map(|word| word.to_le()).collect();
    xxh3_64(bytemuck::cast_slice(&words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::tests::built;

    #[test]
    fn the_fingerprint_of_a_graph_never_changes() {
        // Computed by another program (xxhash for Python) from the description above.
        let path = built(3, &[(0, 1), (1, 2)], false);
        assert_eq!(fingerprint(&path), 0xa23c_30d5_24d4_e211);
    }

    #[test]
    fn a_fingerprint_depends_on_every_arc_and_on_directedness() {
        let base = fingerprint(&built(4, &[(0, 1), (1, 2)], false));
        for other in [
            built(4, &[(0, 1), (1, 3)], false),
            built(5, &[(0, 1), (1, 2)], false),
            built(4, &[(0, 1), (1, 2), (2, 3)], false),
            built(4, &[(0, 1), (1, 0), (1, 2), (2, 1)], true),
        ] {
            assert_ne!(fingerprint(&other), base);
        }
        // Edges in another order are the same graph.
        let turned = built(4, &[(2, 1), (1, 0)], false);
        assert_eq!(fingerprint(&turned), base);
    }

    #[test]
    fn graphs_of_several_pieces_are_hashed() {
        let large = |seed| generate::erdos_renyi(40_000, 300_000, seed).unwrap();
        assert!(large(1).csr().arcs() > 2 * PIECE);
        assert_eq!(fingerprint(&large(1)), fingerprint(&large(1)));
        assert_ne!(fingerprint(&large(1)), fingerprint(&large(2)));
    }
}

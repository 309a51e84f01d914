//! Where an iteration is cut into subtrees, and the order in which they are searched.

use rustc_hash::FxHashMap;

use super::{Beyond, BoundedSearch, Branch};
use crate::limits::Stop;
use crate::meter::Counter;

/// About the bytes of the topmost node of a subtree, with the way to it.
pub(super) fn subtree_bytes<S: BoundedSearch>() -> usize {
    const WAY: usize = 64;
    size_of::<Branch<S::Node>>() + WAY
}

/// Cuts the tree within a bound a few plies below the root into many subtrees, in the order in which they are to be
/// searched.
///
/// The last iteration ends at the goal, the sooner the better the order: first those that came nearest to the bound in
/// the iteration before, whose subtrees are `before`; among equals, and while none is known, those whose roots seem
/// nearest.
#[doc(hidden)]
pub fn divide<S: BoundedSearch>(
    search: &S,
    bound: S::Bound,
    before: &[Branch<S::Node>],
    beyond: &mut Beyond<S::Bound>,
    counter: &mut Counter<'_>,
) -> Result<Vec<Branch<S::Node>>, Stop> {
    const SUBTREES: usize = 4096;
    const PLIES: usize = 24;
    // The last cut is up to three times as wide, and is held beside those of this iteration and of the one before: that
    // may come to half of what there is.
    const HELD: usize = 16;
    let room = counter.room().unwrap_or(usize::MAX);
    let enough = SUBTREES.min(room / (HELD * subtree_bytes::<S>()));
    let mut nodes = vec![search.root()];
    let mut plies = 0;
    while nodes.len() < enough && plies < PLIES && search.divides_at(bound, plies) {
        let mut next = Vec::new();
        for node in &nodes {
            next.extend(search.split(node, bound, beyond, counter)?);
        }
        nodes = next;
        plies += 1;
    }
    // A larger bound leaves more nodes at every ply: the cut before was as deep or deeper.
    let mut nearest = FxHashMap::default();
    for branch in before {
        let Some(above) = search.steps(&branch.root).get(..plies) else { continue };
        let came = branch.nearest();
        nearest.entry(above).and_modify(|known| *known = came.min(*known)).or_insert(came);
    }
    let came = |node: &S::Node| nearest.get(search.steps(node)).copied().unwrap_or(u32::MAX);
    nodes.sort_by_cached_key(|node| (came(node), search.estimate(node)));
    Ok(nodes.into_iter().map(Branch::new).collect())
}

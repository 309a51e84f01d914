use std::cmp::Reverse;

use proptest::prelude::*;

use super::{BucketQueue, HeapQueue, OpenList};
use crate::store::Handle;

type Step = Option<(u64, u32)>;

/// Takes out what comes next of a plain list, by searching it anew.
fn take(plain: &mut Vec<(u64, u32, Handle)>) -> Option<(u64, u32, Handle)> {
    let best = (0..plain.len()).min_by_key(|&i| (plain[i].0, plain[i].1, Reverse(plain[i].2)));
    best.map(|i| plain.remove(i))
}

/// Pushes and pops in the order given, against a plain list.
fn agrees(steps: &[Step], mut queue: BucketQueue) {
    let mut heap = HeapQueue::default();
    let mut plain = Vec::new();
    for (node, step) in (0..).zip(steps) {
        if let &Some((key, h)) = step {
            queue.push(key, h, node);
            heap.push(key, h, node);
            plain.push((key, h, node));
            continue;
        }
        let expected = take(&mut plain);
        assert_eq!(queue.pop(), expected);
        assert_eq!(heap.pop(), expected);
        // What a batch holds is what single pops would have given, while key and h are the same. It may be shorter.
        let mut batch = Vec::new();
        let key: Option<u64> = queue.pop_batch(3, &mut batch);
        assert_eq!(key.is_some(), !batch.is_empty());
        assert_eq!(batch.is_empty(), plain.is_empty());
        let mut same = Vec::new();
        assert_eq!(heap.pop_batch(batch.len(), &mut same), key);
        assert_eq!(same, batch);
        for &(h, node) in &batch {
            assert_eq!(take(&mut plain), Some((key.expect("a key"), h, node)));
            assert_eq!(h, batch[0].0);
        }
    }
    assert_eq!(queue.len, plain.len());
    while let Some(expected) = take(&mut plain) {
        assert_eq!(queue.pop(), Some(expected));
    }
    assert_eq!(OpenList::pop(&mut queue), None);
}

/// A queue that thinks of stacks from so many nodes on.
fn queue(enough: usize) -> BucketQueue {
    BucketQueue { enough, ..BucketQueue::default() }
}

fn steps(
    keys: impl Strategy<Value = u64>,
    hs: impl Strategy<Value = u32>,
    most: usize,
) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(prop::option::weighted(0.65, (keys, hs)), 0..most)
}

proptest! {
    #[test]
    fn small_keys(steps in steps(0u64..6, 0u32..4, 600), enough in 1usize..400) {
        agrees(&steps, queue(enough));
    }

    #[test]
    fn keys_of_any_size(steps in steps(any::<u64>(), any::<u32>(), 60)) {
        agrees(&steps, queue(8));
    }

    #[test]
    fn spread_keys(steps in steps(1_000_000u64..1_003_000, 0u32..3000, 400)) {
        agrees(&steps, queue(8));
    }

    #[test]
    fn sparse_keys(steps in steps((0u64..40).prop_map(|key| 777 * key), 0u32..3, 400), enough in 1usize..400) {
        agrees(&steps, queue(enough));
    }

    /// Stacks at first, then keys and estimates for which they have no room.
    #[test]
    fn keys_that_spread(
        dense in steps(100u64..104, 0u32..4, 600),
        wide in steps(prop_oneof![90u64..5000, Just(u64::MAX)], 0u32..1000, 100),
    ) {
        agrees(&[dense, wide].concat(), queue(32));
    }

    /// Children of the node taken last: a key that is never below, and an h that falls by as much as g grows.
    #[test]
    fn as_a_search_pushes(choices in prop::collection::vec(prop::collection::vec((0u32..4, 0u64..3), 0..4), 0..200)) {
        let (mut queue, mut plain, mut next) = (queue(64), vec![(50, 50, 0)], 1);
        queue.push(50u64, 50, 0);
        for children in choices {
            let Some((key, h, node)) = queue.pop() else { break };
            prop_assert_eq!(take(&mut plain), Some((key, h, node)));
            for (cost, detour) in children {
                let child = (key + 14 * detour, (h + 14 * detour as u32).saturating_sub(cost), next);
                queue.push(child.0, child.1, child.2);
                plain.push(child);
                next += 1;
            }
        }
    }
}

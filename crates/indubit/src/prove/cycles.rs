//! What needs each other: the strongly connected components of a graph (R. Tarjan, *Depth-First Search and Linear Graph Algorithms*, SIAM J.
//! Comput. 1972), without recursion.

/// A number for each node, the same for nodes that are on a common cycle. `edges[i]` are the nodes that `i` leads to.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let n = edges.len();
    let mut component = vec![UNSEEN; n];
    let mut index = vec![UNSEEN; n];
    let mut low = vec![UNSEEN; n];
    let (mut n_seen, mut n_components) = (0, 0);
    let mut stack = Vec::new();
    for root in 0..n {
        // Nodes on the way down, each with the position of its next edge.
        let mut path = if index[root] == UNSEEN { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            if *at == 0 {
                (index[node], low[node]) = (n_seen, n_seen);
                n_seen += 1;
                stack.push(node);
            }
            if let Some(&next) = edges[node].get(*at) {
                *at += 1;
                if index[next] == UNSEEN {
                    path.push((next, 0));
                } else if component[next] == UNSEEN {
                    low[node] = low[node].min(index[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above] = low[above].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = n_components;
                    if member == node {
                        break;
                    }
                }
                n_components += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Can one get from `a` to `b`?
    fn reaches(edges: &[Vec<usize>], a: usize, b: usize) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut open = vec![a];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&edges[node]);
            }
        }
        seen[b]
    }

    #[test]
    fn nodes_on_a_common_cycle() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..300 {
            let n = rng.usize(1..12);
            let edges: Vec<Vec<usize>> =
                (0..n).map(|_| (0..rng.usize(..3)).map(|_| rng.usize(..n)).collect()).collect();
            let found = components(&edges);
            for a in 0..n {
                for b in 0..n {
                    let expected = reaches(&edges, a, b) && reaches(&edges, b, a);
                    assert_eq!(found[a] == found[b], expected, "{edges:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_chain() {
        let edges: Vec<Vec<usize>> =
            (0..100_000usize).map(|i| i.checked_sub(1).into_iter().collect()).collect();
        assert_eq!(components(&edges), (0..100_000).collect::<Vec<_>>());
    }
}

//! Gates in any order become nodes in topological order.

use super::variables::{Definition, Variables};
use indubit_aig::Aig;
use indubit_logic::Lit;

/// A gate as the file has it: its own literal and the two it conjoins.
pub(super) type Gate = [Lit; 3];

/// A gate that cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BadGate {
    /// Its position in the file.
    pub(super) gate: usize,
    /// Which literal of it is to blame: 0 is its own.
    pub(super) field: usize,
    /// It depends on itself; otherwise that literal is undefined.
    pub(super) is_cyclic: bool,
}

/// Give each gate a node in `aig`, after the nodes of its fanins and otherwise in the order of the file, and
/// define its variable as that node.
///
/// A depth-first search with an explicit stack: chains of a million gates are common. The open gates are those
/// that wait for gates above them on the stack, so that meeting an open gate closes a cycle.
pub(super) fn build(gates: &[Gate], variables: &mut Variables, aig: &mut Aig) -> Result<(), BadGate> {
    let mut is_open = vec![false; gates.len()];
    let mut stack = Vec::new();
    for root in 0..gates.len() {
        stack.push(root);
        while let Some(&gate) = stack.last() {
            let [lhs, fanins @ ..] = gates[gate];
            if let Definition::Node(_) = variables.get(lhs.var()) {
                stack.pop();
                continue;
            }
            is_open[gate] = true;
            let mut nodes = [Lit::FALSE; 2];
            let mut is_ready = true;
            for (i, lit) in fanins.into_iter().enumerate() {
                match variables.get(lit.var()) {
                    Definition::Node(node) => nodes[i] = node ^ lit.is_negated(),
                    Definition::Undefined => return Err(BadGate { gate, field: 1 + i, is_cyclic: false }),
                    Definition::Gate(fanin) if is_open[fanin as usize] => {
                        return Err(BadGate { gate, field: 0, is_cyclic: true });
                    }
                    Definition::Gate(fanin) => {
                        stack.push(fanin as usize);
                        is_ready = false;
                    }
                }
            }
            if is_ready {
                let node = aig.raw_and(nodes[0], nodes[1]);
                variables.set(lhs.var(), Definition::Node(node));
                stack.pop();
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(code: u32) -> Lit {
        Lit::from_code(code)
    }

    /// Input 2, gates with literals 4, 6, 8, ... in this order.
    fn build_gates(fanins: &[[u32; 2]]) -> Result<Vec<[u32; 2]>, BadGate> {
        let mut variables = Variables::new(100, 100);
        let mut aig = Aig::new();
        variables.set(lit(2).var(), Definition::Node(aig.leaf()));
        let gates: Vec<Gate> =
            fanins.iter().enumerate().map(|(i, &[a, b])| [lit(4 + 2 * i as u32), lit(a), lit(b)]).collect();
        for (i, gate) in gates.iter().enumerate() {
            variables.set(gate[0].var(), Definition::Gate(i as u32));
        }
        build(&gates, &mut variables, &mut aig)?;
        Ok(aig.ands().map(|(_, [a, b])| [a.code(), b.code()]).collect())
    }

    #[test]
    fn ordered_gates_stay_in_order() {
        let gates = [[2, 3], [2, 2], [7, 5], [1, 0]];
        assert_eq!(build_gates(&gates).unwrap(), gates);
    }

    #[test]
    fn fanins_are_placed_first_and_keep_their_signs() {
        // 4 = !6 & 8, 6 = 2 & !8, 8 = 2 & 2: placed as 8, 6, 4.
        let nodes = build_gates(&[[7, 8], [2, 9], [2, 2]]).unwrap();
        assert_eq!(nodes, [[2, 2], [2, 5], [7, 4]]);
    }

    #[test]
    fn cycles_and_undefined_fanins_are_found() {
        let cycle = |gate| Err(BadGate { gate, field: 0, is_cyclic: true });
        assert_eq!(build_gates(&[[2, 5]]), cycle(0));
        assert_eq!(build_gates(&[[2, 2], [4, 8], [6, 2]]), cycle(2));
        assert_eq!(build_gates(&[[2, 2], [4, 99]]), Err(BadGate { gate: 1, field: 2, is_cyclic: false }));
    }

    #[test]
    fn a_long_chain_in_reverse_needs_no_recursion() {
        let n = 200_000;
        let mut gates: Vec<[u32; 2]> = (0..n).map(|i| [2, 4 + 2 * (i + 1)]).collect();
        gates[n as usize - 1] = [2, 3];
        let mut variables = Variables::new(n + 10, usize::MAX);
        let mut aig = Aig::new();
        variables.set(lit(2).var(), Definition::Node(aig.leaf()));
        let gates: Vec<Gate> =
            (0u32..).zip(gates).map(|(i, [a, b])| [lit(4 + 2 * i), lit(a), lit(b)]).collect();
        for (i, gate) in gates.iter().enumerate() {
            variables.set(gate[0].var(), Definition::Gate(i as u32));
        }
        build(&gates, &mut variables, &mut aig).unwrap();
        assert_eq!(aig.n_ands(), n as usize);
    }
}

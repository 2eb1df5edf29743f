//! Strongly connected components: where a run can stay for ever.

use super::graph::Graph;

/// A component of the graph.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// Its vertices.
    pub vertices: Vec<u32>,
    /// Does some step begin and end in it? If not, it is a single state that no run comes back to.
    pub has_cycle: bool,
    /// The signals that are seen in some step that begins and ends in it: a run can stay and see all of them infinitely often.
    pub seen: u64,
}

pub(super) struct Components {
    /// Of each vertex.
    pub of: Vec<u32>,
    pub all: Vec<Component>,
}

const NONE: u32 = u32::MAX;

/// From which vertices can a run go on for ever? Those from which all runs end are peeled off, last states first.
pub(super) fn alive(graph: &Graph) -> Vec<bool> {
    let n = graph.vertices.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut n_left: Vec<usize> = Vec::with_capacity(n);
    for (i, vertex) in graph.vertices.iter().enumerate() {
        vertex.edges.iter().for_each(|edge| before[edge.to as usize].push(i as u32));
        n_left.push(vertex.edges.len());
    }
    let mut dead: Vec<usize> = (0..n).filter(|&i| n_left[i] == 0).collect();
    let mut alive = vec![true; n];
    while let Some(i) = dead.pop() {
        alive[i] = false;
        for &p in &before[i] {
            n_left[p as usize] -= 1;
            if n_left[p as usize] == 0 {
                dead.push(p as usize);
            }
        }
    }
    alive
}

impl Components {
    /// Those of the vertices that are alive, after Tarjan (SIAM J. Comput. 1972), with a stack of our own in place of recursion.
    pub fn new(graph: &Graph, alive: &[bool]) -> Components {
        let n = graph.vertices.len();
        let mut found = Components { of: vec![NONE; n], all: Vec::new() };
        let (mut index, mut low) = (vec![NONE; n], vec![NONE; n]);
        let mut n_indices = 0;
        let mut open: Vec<u32> = Vec::new();
        for root in (0..n).filter(|&root| alive[root]) {
            if index[root] != NONE {
                continue;
            }
            // A vertex, and how many of its edges have been followed.
            let mut path: Vec<(usize, usize)> = vec![(root, 0)];
            while let Some(&(v, n_followed)) = path.last() {
                if n_followed == 0 {
                    (index[v], low[v]) = (n_indices, n_indices);
                    n_indices += 1;
                    open.push(v as u32);
                }
                if let Some(edge) = graph.vertices[v].edges.get(n_followed) {
                    path.last_mut().expect("v is there").1 += 1;
                    let to = edge.to as usize;
                    if alive[to] && index[to] == NONE {
                        path.push((to, 0));
                    } else if alive[to] && found.of[to] == NONE {
                        low[v] = low[v].min(index[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent] = low[parent].min(low[v]);
                }
                if low[v] == index[v] {
                    let at = open.iter().rposition(|&u| u as usize == v).expect("v is open");
                    found.close(open.split_off(at));
                }
            }
        }
        found.look_inside(graph);
        found
    }
    fn close(&mut self, vertices: Vec<u32>) {
        for &v in &vertices {
            self.of[v as usize] = self.all.len() as u32;
        }
        self.all.push(Component { vertices, has_cycle: false, seen: 0 });
    }
    fn look_inside(&mut self, graph: &Graph) {
        for (vertex, &of) in graph.vertices.iter().zip(&self.of) {
            for edge in vertex.edges.iter().filter(|e| of != NONE && self.of[e.to as usize] == of) {
                let component = &mut self.all[of as usize];
                component.has_cycle = true;
                component.seen |= edge.seen;
            }
        }
    }
    /// Those in which a run can stay and see all of these signals infinitely often.
    pub fn fair(&self, wanted: u64) -> impl Iterator<Item = u32> {
        let fair = move |c: &&Component| c.has_cycle && c.seen & wanted == wanted;
        self.all.iter().zip(0..).filter(move |(c, _)| fair(c)).map(|(_, i)| i)
    }
}

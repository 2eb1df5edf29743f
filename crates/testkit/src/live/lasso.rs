//! Lassos through the graph: one that is easy to find, and a shortest one.

use super::components::Components;
use super::graph::{Edge, Graph};
use std::collections::HashSet;

/// A lasso by numbers: the initial state, the inputs of each step, and the step after the last one.
#[derive(Clone, Debug)]
pub(super) struct Lasso {
    pub initial: u32,
    pub inputs: Vec<u32>,
    pub loops_to: usize,
}

/// A place of a walk: where it is, and which of the wanted signals it has seen.
type Place = (u32, u64);

/// A breadth-first search over places, level by level.
struct Walks<'g> {
    graph: &'g Graph,
    /// Only vertices of this component.
    of: &'g [u32],
    component: u32,
    wanted: u64,
    known: HashSet<Place>,
    /// Each with the place before it (its own number if there is none) and the inputs of the step between them.
    places: Vec<(Place, usize, u32)>,
}

impl<'g> Walks<'g> {
    fn new(graph: &'g Graph, components: &'g Components, component: u32, wanted: u64) -> Walks<'g> {
        Walks { graph, of: &components.of, component, wanted, known: HashSet::new(), places: Vec::new() }
    }
    fn enter(&mut self, edge: &Edge, seen: u64, before: Option<usize>) {
        let place = (edge.to, (seen | edge.seen) & self.wanted);
        if self.of[edge.to as usize] == self.component && self.known.insert(place) {
            let before = before.unwrap_or(self.places.len());
            self.places.push((place, before, edge.inputs));
        }
    }
    /// The inputs of a shortest walk of at most `limit` steps after which `done`. The first steps are there already, one of them a
    /// walk of one step.
    fn until(&mut self, limit: usize, done: impl Fn(Place) -> bool) -> Option<(Place, Vec<u32>)> {
        let (mut level, mut length) = (0..self.places.len(), 1);
        while !level.is_empty() && length <= limit {
            for i in level.clone() {
                if done(self.places[i].0) {
                    return Some((self.places[i].0, self.inputs_to(i)));
                }
            }
            for i in level.clone() {
                let (vertex, seen) = self.places[i].0;
                let graph = self.graph;
                for edge in &graph.vertices[vertex as usize].edges {
                    self.enter(edge, seen, Some(i));
                }
            }
            level = level.end..self.places.len();
            length += 1;
        }
        None
    }
    fn inputs_to(&self, mut i: usize) -> Vec<u32> {
        let mut inputs = vec![self.places[i].2];
        while self.places[i].1 != i {
            i = self.places[i].1;
            inputs.push(self.places[i].2);
        }
        inputs.reverse();
        inputs
    }
}

/// Some lasso: into the nearest component that sees all that is wanted, from one wanted signal to the next, and back.
pub(super) fn some(graph: &Graph, components: &Components, wanted: u64) -> Option<Lasso> {
    let nearest = |i: &u32| components.all[*i as usize].vertices.iter().copied().min();
    let component = components.fair(wanted).min_by_key(nearest)?;
    let entry = nearest(&component)?;
    let (initial, mut inputs) = graph.stem(entry);
    let loops_to = inputs.len();
    let (mut at, mut seen) = (entry, 0);
    while seen != wanted || at != entry || inputs.len() == loops_to {
        let mut walks = Walks::new(graph, components, component, wanted);
        for edge in &graph.vertices[at as usize].edges {
            walks.enter(edge, seen, None);
        }
        // Any progress will do; what is left then is nearer than it was.
        let progress = |(v, now): Place| if seen == wanted { v == entry } else { now & wanted & !seen != 0 };
        let ((v, now), walk) = walks.until(usize::MAX, progress)?;
        (at, seen) = (v, now);
        inputs.extend(walk);
    }
    Some(Lasso { initial, inputs, loops_to })
}

/// A lasso with as few steps as possible, by trying every state for the one that it comes back to.
pub(super) fn shortest(graph: &Graph, components: &Components, wanted: u64) -> Option<Lasso> {
    let mut best: Option<Lasso> = None;
    let room = |best: &Option<Lasso>, stem: usize| match best {
        Some(lasso) => (lasso.inputs.len() - 1).saturating_sub(stem),
        None => usize::MAX,
    };
    let fair: Vec<u32> = components.fair(wanted).collect();
    let is_fair = |vertex: u32| fair.contains(&components.of[vertex as usize]);
    // Back to the first step, which is bound to its inputs.
    for first in &graph.first {
        let Some(home) = graph.vertex_of(first.state).filter(|&home| is_fair(home)) else { continue };
        let mut walks = Walks::new(graph, components, components.of[home as usize], wanted);
        walks.enter(&first.edge, 0, None);
        if let Some((_, inputs)) = walks.until(room(&best, 0), |place| place == (home, wanted)) {
            best = Some(Lasso { initial: first.state, inputs, loops_to: 0 });
        }
    }
    // Back to a later step.
    for home in (0..graph.vertices.len() as u32).filter(|&home| is_fair(home)) {
        let stem = graph.vertices[home as usize].depth as usize;
        let mut walks = Walks::new(graph, components, components.of[home as usize], wanted);
        for edge in &graph.vertices[home as usize].edges {
            walks.enter(edge, 0, None);
        }
        if let Some((_, walk)) = walks.until(room(&best, stem), |place| place == (home, wanted)) {
            let (initial, mut inputs) = graph.stem(home);
            let loops_to = inputs.len();
            inputs.extend(walk);
            best = Some(Lasso { initial, inputs, loops_to });
        }
    }
    best
}

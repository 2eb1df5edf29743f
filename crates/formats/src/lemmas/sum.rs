//! Sums that nobody has looked at yet.

/// Numbers, each as it is or with the opposite sign.
///
/// A sum of sums takes the shorter one into the longer one, and a sign of all is only noted, so a line of n numbers takes n log n steps
/// however it is nested.
#[derive(Clone, Debug)]
pub(super) struct Sum<N> {
    items: Vec<(bool, N)>,
    is_negative: bool,
}

impl<N> Sum<N> {
    pub fn new(number: N) -> Sum<N> {
        Sum { items: vec![(false, number)], is_negative: false }
    }
    pub fn negated(self) -> Sum<N> {
        Sum { is_negative: !self.is_negative, ..self }
    }
    pub fn plus(self, other: Sum<N>) -> Sum<N> {
        let (mut long, short) =
            if self.items.len() < other.items.len() { (other, self) } else { (self, other) };
        let differs = long.is_negative != short.is_negative;
        long.items.extend(short.items.into_iter().map(|(sign, number)| (sign != differs, number)));
        long
    }
    /// The number, if it is a single one as it is.
    pub fn single(&self) -> Option<&N> {
        match &self.items[..] {
            [(sign, number)] if *sign == self.is_negative => Some(number),
            _ => None,
        }
    }
    /// The numbers: are they negated?
    pub fn items(self) -> Vec<(bool, N)> {
        let is_negative = self.is_negative;
        self.items.into_iter().map(|(sign, number)| (sign != is_negative, number)).collect()
    }
    pub fn numbers(&self) -> impl Iterator<Item = &N> {
        self.items.iter().map(|(_, number)| number)
    }
}

//! Threads that work on parts of one run, can be made to wait, and tell what they find.

use indubit_run::{Bounds, Cancel, Event, Observer, Run, Source};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Scope;
use std::time::Duration;

/// How often the clock is looked at by whoever shares out turns.
pub(crate) const TICK: Duration = Duration::from_millis(5);

/// What such threads are called: their panics are caught, and reported with the property that they worked on.
pub const WORKER: &str = "indubit-worker";

/// What comes from a worker, which is known by the source that it was given.
pub(crate) enum Heard<M> {
    /// An event of its run, and what that is about: of all, it may work on one.
    Event(Source, Source, Event),
    /// What it has found.
    Found(Source, M),
    /// It has ended; if by a panic, what that said.
    Ended(Source, Option<String>),
    /// Nothing, for a while.
    Silence,
}

/// What a worker is given.
pub(crate) struct Desk {
    /// The [flag](Workers::flag) that ends it, or makes it wait.
    pub cancel: Cancel,
    pub bounds: Arc<Bounds>,
    /// What it works on: by that it is known.
    pub source: Source,
    pub seed: u64,
}

/// Workers of one run. They end when this is dropped, also if that is because of a panic: whoever waits for them does not wait for ever.
pub(crate) struct Workers<'scope, 'env, M> {
    scope: &'scope Scope<'scope, 'env>,
    cancel: Cancel,
    sender: Sender<Heard<M>>,
    receiver: Receiver<Heard<M>>,
    bound: Option<u32>,
    paranoid: bool,
    wants_steps: bool,
    n_at_desks: usize,
}

impl<'scope, 'env, M: Send + 'scope> Workers<'scope, 'env, M> {
    pub fn new(scope: &'scope Scope<'scope, 'env>, run: &Run<'_>) -> Workers<'scope, 'env, M> {
        let (sender, receiver) = channel();
        let (bound, paranoid, wants_steps) = (run.bound, run.paranoid, run.wants_steps());
        let cancel = run.cancel().child();
        Workers { scope, cancel, sender, receiver, bound, paranoid, wants_steps, n_at_desks: 0 }
    }
    /// A flag for one of them, or some.
    pub fn flag(&self) -> Cancel {
        self.cancel.child()
    }
    /// Let somebody begin. Fails if the system allows no further thread.
    pub fn start(
        &mut self,
        desk: Desk,
        work: impl FnOnce(&mut Run<'_>, &dyn Fn(M)) + Send + 'scope,
    ) -> std::io::Result<()> {
        let (bound, paranoid, wants_steps) = (self.bound, self.paranoid, self.wants_steps);
        let sender = self.sender.clone();
        let work = move || {
            let Desk { cancel, bounds, source, seed } = desk;
            let mut relay = Relay { worker: source, sender: sender.clone(), wants_steps };
            let mut own = Run::new(cancel)
                .observed_by(&mut relay)
                .with_source(source)
                .with_seed(seed)
                .with_bound(bound)
                .with_paranoia(paranoid)
                .with_bounds(bounds);
            // That nobody listens any more is no error: another one has won.
            let find = |found: M| drop(sender.send(Heard::Found(source, found)));
            let panic = caught(|| work(&mut own, &find)).err();
            let _ = sender.send(Heard::Ended(source, panic));
        };
        std::thread::Builder::new().name(WORKER.into()).spawn_scoped(self.scope, work)?;
        self.n_at_desks += 1;
        Ok(())
    }
    /// Is anybody still there?
    pub fn is_anybody_there(&self) -> bool {
        self.n_at_desks > 0
    }
    /// What comes next.
    pub fn listen(&mut self) -> Heard<M> {
        match self.receiver.recv_timeout(TICK) {
            Ok(heard) => {
                self.n_at_desks -= usize::from(matches!(heard, Heard::Ended(..)));
                heard
            }
            // We hold a sender ourselves.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Heard::Silence,
        }
    }
}

impl<M> Drop for Workers<'_, '_, M> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// What comes of some work, or what its panic says. What it was changing must not be used after a panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        text.unwrap_or("without a message").into()
    })
}

/// Sends what a worker tells.
struct Relay<M> {
    worker: Source,
    sender: Sender<Heard<M>>,
    wants_steps: bool,
}

impl<M> Observer for Relay<M> {
    fn event(&mut self, source: Source, event: &Event) {
        if self.wants_steps || !event.is_step() {
            let _ = self.sender.send(Heard::Event(self.worker, source, event.clone()));
        }
    }
    fn wants_steps(&self) -> bool {
        self.wants_steps
    }
}

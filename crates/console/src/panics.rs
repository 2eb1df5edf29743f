//! A panic is a bug of ours: it ends in exit code 70 with a message, on whatever thread it happens.

use crate::exit::{Code, Failure, leave};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// What the last panic that is caught said.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Keep what panics say for [`catch`] and [`with_place`]: those of the main thread, and of threads called `caught`, whose panics somebody catches. Others
/// end the process.
pub fn install(caught: &'static str) {
    std::panic::set_hook(Box::new(move |info| {
        let message = describe(info);
        let thread = std::thread::current();
        if thread.name().is_some_and(|name| name == "main" || name == caught) {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
        } else {
            Failure::internal(message).print();
            leave(Code::Internal as u8);
        }
    }));
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let payload = text.unwrap_or("a panic without a message");
    let place = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
    let backtrace = std::backtrace::Backtrace::capture();
    match backtrace.status() {
        std::backtrace::BacktraceStatus::Captured => format!("{payload}{place}\n{backtrace}"),
        _ => format!("{payload}{place}"),
    }
}

/// A message of a panic that somebody has caught, with its place, if it is that of the last one: there may have been others since.
pub fn with_place(message: &str) -> Option<String> {
    last(|last| is_about(last, message))
}

/// Is this, which says where a panic was, the message and nothing else before the place?
fn is_about(described: &str, message: &str) -> bool {
    described.strip_prefix(message).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
}

/// What the last panic said that has been caught, once, if it is the one that is meant.
fn last(is_it: impl FnOnce(&str) -> bool) -> Option<String> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.take_if(|last| is_it(last))
}

/// The result of `f`, or what its panic said. Whatever `f` was changing must not be used afterwards.
pub fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|_| last(|_| true).unwrap_or_else(|| "a panic".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_errors() {
        assert_eq!(catch(|| 7), Ok(7));
        assert!(catch(|| assert_eq!(1, 2, "on purpose")).is_err());
    }

    #[test]
    fn a_place_belongs_to_its_message() {
        assert!(is_about("too large (a.rs:7)", "too large") && is_about("too large", "too large"));
        assert!(!is_about("too large (a.rs:7)", "too") && !is_about("other (a.rs:7)", "too large"));
    }
}

//! Bytes on their way out of a library, to wherever the caller wants them.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A writer that many can share. Whoever writes does not deal with errors: the first one is kept, nothing is written
/// after it, and [`Sink::finish`] tells.
#[derive(Clone)]
pub struct Sink(Arc<Mutex<Inner>>);

struct Inner {
    writer: Box<dyn Write + Send>,
    error: Option<io::Error>,
}

impl Sink {
    /// Into `writer`.
    pub fn new(writer: Box<dyn Write + Send>) -> Sink {
        Sink(Arc::new(Mutex::new(Inner { writer, error: None })))
    }
    /// Write all of `bytes`, unless something went wrong before.
    pub fn write(&self, bytes: &[u8]) {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.error.is_none() {
            inner.error = inner.writer.write_all(bytes).err();
        }
    }
    /// Flush; the first error there was.
    pub fn finish(&self) -> io::Result<()> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match inner.error.take() {
            Some(error) => Err(error),
            None => inner.writer.flush(),
        }
    }
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sink")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_first_error_is_told_in_the_end() {
        let sink = Sink::new(Box::new(Full));
        sink.clone().write(b"x");
        sink.write(b"y");
        assert_eq!(sink.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
        let sink = Sink::new(Box::new(Vec::new()));
        sink.write(b"x");
        assert!(sink.finish().is_ok());
    }
}

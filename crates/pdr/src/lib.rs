//! pdr

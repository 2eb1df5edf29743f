//! preproc

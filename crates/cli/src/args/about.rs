//! What users can say to commands that are about Indubit itself.

use super::TextFormat;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Engines {
    /// What --option can switch, too: of all engines, or of this one
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, default_missing_value = "all")]
    pub options: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

#[derive(Args)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct Man {
    /// The directory for the pages: one for each command
    #[arg(value_name = "DIRECTORY")]
    pub directory: PathBuf,
}

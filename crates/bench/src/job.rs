//! One run: a child process with limits, its output in files, and how it ended.
//!
//! Indubit watches its own limits and ends by itself; it is killed if it does not, after a period of grace. A peer
//! is killed at its limit. Output goes to files: a child never waits for a reader, and we need no thread to read.

use super::process::{self, Sample};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// More output than this is a mistake.
const LONGEST_OUTPUT: u64 = 64 << 20;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Launch {
    pub program: PathBuf,
    pub arguments: Vec<std::ffi::OsString>,
    pub timeout: Duration,
    pub memory: Option<u64>,
    /// It ends by itself at its limits, and may take so long for it. What does not is killed at its limits.
    pub grace: Option<Duration>,
}

/// Why we killed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Time,
    Memory,
    /// It wrote without end.
    Output,
    /// It was told its limits and did not end.
    Hang,
}

/// A run that is over.
#[derive(Debug)]
pub struct Ended {
    /// Why we killed it, or how it ended.
    pub status: Result<ExitStatus, Reason>,
    pub seconds: f64,
    pub cpu_seconds: Option<f64>,
    pub peak_bytes: Option<u64>,
    pub stdout: String,
    pub stderr: String,
}

/// A run in progress. Dropping it ends the process.
pub struct Job {
    child: Child,
    start: Instant,
    launch: Launch,
    files: [PathBuf; 2],
    /// The largest values seen.
    cpu: Option<Duration>,
    peak: Option<u64>,
    is_over: bool,
}

impl Job {
    /// Start it. Its output goes to files `number.out` and `number.err` in `scratch`.
    pub fn start(launch: Launch, scratch: &Path, number: usize) -> io::Result<Job> {
        let files = ["out", "err"].map(|kind| scratch.join(format!("{number}.{kind}")));
        let mut command = Command::new(&launch.program);
        command.args(&launch.arguments).stdin(Stdio::null());
        command.stdout(File::create(&files[0])?).stderr(File::create(&files[1])?);
        // A group of its own: it can be ended with everything it starts, and the terminal's Ctrl-C is ours alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let start = Instant::now();
        let child = command.spawn()?;
        Ok(Job { child, start, launch, files, cpu: None, peak: None, is_over: false })
    }

    /// How long it has been running.
    pub fn age(&self) -> Duration {
        self.start.elapsed()
    }

    /// Look after it; the result if it is over.
    pub fn look(&mut self) -> io::Result<Option<Ended>> {
        let sample = process::sample(self.child.id());
        self.remember(sample);
        let age = self.age();
        if let Some(status) = self.child.try_wait()? {
            self.is_over = true;
            return Ok(Some(self.ended(Ok(status), age)));
        }
        match self.offence(age, sample.unwrap_or_default().resident) {
            Some(reason) => {
                self.kill();
                Ok(Some(self.ended(Err(reason), age)))
            }
            None => Ok(None),
        }
    }

    fn remember(&mut self, sample: Option<Sample>) {
        let Some(sample) = sample else { return };
        self.cpu = self.cpu.max(Some(sample.cpu));
        // Of a process that is over the system tells the time it took, and not its memory.
        if !sample.is_over {
            self.peak = self.peak.max(Some(sample.resident.max(sample.peak)));
        }
    }

    /// What it is killed for, if anything.
    fn offence(&self, age: Duration, resident: u64) -> Option<Reason> {
        let Launch { timeout, memory, grace, .. } = self.launch;
        let is_late = age >= timeout.saturating_add(grace.unwrap_or_default());
        // What ends by itself may go over the limit between two looks of its own.
        let limit = memory.map(|limit| if grace.is_some() { limit.saturating_mul(2) } else { limit });
        let is_large = limit.is_some_and(|limit| resident > limit);
        let length = |path: &PathBuf| path.metadata().map_or(0, |m| m.len());
        match () {
            () if is_late && grace.is_some() => Some(Reason::Hang),
            () if is_late => Some(Reason::Time),
            () if is_large => Some(Reason::Memory),
            () if self.files.iter().any(|path| length(path) > LONGEST_OUTPUT) => Some(Reason::Output),
            () => None,
        }
    }

    fn ended(&self, status: Result<ExitStatus, Reason>, age: Duration) -> Ended {
        let [stdout, stderr] = [0, 1].map(|i| read(&self.files[i]));
        Ended {
            status,
            seconds: age.as_secs_f64(),
            cpu_seconds: self.cpu.map(|cpu| cpu.as_secs_f64()),
            peak_bytes: self.peak,
            stdout,
            stderr,
        }
    }

    /// End it, with everything it started.
    pub fn kill(&mut self) {
        if self.is_over {
            return;
        }
        self.is_over = true;
        #[cfg(unix)]
        {
            // The one way to reach a whole group without foreign code. Where it fails, the child itself is ended below.
            let script = format!("kill -s KILL -- -{}", self.child.id());
            let _ =
                Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.kill();
        for path in &self.files {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn read(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        // What cannot be read is missing, and then nobody understands the output.
        let _ = file.take(LONGEST_OUTPUT).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// How a script ends under limits.
    fn run(script: &str, timeout: Duration, memory: Option<u64>, grace: Option<Duration>) -> Ended {
        let name = format!("indubit-job-{}-{}", std::process::id(), script.len());
        let scratch = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&scratch).unwrap();
        let arguments = vec!["-c".into(), script.into()];
        let launch = Launch { program: "sh".into(), arguments, timeout, memory, grace };
        let mut job = Job::start(launch, &scratch, 0).unwrap();
        let ended = loop {
            if let Some(ended) = job.look().unwrap() {
                break ended;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        drop(job);
        assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0);
        std::fs::remove_dir(&scratch).unwrap();
        ended
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn output_and_exit_code() {
        let ended = run("echo out; echo err >&2; exit 7", LONG, None, None);
        assert_eq!(ended.status.unwrap().code(), Some(7));
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("out\n", "err\n"));
        assert!(ended.seconds < 30.0);
    }

    #[test]
    fn what_does_not_end_is_killed() {
        let short = Duration::from_millis(200);
        let ended = run("echo so far; sleep 50", short, None, None);
        assert_eq!((ended.status, ended.stdout.as_str()), (Err(Reason::Time), "so far\n"));
        let ended = run("sleep 50", Duration::ZERO, None, Some(short));
        assert_eq!(ended.status, Err(Reason::Hang));
        assert!((0.2..20.0).contains(&ended.seconds), "{}", ended.seconds);
        let ended = run("yes", LONG, None, None);
        assert_eq!(ended.status, Err(Reason::Output));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_of_everything_it_started_counts() {
        let script = "head -c 400000000 /dev/zero | tail -c 400000000 | sleep 50";
        let ended = run(script, LONG, Some(64 << 20), None);
        assert_eq!(ended.status, Err(Reason::Memory));
        assert!(ended.peak_bytes > Some(64 << 20) && ended.cpu_seconds.is_some());
    }
}

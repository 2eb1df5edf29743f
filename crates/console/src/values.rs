//! Numbers, most of them with units.

use std::num::NonZeroUsize;
use std::time::Duration;

/// How many at the same time.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number, at least 1".into())
}

/// Seconds, or a number with `ms`, `s`, `m`, `h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time: use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| "this is too long".into())
}

/// Bytes, from MiB or a number with `k`, `M`, `G`.
pub fn memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "k" | "kb" | "kib" => 1u64 << 10,
        "" | "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        "t" | "tb" | "tib" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit of memory: use k, M, G or T")),
    };
    // A conversion from float saturates, and a limit beyond 2^64 bytes is none.
    Ok((number * factor as f64) as u64)
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = number.parse().map_err(|_| "expected a number, such as 10 or 2.5".to_string())?;
    Ok((number, unit.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("1.5 h"), Ok(Duration::from_secs(5400)));
        for wrong in ["", "-1", "x", "1y", "1.2.3", "nan", "inf", "1e99", "99999999999999999999999"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(memory("100"), Ok(100 << 20));
        assert_eq!(memory("64k"), Ok(64 << 10));
        assert_eq!(memory("0.5G"), Ok(512 << 20));
        assert_eq!(memory("2GiB"), Ok(2 << 30));
        for wrong in ["", "-1", "x", "1Q", "G"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}

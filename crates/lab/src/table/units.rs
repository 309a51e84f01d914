//! Numbers as a person reads them.

/// A count with its thousands apart; means keep one decimal.
pub fn count(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    let whole = rounded.trunc();
    let digits = format!("{whole:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    let tenth = ((rounded - whole) * 10.0).round();
    if tenth > 0.0 && whole < 1000.0 { format!("{text}.{tenth:.0}") } else { text }
}

/// A count in at most five characters.
pub fn short_count(value: f64) -> String {
    if value < 10_000.0 { count(value) } else { scaled(value, 1000.0, &["", "k", "M", "G", "T", "P", "E"]) }
}

/// Bytes in binary units.
pub fn bytes(value: f64) -> String {
    scaled(value, 1024.0, &[" B", " KiB", " MiB", " GiB", " TiB"])
}

/// Bytes in at most five characters.
pub fn short_bytes(value: f64) -> String {
    scaled(value, 1024.0, &["B", "K", "M", "G", "T"])
}

/// Seconds in the unit that reads best.
pub fn seconds(value: f64) -> String {
    let (value, unit) = match value {
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_figures(value))
}

/// A number in three significant figures, or all of its whole ones.
pub fn three_figures(value: f64) -> String {
    match value.abs() {
        v if v >= 99.95 || value == 0.0 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        v if v >= 0.9995 => format!("{value:.2}"),
        v if v >= 0.01 => format!("{value:.3}"),
        v if v >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    }
}

/// A number of an axis: with the letters of the metric system above a thousand.
pub fn short_number(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 => trimmed(&scaled(value, 1000.0, &["", "k", "M", "G", "T", "P", "E"])),
        v if v >= 0.9995e-4 || v == 0.0 => trimmed(&format!("{value:.4}")),
        _ => format!("{value:.0e}"),
    }
}

/// A time of an axis.
pub fn short_seconds(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        v if v >= 0.9995 => trimmed(&format!("{value:.3}")) + " s",
        v if v >= 0.9995e-3 => trimmed(&format!("{:.3}", value * 1e3)) + " ms",
        v if v >= 0.9995e-6 => trimmed(&format!("{:.3}", value * 1e6)) + " µs",
        _ => trimmed(&format!("{:.3}", value * 1e9)) + " ns",
    }
}

/// Bytes of an axis, whose ticks are powers of ten.
pub fn axis_bytes(value: f64) -> String {
    trimmed(&scaled(value, 1000.0, &[" B", " kB", " MB", " GB", " TB"]))
}

/// Without the zeros that end a fraction, the unit kept.
fn trimmed(text: &str) -> String {
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    let number = text.strip_suffix(unit).unwrap_or(text);
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number}{unit}")
}

fn scaled(value: f64, step: f64, units: &[&str]) -> String {
    let mut value = value;
    let mut place = 0;
    // 999.5 would be written as 1000.
    while value >= 999.5 && place + 1 < units.len() {
        value /= step;
        place += 1;
    }
    let number = if place == 0 { format!("{value:.0}") } else { three_figures(value) };
    format!("{number}{}", units[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_their_thousands_apart() {
        assert_eq!(count(1_234_567.0), "1,234,567");
        assert_eq!((count(0.0), count(22.25), count(999.96)), ("0".into(), "22.3".into(), "1,000".into()));
        assert_eq!((short_count(9_999.0), short_count(12_345.0)), ("9,999".into(), "12.3k".into()));
        assert_eq!((short_count(999_960.0), short_count(3.2e9)), ("1.00M".into(), "3.20G".into()));
    }

    #[test]
    fn an_axis_says_what_it_counts_in() {
        assert_eq!([0.1, 1.0, 10_000.0, 1e-7].map(short_number), ["0.1", "1", "10k", "1e-7"]);
        assert_eq!([1e-6, 0.1, 10.0].map(short_seconds), ["1 µs", "100 ms", "10 s"]);
        assert_eq!([100.0, 1e6].map(axis_bytes), ["100 B", "1 MB"]);
    }

    #[test]
    fn times_and_bytes_have_units() {
        assert_eq!(
            (seconds(0.000_012_3), seconds(0.5), seconds(61.26)),
            ("12.3 µs".into(), "500 ms".into(), "61.3 s".into())
        );
        assert_eq!((bytes(800.0), bytes(101.1 * 1024.0)), ("800 B".into(), "101 KiB".into()));
        assert_eq!(short_bytes(5.0 * 1024.0 * 1024.0), "5.00M");
    }
}

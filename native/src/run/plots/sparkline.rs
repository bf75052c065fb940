//! Unicode sparkline.

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Fractions as bars, in as many columns or fewer: each is the mean of the fractions that fall into it.
pub(crate) fn sparkline(fractions: &[f64], columns: usize) -> String {
    let columns = columns.min(fractions.len());
    let start = |column: usize| column * fractions.len() / columns;
    (0..columns)
        .map(|column| {
            let part = &fractions[start(column)..start(column + 1)];
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            // As a number that is none counts 0.
            BARS[((mean * BARS.len() as f64) as usize).min(BARS.len() - 1)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparkline_columns_are_means_of_their_values() {
        assert_eq!(sparkline(&[], 4), "");
        assert_eq!(sparkline(&[0.0, 0.5, 1.0], 4), "▁▅█");
        assert_eq!(sparkline(&[0.0, 0.25, 0.5, 0.5, 1.0, 2.0], 3), "▂▅█");
        assert_eq!(sparkline(&[0.25; 5], 2), "▃▃");
        assert_eq!(sparkline(&[f64::NAN, -1.0], 2), "▁▁");
    }
}

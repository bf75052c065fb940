//! Seeds of a study: `"101-150"`, `"1-3,7"`, or a list of numbers.

use serde::Deserialize;
use serde::de::Error as _;

/// Seeds of a study, at most.
const MOST: usize = 100_000;

/// Different training seeds, in the study's order; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds(Vec<u64>);

impl Seeds {
    /// These seeds.
    ///
    /// # Errors
    /// None, too many, one that occurs twice, or one that settings cannot hold.
    pub fn new(seeds: Vec<u64>) -> Result<Self, String> {
        if seeds.is_empty() {
            return Err("there must be at least one seed, as in \"1-8\"".into());
        }
        if seeds.len() > MOST {
            return Err(format!("{} seeds are too many: at most {MOST}", seeds.len()));
        }
        let mut sorted = seeds.clone();
        sorted.sort_unstable();
        if let Some(seed) = sorted.windows(2).find_map(|two| (two[0] == two[1]).then(|| two[0])) {
            return Err(format!("seed {seed} is listed twice: remove one"));
        }
        if let Some(large) = sorted.last().filter(|&&seed| i64::try_from(seed).is_err()) {
            return Err(format!("seed {large} is too large: at most {}", i64::MAX));
        }
        Ok(Self(seeds))
    }

    /// The seeds, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

impl std::str::FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}`: write seeds as 1-8, as 1,2,5 or as both, the smaller end of a range first"
            )
        };
        let mut seeds = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let end = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
            let (first, last) = (end(first)?, end(last)?);
            let count = last.checked_sub(first).ok_or_else(wrong)?;
            if count >= MOST as u64 {
                return Err(format!("`{text}` are too many seeds: at most {MOST}"));
            }
            seeds.extend(first..=last);
        }
        Self::new(seeds)
    }
}

impl<'de> Deserialize<'de> for Seeds {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "write seeds as \"1-8\" or as a list, as in [1, 2, 5]")]
        enum Written {
            Text(String),
            List(Vec<u64>),
        }
        let seeds = match Written::deserialize(deserializer)? {
            Written::Text(text) => text.parse(),
            Written::List(seeds) => Self::new(seeds),
        };
        seeds.map_err(D::Error::custom)
    }
}

/// As short as it can be written: neighbours as a range.
impl std::fmt::Display for Seeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = ranges(&self.0).into_iter().map(|(first, last)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        });
        f.write_str(&shown.collect::<Vec<_>>().join(","))
    }
}

/// The first and the last of seeds that follow one another.
#[must_use]
pub fn ranges(seeds: &[u64]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &seed in seeds {
        match ranges.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(seed) => *last = seed,
            _ => ranges.push((seed, seed)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_parsed_and_rendered_as_ranges() {
        let read = |text: &str| text.parse::<Seeds>();
        assert_eq!(read("101-103").unwrap().as_slice(), [101, 102, 103]);
        let both = read(" 5, 1-3 ,4").unwrap();
        assert_eq!((both.as_slice(), both.to_string().as_str()), (&[5, 1, 2, 3, 4][..], "5,1-4"));
        for bad in
            ["", "3-1", "1-", "-1", "one", "1,,2", "1-2,2", "1-200000", "9300000000000000000"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert!(read("1,1").unwrap_err().contains("seed 1 is listed twice"));
    }
}

//! Maps as setups write them: `6W*W3.SW*` …, rows between `*`, runs with their length before them, `W` for
//! a wall and `C` for a cost cell. An address keeps all of it as it is.

use hgpo_env::gridworld::{Map, MapError};

/// A map in one short word.
pub(crate) fn written(map: &Map) -> String {
    let text = map.to_string();
    text.lines().map(row).collect::<Vec<String>>().join("*")
}

fn row(line: &str) -> String {
    let tiles: Vec<char> = line.chars().collect();
    let runs = tiles.chunk_by(|one, other| one == other);
    let run = |run: &[char]| {
        let letter = match run[0] {
            '#' => 'W',
            '~' => 'C',
            other => other,
        };
        if run.len() > 2 {
            format!("{}{letter}", run.len())
        } else {
            letter.to_string().repeat(run.len())
        }
    };
    runs.map(run).collect()
}

/// The map of such a word.
pub(crate) fn read(word: &str) -> Result<Map, MapError> {
    let mut text = String::new();
    for line in word.split('*').take(Map::MOST + 1) {
        if !text.is_empty() {
            text.push('\n');
        }
        unroll(line, &mut text);
    }
    Map::parse(&text)
}

/// Writes a row's runs out, no further than a map can be wide and one cell more, which is refused.
fn unroll(line: &str, to: &mut String) {
    let mut columns = 0;
    let mut length = 0_usize;
    for letter in line.chars() {
        if let Some(digit) = letter.to_digit(10) {
            length = (10 * length + digit as usize).min(Map::MOST + 1);
            continue;
        }
        let letter = match letter {
            'W' => '#',
            'C' => '~',
            // A line's end would begin a row.
            '#' | '~' | '\n' | '\r' => '?',
            other => other,
        };
        for _ in 0..length.max(1) {
            if columns > Map::MOST {
                return;
            }
            to.push(letter);
            columns += 1;
        }
        length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::{read, written};
    use hgpo_env::gridworld::{Map, WORLDS};

    #[test]
    fn maps_come_back() {
        let map = Map::parse("######\n#S.~G#\n######").expect("a map");
        assert_eq!(written(&map), "6W*WS.CGW*6W");
        for world in WORLDS {
            let map = Map::parse(world.map).expect(world.name);
            assert_eq!(read(&written(&map)).as_ref(), Ok(&map), "{}", world.name);
        }
    }

    #[test]
    fn words_that_are_no_map_are_refused() {
        let wrong = [
            "",
            "*",
            "6W",
            "S",
            "G",
            "SW.G*x",
            "99999999999999999999W",
            "SG*S",
            "S<G>",
            "S~G",
            "S#G",
            "SG\nSG",
        ];
        for word in wrong {
            assert!(read(word).is_err(), "{word}");
        }
        assert!(read(&"SG*".repeat(5000)).is_err());
        assert!(read(&format!("S{}G", ".".repeat(100_000))).is_err());
        assert!(read("S22.G").is_ok(), "24 columns are the most");
        assert!(read("S23.G").is_err());
    }
}

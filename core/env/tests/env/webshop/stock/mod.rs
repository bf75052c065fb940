//! Files of as many products as are wanted, in the form of the original: words of a vocabulary of 40,000 by
//! Zipf's law, in titles, descriptions and points of about the original's lengths.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each user takes a part of it")]
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

use std::io::Write;

use hgpo_env::random::{Purpose, Stream};
use serde_json::json;

/// Different words.
pub const WORDS: usize = 40_000;

const CATEGORIES: [&str; 5] = ["beauty", "electronics", "fashion", "garden", "grocery"];

/// Draws words and products.
pub struct Stock {
    random: Stream,
    words: Vec<String>,
    /// How likely a word is one of the first so many.
    up_to: Vec<f64>,
    /// Texts that are passed over, most of the original's file.
    reviews: Vec<String>,
}

impl Stock {
    pub fn new(seed: u64) -> Self {
        let random = Stream::new(seed, Purpose::Sampling, [0, 0]);
        let words = (0..WORDS).map(word).collect();
        // p(rank) ∝ 1 / rank.
        let mut up_to: Vec<f64> = (1..=WORDS)
            .scan(0.0, |sum, rank| {
                *sum += 1.0 / rank as f64;
                Some(*sum)
            })
            .collect();
        let all = up_to[WORDS - 1];
        for it in &mut up_to {
            *it /= all;
        }
        let mut stock = Self { random, words, up_to, reviews: Vec::new() };
        stock.reviews = (0..64).map(|_| stock.text(300, 500)).collect();
        stock
    }

    fn word(&mut self) -> &str {
        let drawn = self.random.uniform();
        &self.words[self.up_to.partition_point(|&it| it < drawn).min(WORDS - 1)]
    }

    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.random.below(high - low + 1)
    }

    pub fn text(&mut self, low: usize, high: usize) -> String {
        let count = self.between(low, high);
        let mut text = String::new();
        for place in 0..count {
            text.push_str(if place == 0 { "" } else { " " });
            let word = self.word().to_owned();
            text.push_str(&word);
        }
        text
    }

    /// A product, with its number and what is wanted of it.
    pub fn product(&mut self, number: usize) -> (serde_json::Value, String, serde_json::Value) {
        // A number of its own that does not rise with the place: odd factors are one to one in 32 bits.
        let asin = format!("B0{:08X}", (number as u32).wrapping_mul(2_654_435_761));
        let values = |stock: &mut Self, most| -> Vec<_> {
            let count = stock.between(1, most);
            (0..count).map(|_| json!({ "value": stock.text(1, 2), "image": null })).collect()
        };
        let (colours, sizes) = (values(self, 4), values(self, 3));
        let price = self.between(300, 90_000) as f64 / 100.0;
        let pricing = match self.random.below(4) {
            0 => format!("${price:.2}${:.2}", price + 10.0),
            1 => String::new(),
            _ => format!("${price:.2}"),
        };
        let (row, board) = (self.random.below(40), self.random.below(400));
        let product = json!({
            "asin": asin, "name": self.text(8, 20), "full_description": self.text(10, 70),
            "small_description": (0..3).map(|_| self.text(5, 20)).collect::<Vec<_>>(),
            "pricing": pricing, "category": CATEGORIES[self.random.below(5)],
            "query": format!("{} {}", self.words[row], self.words[board]),
            "product_category": format!("Shop › {} › {}", self.words[row], self.words[board]),
            "customization_options": { "Color": colours, "Size": sizes },
            "reviews": self.reviews[self.random.below(64)], "rating": 4.5,
        });
        let attributes = [self.text(2, 2), self.text(2, 2)];
        let wanted = json!({
            "attributes": attributes, "instruction": format!("Find me {}", self.text(3, 8)),
            "instruction_attributes": attributes[..1],
        });
        (product, asin, wanted)
    }

    /// Writes products, and what is wanted of one in `every`.
    pub fn write(
        &mut self,
        count: usize,
        every: usize,
        mut products: impl Write,
        mut instructions: impl Write,
    ) -> std::io::Result<()> {
        products.write_all(b"[")?;
        instructions.write_all(b"{")?;
        for number in 0..count {
            let (product, asin, wanted) = self.product(number);
            let comma = if number == 0 { "" } else { ",\n" };
            write!(products, "{comma}{product}")?;
            if number.is_multiple_of(every) {
                write!(instructions, "{comma}\"{asin}\": {wanted}")?;
            }
        }
        products.write_all(b"]\n")?;
        instructions.write_all(b"}\n")
    }
}

/// The word of a rank: syllables, the commoner the shorter.
fn word(rank: usize) -> String {
    const BEGIN: [&str; 20] = [
        "b", "c", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z",
        "ch", "st",
    ];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    let (mut rest, mut word) = (rank, String::new());
    loop {
        word.push_str(BEGIN[rest % 20]);
        rest /= 20;
        word.push_str(VOWELS[rest % 5]);
        rest /= 5;
        if rest == 0 {
            // So that no word ends as another goes on, and none is a stem of another.
            word.push('k');
            return word;
        }
        rest -= 1;
    }
}

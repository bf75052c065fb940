//! Python's `random`, for tasks that published environments draw with it.
//!
//! Source: `Lib/random.py` and `Modules/_randommodule.c` of CPython 3.11: MT19937 (Matsumoto and
//! Nishimura 1998), seeded by `init_by_array` with the seed's words of 32 bits, the lowest first.

use std::collections::HashSet;

use rand_mt::Mt;

/// `random.Random`.
#[derive(Clone, Debug)]
pub struct PythonRandom(Mt);

impl PythonRandom {
    /// `Random(seed)` for a whole number. (CPython drops the sign of others.)
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let (low, high) = (seed as u32, (seed >> 32) as u32);
        let words: &[u32] = if high == 0 { &[low] } else { &[low, high] };
        Self(Mt::new_with_key(words.iter().copied()))
    }

    /// `random()`: uniform in [0, 1), with 53 random bits.
    pub fn random(&mut self) -> f64 {
        const SCALE: f64 = 1.0 / (1u64 << 53) as f64;
        let high = u64::from(self.0.next_u32() >> 5);
        let low = u64::from(self.0.next_u32() >> 6);
        ((high << 26) + low) as f64 * SCALE
    }

    /// `uniform(low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random()
    }

    /// `getrandbits(bits)`, of at most 64.
    pub fn bits(&mut self, bits: u32) -> u64 {
        let mut drawn = 0;
        // Words, the lowest first; of the last one its highest bits.
        for before in (0..bits.min(64)).step_by(32) {
            let word = self.0.next_u32() >> 32_u32.saturating_sub(bits - before);
            drawn |= u64::from(word) << before;
        }
        drawn
    }

    /// `randrange(count)`: uniform in 0..count, by drawing as many bits as `count` has until they are
    /// below it. 0 if `count` is 0, for which CPython has an error.
    pub fn below(&mut self, count: usize) -> usize {
        if count == 0 {
            return 0;
        }
        let bits = usize::BITS - count.leading_zeros();
        loop {
            let drawn = self.bits(bits) as usize;
            if drawn < count {
                return drawn;
            }
        }
    }

    /// `randint(low, high)`: uniform in `low..=high`.
    pub fn integer(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// `choice(items)`; `None` if there are none.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// `shuffle(items)`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        super::shuffle(items, |count| self.below(count));
    }

    /// `sample(items, count)`: none of them twice, and all if more are asked for, for which CPython
    /// has an error.
    pub fn sample<'a, T>(&mut self, items: &'a [T], count: usize) -> Vec<&'a T> {
        let count = count.min(items.len());
        if items.len() <= pool_limit(count) {
            let mut pool: Vec<&T> = items.iter().collect();
            // What is drawn gives its place to the last that is left.
            return (0..count).map(|_| pool.swap_remove(self.below(pool.len()))).collect();
        }
        let mut taken = HashSet::with_capacity(count);
        let mut drawn = Vec::with_capacity(count);
        while drawn.len() < count {
            let place = self.below(items.len());
            if taken.insert(place) {
                drawn.push(&items[place]);
            }
        }
        drawn
    }
}

/// Up to how many items CPython draws a sample from a list that shrinks, rather than drawing places
/// until they differ: 21, and for samples of more than 5 also 4 to the power ⌈log₄ 3k⌉.
fn pool_limit(count: usize) -> usize {
    let mut power = 1;
    while power < 3 * count {
        power *= 4;
    }
    21 + if count > 5 { power } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_drawn_in_both_ways_of_cpython() {
        let numbers: Vec<usize> = (0..100).collect();
        let sample = |from: usize, count| {
            let drawn = PythonRandom::new(5).sample(&numbers[..from], count).into_iter().copied();
            drawn.collect::<Vec<_>>()
        };
        // `random.Random(5).sample(range(100), 12)`, and so on. For 7 of them the list shrinks up to
        // 21 + 4^3 = 85 items.
        assert_eq!(sample(100, 12), [79, 32, 94, 45, 88, 83, 67, 3, 59, 99, 31, 6]);
        assert_eq!(sample(100, 5), [79, 32, 94, 45, 88]);
        assert_eq!(sample(85, 7), [79, 32, 45, 67, 3, 59, 31]);
        assert_eq!(sample(86, 7), [79, 32, 45, 83, 67, 3, 59]);
        assert_eq!(sample(100, 50)[45..], [12, 34, 43, 40, 95]);
        assert!(sample(0, 3).is_empty());
        let mut all = sample(4, 9);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }

    #[test]
    fn many_bits_are_drawn_from_the_lowest_word_on() {
        // `random.Random(5).getrandbits(64)` and of 40 bits.
        assert_eq!(PythonRandom::new(5).bits(64), 4_712_128_852_136_459_333);
        assert_eq!(PythonRandom::new(5).bits(40), 281_848_216_645);
        // `random.Random(2**40 + 3).random()`: a seed of two words.
        let drawn = PythonRandom::new((1 << 40) + 3).random();
        assert_eq!(drawn.to_bits(), 0.219_787_106_371_167_16_f64.to_bits());
    }

    #[test]
    fn of_nothing_nothing_is_drawn() {
        let mut random = PythonRandom::new(1);
        assert_eq!((random.below(0), random.bits(0)), (0, 0));
        assert_eq!(random.choice::<u8>(&[]), None);
        assert_eq!(random.bits(32), PythonRandom::new(1).bits(32));
    }
}

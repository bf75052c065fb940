//! numpy's legacy generator, for orders that published runs were played in.
//!
//! Source: `numpy.random.RandomState`: MT19937 (Matsumoto and Nishimura 1998), seeded by
//! `init_genrand`; `shuffle` draws below a bound by masking and rejecting.

const WORDS: usize = 624;
const SHIFT: usize = 397;

/// numpy's `RandomState`.
#[derive(Clone, Debug)]
pub struct RandomState {
    words: Vec<u32>,
    next: usize,
}

impl RandomState {
    /// `RandomState(seed)`.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        let mut words = vec![seed; WORDS];
        for at in 1..WORDS {
            let before = words[at - 1];
            words[at] = (before ^ before >> 30).wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        Self { words, next: WORDS }
    }

    /// 32 random bits.
    fn word(&mut self) -> u32 {
        if self.next == WORDS {
            self.refill();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    fn refill(&mut self) {
        for at in 0..WORDS {
            let joined = self.words[at] & 0x8000_0000 | self.words[(at + 1) % WORDS] & 0x7fff_ffff;
            let twist = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.words[at] = self.words[(at + SHIFT) % WORDS] ^ joined >> 1 ^ twist;
        }
        self.next = 0;
    }

    /// Uniform in 0..=most.
    fn up_to(&mut self, most: u32) -> u32 {
        let mask = most.checked_next_power_of_two().map_or(u32::MAX, |above| above - 1) | most;
        loop {
            let value = self.word() & mask;
            if value <= most {
                return value;
            }
        }
    }

    /// `shuffle(items)`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.up_to(last as u32) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_are_those_of_numpy() {
        // RandomState(0).randint(0, 2**32, 3, dtype=np.uint32): the first outputs of MT19937 with
        // seed 0 are 2357136044, 2546248239, 3071714933 (Matsumoto and Nishimura's mt19937ar).
        let mut state = RandomState::new(0);
        assert_eq!([(); 3].map(|()| state.word()), [2_357_136_044, 2_546_248_239, 3_071_714_933]);
    }
}

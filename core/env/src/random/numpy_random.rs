//! NumPy's legacy generator, for the order in which published runs were played.
//!
//! Source: `numpy.random.RandomState`: MT19937 (Matsumoto and Nishimura 1998), seeded by
//! `init_genrand`; numbers below a bound are drawn by masking and rejecting.

use rand_mt::Mt;

/// numpy's `RandomState`.
#[derive(Clone, Debug)]
pub struct RandomState(Mt);

impl RandomState {
    /// `RandomState(seed)`.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(Mt::new(seed))
    }

    /// That of a longer seed, which is folded to the 32 bits that numpy takes.
    #[must_use]
    pub fn folded(seed: u64) -> Self {
        Self::new((seed ^ seed >> 32) as u32)
    }

    /// Uniform in 0..=most.
    fn up_to(&mut self, most: u32) -> u32 {
        // numpy draws nothing when there is nothing to choose.
        if most == 0 {
            return 0;
        }
        let mask = u32::MAX >> most.leading_zeros();
        loop {
            let value = self.0.next_u32() & mask;
            if value <= most {
                return value;
            }
        }
    }

    /// `shuffle(items)`.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        super::shuffle(items, |count| self.up_to(count as u32 - 1) as usize);
    }

    /// `randint(low, high)`: uniform in `low..high`; `low` if that is empty.
    pub fn integer(&mut self, low: u32, high: u32) -> u32 {
        low + self.up_to(high.saturating_sub(low).saturating_sub(1))
    }

    /// `choice(population, size, replace=False)` of a range that begins at `start` and has
    /// `population` numbers: all of them if more are asked for.
    pub fn choice(&mut self, start: usize, population: usize, size: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (start..start + population).collect();
        self.shuffle(&mut numbers);
        numbers.truncate(size);
        numbers
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
        let words = [(); 3].map(|()| state.up_to(u32::MAX));
        assert_eq!(words, [2_357_136_044, 2_546_248_239, 3_071_714_933]);
    }

    #[test]
    fn where_there_is_no_choice_nothing_is_drawn() {
        let mut state = RandomState::new(7);
        assert_eq!((state.integer(5, 6), state.integer(5, 5), state.integer(5, 0)), (5, 5, 5));
        assert_eq!(state.integer(0, 1000), RandomState::new(7).integer(0, 1000));
        assert!(state.choice(3, 0, 2).is_empty());
        let mut all = state.choice(3, 4, 9);
        all.sort_unstable();
        assert_eq!(all, [3, 4, 5, 6]);
    }
}

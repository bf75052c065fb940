//! Porter stemmer of English words.
//!
//! Source: Porter, "An algorithm for suffix stripping", 1980, with the changes of Porter's own later
//! programs (`bli` and `logi` in the second step, words of two letters left alone), as Lucene's
//! `PorterStemFilter` has them. Snowball's English stemmer is another one.

/// The stem of a word in small letters.
pub(super) fn stem(word: String) -> String {
    if word.chars().count() <= 2 {
        return word;
    }
    // Letters beyond ASCII count as consonants.
    let mut word = Word(word.chars().collect());
    word.plural();
    word.strip_past_tense();
    word.final_y();
    word.longer_suffixes(&SECOND);
    word.longer_suffixes(&THIRD);
    word.last_suffixes();
    word.final_e();
    word.0.into_iter().collect()
}

/// Suffixes of the second step, and what they become.
const SECOND: [(&str, &str); 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("logi", "log"),
];

/// Those of the third.
const THIRD: [(&str, &str); 7] = [
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

/// Those that the fourth step takes away.
const FOURTH: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

struct Word(Vec<char>);

impl Word {
    fn is_consonant(&self, at: usize) -> bool {
        match self.0[at] {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => at == 0 || !self.is_consonant(at - 1),
            _ => true,
        }
    }

    /// How often a consonant follows a vowel in the first `end` letters.
    fn measure(&self, end: usize) -> usize {
        let turns = |&at: &usize| self.is_consonant(at) && !self.is_consonant(at - 1);
        (1..end).filter(turns).count()
    }

    fn has_vowel(&self, end: usize) -> bool {
        (0..end).any(|at| !self.is_consonant(at))
    }

    /// Where a suffix begins, if the word has it.
    fn before(&self, suffix: &str) -> Option<usize> {
        let begin = self.0.len().checked_sub(suffix.len())?;
        self.0[begin..].iter().copied().eq(suffix.chars()).then_some(begin)
    }

    fn replace(&mut self, begin: usize, with: &str) {
        self.0.truncate(begin);
        self.0.extend(with.chars());
    }

    fn ends_double(&self) -> bool {
        let last = self.0.len() - 1;
        last > 0 && self.0[last] == self.0[last - 1] && self.is_consonant(last)
    }

    /// Consonant, vowel, consonant at the end of the first `end` letters, the last not w, x or y.
    fn ends_short(&self, end: usize) -> bool {
        end >= 3
            && self.is_consonant(end - 1)
            && !self.is_consonant(end - 2)
            && self.is_consonant(end - 3)
            && !matches!(self.0[end - 1], 'w' | 'x' | 'y')
    }

    fn plural(&mut self) {
        if let Some(begin) = self.before("sses").or_else(|| self.before("ies")) {
            self.0.truncate(begin + if self.0[begin] == 's' { 2 } else { 1 });
        } else if self.0.last() == Some(&'s') && self.0[self.0.len() - 2] != 's' {
            self.0.pop();
        }
    }

    fn strip_past_tense(&mut self) {
        if let Some(begin) = self.before("eed") {
            if self.measure(begin) > 0 {
                self.0.pop();
            }
            return;
        }
        let suffix = self.before("ed").or_else(|| self.before("ing"));
        let Some(begin) = suffix.filter(|&begin| self.has_vowel(begin)) else { return };
        self.0.truncate(begin);
        if ["at", "bl", "iz"].iter().any(|it| self.before(it).is_some()) {
            self.0.push('e');
        } else if self.ends_double() {
            if !matches!(self.0.last(), Some('l' | 's' | 'z')) {
                self.0.pop();
            }
        } else if self.measure(self.0.len()) == 1 && self.ends_short(self.0.len()) {
            self.0.push('e');
        }
    }

    fn final_y(&mut self) {
        if let Some(begin) = self.before("y").filter(|&begin| self.has_vowel(begin)) {
            self.replace(begin, "i");
        }
    }

    /// The first of the suffixes that the word has becomes another one, if a turn is before it.
    fn longer_suffixes(&mut self, suffixes: &[(&str, &str)]) {
        let found = suffixes.iter().find_map(|&(suffix, with)| Some((self.before(suffix)?, with)));
        if let Some((begin, with)) = found.filter(|&(begin, _)| self.measure(begin) > 0) {
            self.replace(begin, with);
        }
    }

    fn last_suffixes(&mut self) {
        let suffix = FOURTH.iter().find_map(|&suffix| {
            let begin = self.before(suffix)?;
            let fits = suffix != "ion" || begin > 0 && matches!(self.0[begin - 1], 's' | 't');
            fits.then_some(begin)
        });
        if let Some(begin) = suffix.filter(|&begin| self.measure(begin) > 1) {
            self.0.truncate(begin);
        }
    }

    fn final_e(&mut self) {
        if let Some(begin) = self.before("e") {
            let turns = self.measure(begin);
            if turns > 1 || turns == 1 && !self.ends_short(begin) {
                self.0.pop();
            }
        }
        let last = self.0.len();
        if last > 1 && self.0[last - 1] == 'l' && self.ends_double() && self.measure(last) > 1 {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    /// Examples of Porter's paper, and of the changes since.
    #[test]
    fn words_have_the_stems_of_the_paper() {
        let stems = [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("ties", "ti"),
            ("caress", "caress"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("bled", "bled"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("troubled", "troubl"),
            ("sized", "size"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("hissing", "hiss"),
            ("fizzed", "fizz"),
            ("failing", "fail"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("relational", "relat"),
            ("conditional", "condit"),
            ("rational", "ration"),
            ("digitizer", "digit"),
            ("radically", "radic"),
            ("hopefulness", "hope"),
            ("formality", "formal"),
            ("triplicate", "triplic"),
            ("electricity", "electr"),
            ("goodness", "good"),
            ("adoption", "adopt"),
            ("replacement", "replac"),
            ("probate", "probat"),
            ("rate", "rate"),
            ("cease", "ceas"),
            ("controlling", "control"),
            ("rolling", "roll"),
            ("is", "is"),
            ("possibly", "possibl"),
            ("technology", "technolog"),
        ];
        for (word, expected) in stems {
            assert_eq!(stem(word.to_owned()), expected, "{word}");
        }
    }
}

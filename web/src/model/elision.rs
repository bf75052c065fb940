//! Elision: the words that tell the states of a task apart, without the long stretches that they have in common.

/// The shortest stretch that is left out.
const STRETCH: usize = 8;

/// The longest text, without what all begin with, that is shown whole.
const WHOLE: usize = 48;

/// How often texts part, at most, that are followed; what comes after is shown.
const PARTINGS: usize = 24;

/// Where text was left out.
const GAP: &str = "\u{2026}";

/// Of each text what tells it from the others, or all of it where it is short or shares nothing.
pub(crate) fn elided(texts: &[&str]) -> Vec<String> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_unstable_by_key(|place| texts[*place]);
    let shared: Vec<usize> =
        order.windows(2).map(|pair| common(texts[pair[0]], texts[pair[1]])).collect();
    let mut partings = vec![Vec::new(); texts.len()];
    part(&shared, 0..texts.len(), PARTINGS, &mut partings);
    let ending = common_ending(texts);
    let mut words = vec![String::new(); texts.len()];
    for (own, place) in partings.iter().zip(order) {
        words[place] = shown(texts[place], own, ending);
    }
    words
}

/// How many bytes two texts begin with alike.
fn common(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

/// Collects where each of the sorted texts of a range parts from others of it, given how much neighbours share.
fn part(shared: &[usize], range: std::ops::Range<usize>, left: usize, found: &mut [Vec<usize>]) {
    let between = &shared[range.start..range.end.saturating_sub(1).max(range.start)];
    let Some(&least) = between.iter().min().filter(|_| left > 0) else { return };
    for own in &mut found[range.clone()] {
        own.push(least);
    }
    let mut first = range.start;
    for place in range.clone() {
        let ends = place + 1 == range.end || shared[place] == least;
        if ends {
            part(shared, first..place + 1, left - 1, found);
            first = place + 1;
        }
    }
}

/// How many bytes all texts end with alike, from the beginning of a word on.
fn common_ending(texts: &[&str]) -> usize {
    let Some((first, others)) = texts.split_first().filter(|(_, others)| !others.is_empty()) else {
        return 0;
    };
    let shared = |other: &&str| {
        first.bytes().rev().zip(other.bytes().rev()).take_while(|(a, b)| a == b).count()
    };
    let length = others.iter().map(shared).min().unwrap_or(0);
    let ending = &first.as_bytes()[first.len() - length..];
    ending.iter().position(|byte| *byte == b' ').map_or(0, |space| length - space)
}

/// A text without the long stretches before, between and after the words at which it parts from others.
fn shown(text: &str, partings: &[usize], ending: usize) -> String {
    // A word begins behind a space; other scripts have letters of several bytes.
    let word = |at: usize| {
        text.as_bytes()[..at].iter().rposition(|byte| *byte == b' ').map_or(0, |at| at + 1)
    };
    let end = |at: usize| {
        text.as_bytes()[at..].iter().position(|byte| *byte == b' ').map_or(text.len(), |to| at + to)
    };
    let first = partings.first().map_or(0, |at| word(*at));
    let first = if first < STRETCH { 0 } else { first };
    let last = text.len() - ending;
    let is_short = text[first..].chars().count() <= WHOLE;
    let mut words = String::new();
    if first > 0 {
        words.push_str(GAP);
        words.push(' ');
    }
    if is_short {
        return words + &text[first..];
    }
    let mut from = first;
    for pair in partings.windows(2) {
        let (to, next) = (end(pair[0]), word(pair[1]));
        if to > from && next >= to + STRETCH {
            words.push_str(&text[from..to]);
            words.extend([" ", GAP, " "]);
            from = next;
        }
    }
    let from_last = partings.last().map_or(text.len(), |at| end(*at)).max(from);
    if ending >= STRETCH && last >= from_last {
        return words + text[from..last].trim_end() + " " + GAP;
    }
    words + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::elided;

    #[test]
    fn a_shared_opening_ends_with_a_word() {
        let halls = ["You are in the hall.", "You are in the harbour."];
        assert_eq!(elided(&halls), ["\u{2026} hall.", "\u{2026} harbour."]);
        let short = ["In a hall", "In a harbour"];
        assert_eq!(elided(&short), short, "too short to leave out");
        assert_eq!(elided(&halls[..1]), halls[..1], "nothing to tell apart");
        assert_eq!(
            elided(&["Über den Wolken ü", "Über den Wolken ö"]),
            ["\u{2026} ü", "\u{2026} ö"]
        );
        assert!(elided(&[]).is_empty());
    }

    #[test]
    fn long_states_are_told_by_the_words_that_differ() {
        let state = |room: &str, door: &str| {
            format!(
                "Your task is to find the lamp. You are in the {room}, which has two windows and a table. \
                 The door is {door}. You may look, take, open and go; what do you do next?"
            )
        };
        let all = [state("hall", "open"), state("hall", "closed"), state("cellar", "open")];
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(
            elided(&all),
            [
                "\u{2026} hall, \u{2026} open. \u{2026}",
                "\u{2026} hall, \u{2026} closed. \u{2026}",
                "\u{2026} cellar, which has two windows and a table. The door is open. \u{2026}",
            ]
        );
    }

    #[test]
    fn what_is_shown_tells_all_of_them_apart() {
        let digits = |number: usize| {
            let bit = |place: usize| if number >> place & 1 == 1 { "opened" } else { "closed" };
            let words = |place| ["cupboard by the wall is ", bit(place), " now; "].concat();
            (0..7).map(words).collect::<Vec<_>>().concat()
        };
        let all: Vec<String> = (0..128).map(digits).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut words = elided(&all);
        assert!(words.iter().all(|own| own.len() < all[0].len()));
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 128);
    }

    #[test]
    fn texts_that_begin_another_and_letters_of_several_bytes_are_whole() {
        let long = "가나다라마바사아자차카타파하".repeat(5);
        let all = [long.clone() + " 문", long.clone() + " 문과 창", long + "벽"];
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        for (words, text) in elided(&all).iter().zip(&all) {
            let rest = words.trim_start_matches("\u{2026} ");
            assert!(text.ends_with(rest) && !rest.is_empty(), "{words}");
        }
        let nested: Vec<String> = (0..60).map(|length| "a word ".repeat(length)).collect();
        let nested: Vec<&str> = nested.iter().map(String::as_str).collect();
        assert_eq!(elided(&nested).len(), 60, "and none is followed too far");
    }
}

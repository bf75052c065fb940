//! Exact match of answers.

/// A text without what does not count: in lower case, without ASCII punctuation, articles and superfluous white space.
///
/// Source: `normalize_answer` of SQuAD's evaluation (Rajpurkar, Zhang, Lopyrev and Liang, "SQuAD: 100,000+ Questions
/// for Machine Comprehension of Text", 2016).
fn normalized(text: &str) -> String {
    let bare = text.to_lowercase().replace(|mark: char| mark.is_ascii_punctuation(), "");
    let words = bare.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the"));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether an answer is the right one.
pub(super) fn is_exact_match(answer: &str, right: &str) -> bool {
    normalized(answer) == normalized(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_articles_punctuation_and_white_space_do_not_count() {
        for answer in
            ["North Hill", "north hill", " The  NORTH\thill. ", "an \"North\" Hill!", "Nor-th Hill"]
        {
            assert!(is_exact_match(answer, "North Hill"), "{answer}");
        }
        for answer in [
            "",
            "the",
            "North",
            "Hill North",
            "North Hill, or Deep Bay",
            "North Hills",
            "NorthHill",
        ] {
            assert!(!is_exact_match(answer, "North Hill"), "{answer}");
        }
    }
}

//! The symbols of the arithmetic, with what they mean.

use super::words::{Named, lines};

/// The symbols, several of one meaning side by side, with what they mean. A line each, as that takes
/// least room in the program.
pub(crate) fn symbols() -> impl Iterator<Item = Named> {
    lines! {
        "t": "step, counted from 0" / "단계, 0부터 셈";
        "r": "reward" / "보상";
        "R": "return: the rewards from this step on, later ones discounted" / "리턴: 이 단계부터의 보상 합, 나중 것은 할인";
        "S": "score: the sum of the attempt's rewards" / "점수: 시도의 보상 합";
        "\u{3b3}": "discount: what a reward one step later is worth now" / "할인율: 한 단계 뒤의 보상이 지금 갖는 값";
        "V": "what a state is worth" / "상태의 가치";
        "x": "what the step leads to is worth" / "단계가 이르는 곳의 가치";
        "Q": "what the action is worth in the state" / "그 상태에서 행동의 가치";
        "\u{3b4}, y, z": "gain in what states are worth" / "상태 가치의 증가분";
        "d": "steps left to the goal" / "목표까지 남은 단계";
        "E, \u{394}, E\u{394}": "whole attempts (E), gains (\u{394})" / "시도 전체(E), 증가분(\u{394})";
        "G": "group: steps with the same state and k equal states before" / "그룹: 상태와 앞선 상태 k개가 같은 단계";
        "k, l": "level of a group" / "그룹의 레벨";
        "K": "deepest level" / "가장 깊은 레벨";
        "\u{3bc}": "mean of the group" / "그룹의 평균";
        "\u{3c3}": "standard deviation of the group" / "그룹의 표준편차";
        "A": "advantage: how much better than the group" / "어드밴티지: 그룹보다 얼마나 나은지";
        "w": "weight of the level in the sum" / "합에서 레벨의 가중치";
        "\u{3b1}": "how much more longer histories count" / "더 긴 과거를 더 중요하게 보는 정도";
        "B": "how far the data support a level; as an index, the batch" / "데이터가 레벨을 뒷받침하는 정도. 첨자로는 배치";
        "10\u{207b}\u{2076}": "keeps the divisor from being 0" / "0으로 나누지 않게 하는 수";
    }
}

/// What a symbol means.
pub(crate) fn meaning(symbol: &str) -> &'static str {
    let is_of = |known: &str| known.split(", ").any(|one| one == symbol);
    symbols().find(|(known, _)| is_of(known)).map_or("", |(_, meaning)| meaning)
}

/// What the small number under a fraction is for.
pub(crate) fn epsilon_meaning() -> &'static str {
    symbols().last().map_or("", |(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::{epsilon_meaning, meaning, symbols};
    use crate::text::{Language, speak};

    #[test]
    fn every_symbol_has_a_meaning_in_both_languages() {
        let listed = |language| {
            speak(language);
            let known: Vec<&str> = symbols().map(|(symbol, _)| symbol).collect();
            assert!(
                known
                    .iter()
                    .flat_map(|symbol| symbol.split(", "))
                    .all(|one| !meaning(one).is_empty())
            );
            known
        };
        assert_eq!(listed(Language::Korean), listed(Language::English));
        speak(Language::default());
        assert_eq!(meaning("R"), "return: the rewards from this step on, later ones discounted");
        assert_eq!((meaning("z"), meaning("\u{394}")), (meaning("y"), meaning("E")));
        assert_eq!((meaning("?"), epsilon_meaning()), ("", "keeps the divisor from being 0"));
    }
}

//! The words of the view.

use hgpo_words::Language;
use hgpo_words::number::short;

/// The words of a language.
#[derive(Clone, Copy)]
pub(super) struct Text(pub(super) Language);

/// Declares a function of [`Text`] for every entry: `name: "English" / "Korean";`, or for a sentence with something in
/// it, `name(step: usize): "step {step}" / "단계 {step}";`.
macro_rules! texts {
    ($($name:ident $(($($value:tt)+))?: $english:literal / $korean:literal;)+) => {
        impl Text { $(texts! { @ $name $(($($value)+))? $english $korean })+ }
    };
    (@ $name:ident $english:literal $korean:literal) => {
        pub(super) fn $name(self) -> &'static str {
            self.either($english, $korean)
        }
    };
    (@ $name:ident ($($value:tt)+) $english:literal $korean:literal) => {
        pub(super) fn $name(self, $($value)+) -> String {
            self.either(format!($english), format!($korean))
        }
    };
}

texts! {
    step(attempt: &str, step: usize): "{attempt}, step {step}" / "{attempt}, 단계 {step}";
    worth([truth, action, policy]: [String; 3]): "True advantage {truth}: from here on, this action is worth {action} on average (Q), and what the policy does {policy} (V)." / "참 어드밴티지 {truth}: 여기서부터 이 행동은 평균 {action}(Q), 정책대로 하면 평균 {policy}(V)을 얻습니다.";
    draw_anew: "Draw the attempts anew" / "시도를 새로 뽑기";
    draw_many: "Draw 200 groups" / "200번 뽑기";
    draw_hint: "The same policy in the same process, drawn again: what an estimate is always wrong about is its bias, what it owes to chance its spread." / "같은 과정에서 같은 정책으로 다시 뽑습니다. 추정이 언제나 틀리는 정도가 편향이고, 우연에 따라 달라지는 정도가 표준편차입니다.";
    misfit(attempt: &str, step: usize): "{attempt} cannot come from this process any more (step {step} differs), so nothing is known of its true advantages. Undo the edit, or draw new attempts." / "{attempt}은(는) 이제 이 과정에서 나올 수 없으므로(단계 {step}이 다름) 참 어드밴티지를 알 수 없습니다. 편집을 되돌리거나 시도를 새로 뽑으세요.";
    ambiguous: "Several situations look like this step, and its attempt does not tell which it was: its true advantage is not known." / "이 단계처럼 보이는 상황이 여럿이고 시도만으로는 구별할 수 없어 참 어드밴티지를 알 수 없습니다.";
    truth_name: "truth" / "참값";
    here: "here" / "여기";
    mean: "mean" / "평균";
    bias: "bias" / "편향";
    spread: "spread" / "표준편차";
    whole: "the advantage: the weighted sum" / "어드밴티지: 가중합";
    by_comparison: "the advantage by this comparison alone" / "이 비교만으로 구한 어드밴티지";
    symbols_title: "What the symbols mean" / "기호의 뜻";
    overall: "Over all steps of all samples" / "모든 표본의 모든 단계";
    squared_bias: "bias\u{b2}" / "편향\u{b2}";
    variance: "variance" / "분산";
    together: "together" / "합";
    drawn([samples, attempts, steps]: [usize; 3]): "{samples} groups of {attempts} attempts were drawn; this decision came up {steps} times." / "시도 {attempts}개씩 {samples}번 뽑았고 이 결정은 {steps}번 나왔습니다.";
    line: " The line is the truth." / " 선이 참값입니다.";
    other_unit: "These estimates are divided by a standard deviation, so they have another unit than the truth and do not stand beside it." / "이 추정값은 표준편차로 나눈 것이어서 참값과 단위가 다릅니다.";
    set_scale: "Set Scale to \u{201c}mean only\u{201d}" / "척도를 ‘평균만’으로 바꾸기";
    picture(count: usize, mean: &str, spread: &str): "{count} estimates, mean {mean}, spread {spread}" / "추정값 {count}개, 평균 {mean}, 표준편차 {spread}";
}

/// The symbols, in markup, with what they mean.
const SYMBOLS: [(&str, &str); 8] = [
    ("<i>A</i><sub>k</sub>", "among steps with the same state and k equal states before"),
    ("<i>A</i><sub>E</sub>", "among whole attempts"),
    ("<i>Q</i>", "what this action is worth: the rewards from here on, on average"),
    ("<i>V</i>", "what the policy is worth here, over all its actions"),
    ("<i>Q</i> \u{2212} <i>V</i>", "the true advantage"),
    ("bias", "mean of the estimates, less the truth"),
    ("spread", "standard deviation of the estimates"),
    ("bias\u{b2} + variance", "the mean squared error"),
];

const KOREAN_SYMBOLS: [(&str, &str); 8] = [
    ("<i>A</i><sub>k</sub>", "상태와 앞선 상태 k개가 같은 단계끼리"),
    ("<i>A</i><sub>E</sub>", "시도 전체끼리"),
    ("<i>Q</i>", "이 행동의 가치: 여기서부터의 보상 평균"),
    ("<i>V</i>", "여기서 정책의 가치: 모든 행동에 걸친 평균"),
    ("<i>Q</i> \u{2212} <i>V</i>", "참 어드밴티지"),
    ("편향", "추정값의 평균에서 참값을 뺀 것"),
    ("표준편차", "추정값이 흩어진 정도"),
    ("편향\u{b2} + 분산", "평균 제곱 오차"),
];

/// A number with at most three digits after the point, with the minus sign of print.
pub(super) fn number(value: f64) -> String {
    short(value, 3)
}

impl Text {
    fn either<T>(self, english: T, korean: T) -> T {
        match self.0 {
            Language::English => english,
            Language::Korean => korean,
        }
    }

    /// The buttons that draw, with what drawing is good for.
    pub(super) fn buttons(self) -> String {
        let (anew, many, hint) = (self.draw_anew(), self.draw_many(), self.draw_hint());
        format!(
            "<div class=\"draws\">\
             <button type=\"button\" class=\"button\" data-draw=\"attempts\">{anew}</button>\
             <button type=\"button\" class=\"button\" data-draw=\"200\">{many}</button>\
             </div><p class=\"hint\">{hint}</p>"
        )
    }

    /// What the symbols mean, folded.
    pub(super) fn symbols(self) -> String {
        let rows = [("<i>A</i>", self.whole())].into_iter();
        let rows = rows.chain(self.either(SYMBOLS, KOREAN_SYMBOLS));
        let rows = rows.map(|(symbol, meaning)| format!("<dt>{symbol}</dt><dd>{meaning}</dd>"));
        let (title, rows) = (self.symbols_title(), rows.collect::<String>());
        format!(
            "<details class=\"symbols\"><summary>{title}</summary><dl class=\"facts\">{rows}</dl></details>"
        )
    }
}

//! Why something was not opened or done, in a sentence that says what to do.

use super::dial;
use crate::text::words::either;
use crate::train::model::{Dial, Problem, Refusal, dial::Range};

/// What went wrong.
pub(crate) fn problem(problem: &Problem) -> String {
    match problem {
        Problem::Setup(refusal) => {
            let why = refusal_of(refusal);
            either!(
                format!("This link could not be opened, so you see the first world: {why}"),
                format!("링크를 열지 못해 첫 세계를 보입니다: {why}"),
            )
        }
        Problem::Map(why) => either!(
            format!("The map stays as it was: {why}."),
            format!("지도를 그대로 둡니다: {why}."),
        ),
        Problem::NoWorkers => either!(
            "Training needs a browser with module workers, and this one has none. Open the page in a current one.".to_owned(),
            "학습에는 모듈 워커가 필요하지만 이 브라우저에는 없습니다. 최신 브라우저에서 여세요.".to_owned(),
        ),
    }
}

fn refusal_of(refusal: &Refusal) -> String {
    match refusal {
        Refusal::TooLong => either!(
            "it is too long. Ask for it again.".to_owned(),
            "너무 깁니다. 다시 받으세요.".to_owned(),
        ),
        Refusal::Unknown(_) | Refusal::World(_) | Refusal::ObservationMode(_) | Refusal::At(_) => {
            unknown(refusal)
        }
        Refusal::Dial(own, value) => out_of_range(*own, value),
        Refusal::Map(why) => either!(
            format!("its map cannot be played: {}.", short(why)),
            format!("지도를 쓸 수 없습니다: {}.", short(why)),
        ),
        Refusal::Lane(why) => either!(
            format!("a lane cannot be like that: {}.", short(why)),
            format!("레인을 그렇게 할 수 없습니다: {}.", short(why)),
        ),
        Refusal::TooMany => either!(
            "it has more lanes or changes than there can be.".to_owned(),
            "레인이나 변경이 너무 많습니다.".to_owned(),
        ),
    }
}

/// That there is nothing of a name.
fn unknown(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Unknown(name) => either!(
            format!("nothing is called \u{201c}{}\u{201d}. Take it out.", short(name)),
            format!("\u{201c}{}\u{201d}이라는 설정이 없습니다. 빼세요.", short(name)),
        ),
        Refusal::World(name) => either!(
            format!("there is no world \u{201c}{}\u{201d}. Choose one of the list.", short(name)),
            format!("\u{201c}{}\u{201d} 세계가 없습니다. 목록에서 고르세요.", short(name)),
        ),
        Refusal::ObservationMode(name) => either!(
            format!("the sight is walls, labels or place, not \u{201c}{}\u{201d}.", short(name)),
            format!(
                "보는 것은 walls, labels, place 중 하나입니다. \u{201c}{}\u{201d}은 아닙니다.",
                short(name)
            ),
        ),
        Refusal::At(at) => either!(
            format!(
                "after iteration \u{201c}{}\u{201d} nothing can be changed like that.",
                short(at)
            ),
            format!("반복 \u{201c}{}\u{201d} 다음에는 그렇게 바꿀 수 없습니다.", short(at)),
        ),
        _ => String::new(),
    }
}

/// That a dial cannot be so.
fn out_of_range(own: Dial, value: &str) -> String {
    let (name, _) = dial(own);
    let Range { least, most, .. } = own.range();
    either!(
        format!("{name} goes from {least} to {most}, not \u{201c}{}\u{201d}.", short(value)),
        format!(
            "{name}의 범위는 {least}부터 {most}까지입니다. \u{201c}{}\u{201d}은 아닙니다.",
            short(value)
        ),
    )
}

/// The beginning of what others wrote.
fn short(text: &str) -> String {
    const LETTERS: usize = 160;
    let mut letters = text.chars();
    let beginning: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() { beginning + "\u{2026}" } else { beginning }
}

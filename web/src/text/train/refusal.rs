//! Why something was not opened or done, in a sentence that says what to do.

use super::dial;
use crate::text::words::words;
use crate::train::model::dial::Range;
use crate::train::model::{Problem, Refusal};

words! {
    not_opened(why: &str): "This link could not be opened, so you see the first world: {why}" / "링크를 열지 못해 첫 세계를 보입니다: {why}";
    map_stays(why: &str): "The map stays as it was: {why}." / "지도를 그대로 둡니다: {why}.";
    no_workers: "Training needs a browser with module workers, and this one has none. Open the page in a current one." / "학습에는 모듈 워커가 필요하지만 이 브라우저에는 없습니다. 최신 브라우저에서 여세요.";
    too_long: "it is too long. Ask for it again." / "너무 깁니다. 다시 받으세요.";
    too_many: "it has more lanes or changes than there can be." / "레인이나 변경이 너무 많습니다.";
    no_map(why: &str): "its map cannot be played: {why}." / "지도를 쓸 수 없습니다: {why}.";
    no_lane(why: &str): "a lane cannot be like that: {why}." / "레인을 그렇게 할 수 없습니다: {why}.";
    no_setting(name: &str): "nothing is called \u{201c}{name}\u{201d}. Take it out." / "\u{201c}{name}\u{201d}이라는 설정이 없습니다. 빼세요.";
    no_world(name: &str): "there is no world \u{201c}{name}\u{201d}. Choose one of the list." / "\u{201c}{name}\u{201d} 세계가 없습니다. 목록에서 고르세요.";
    no_sight(name: &str): "the sight is walls, labels or place, not \u{201c}{name}\u{201d}." / "보는 것은 walls, labels, place 중 하나입니다. \u{201c}{name}\u{201d}은 아닙니다.";
    no_change(at: &str): "after iteration \u{201c}{at}\u{201d} nothing can be changed like that." / "반복 \u{201c}{at}\u{201d} 다음에는 그렇게 바꿀 수 없습니다.";
    out_of_range(name: &str, [least, most]: [f64; 2], value: &str): "{name} goes from {least} to {most}, not \u{201c}{value}\u{201d}." / "{name}의 범위는 {least}부터 {most}까지입니다. \u{201c}{value}\u{201d}은 아닙니다.";
}

/// What went wrong.
pub(crate) fn problem(problem: &Problem) -> String {
    match problem {
        Problem::Setup(refusal) => not_opened(&refused(refusal)),
        Problem::Map(why) => map_stays(why),
        Problem::NoWorkers => no_workers().to_owned(),
    }
}

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::TooLong => too_long().to_owned(),
        Refusal::TooMany => too_many().to_owned(),
        Refusal::Unknown(name) => no_setting(&short(name)),
        Refusal::World(name) => no_world(&short(name)),
        Refusal::ObservationMode(name) => no_sight(&short(name)),
        Refusal::At(at) => no_change(&short(at)),
        Refusal::Map(why) => no_map(&short(why)),
        Refusal::Lane(why) => no_lane(&short(why)),
        Refusal::Dial(own, value) => {
            let Range { least, most, .. } = own.range();
            out_of_range(dial(*own).0, [least, most], &short(value))
        }
    }
}

/// The beginning of what others wrote.
fn short(text: &str) -> String {
    const LETTERS: usize = 160;
    let mut letters = text.chars();
    let beginning: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() { beginning + "\u{2026}" } else { beginning }
}

//! What the worlds are called, and what each is there to show.

use crate::text::words::{Named, either, find, named};
use hgpo_env::gridworld::World;

/// In Korean: a world's name in settings, what it is called, and what it is there to show, a line each.
const KOREAN: &str =
    "signpost|이정표|두 갈림길이 똑같아 보이고, 두 걸음 앞의 이름표가 어느 쪽이 맞는지 알려 줍니다.
remote|먼 이정표|이름표가 네 걸음 앞에 있어, 마지막 두 걸음의 기억 밖에 있습니다.
switchback|되돌이길|똑같아 보이는 복도가 오고 가며, 어떻게 왔는지만이 다음 갈 곳을 알려 줍니다.
comb|빗|빗살이 모두 똑같아 보이고, 앞선 걸음만이 구별해 줍니다.
locked|잠긴 문|같은 복도라도 보이지 않는 열쇠를 들면 더 가치가 있습니다.
landmarks|표지물|똑같아 보이는 곳이 없어 과거가 새로 알려 주는 것이 없습니다.
hall|넓은 방|위치가 보이고 미끄러져 같은 과거가 거의 되풀이되지 않으므로, 그 그룹은 너무 작습니다.
shortcut|지름길|가장 짧은 길은 비용이 드는 칸을 지나고, 이동이 미끄러집니다.
toll|통행료|출발할 때 우연이 통행료를 물리고, 똑같아 보이는 복도가 목표에 가깝기도 멀기도 합니다.";

fn korean(name: &str) -> Option<Named> {
    find(KOREAN.lines().filter_map(|line| line.split_once('|')), name).map(named)
}

/// The name of a world.
pub(crate) fn world_name(name: &str) -> String {
    either!(name.replace('-', " "), korean(name).map_or(name, |world| world.0).to_owned())
}

/// What a world is there to show.
pub(crate) fn shows(world: &World) -> String {
    either!(
        sentence(world.shows),
        korean(world.name).map_or(world.shows, |world| world.1).to_owned()
    )
}

/// A sentence of words that begin small and end without a point.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use super::{korean, sentence};
    use hgpo_env::gridworld::WORLDS;

    #[test]
    fn every_world_has_words_in_both_languages() {
        let missing: Vec<&str> =
            WORLDS.iter().map(|world| world.name).filter(|name| korean(name).is_none()).collect();
        assert_eq!(missing, [""; 0], "add their words to KOREAN");
        assert_eq!(sentence("two junctions"), "Two junctions.");
    }
}

//! What the dials are called, and what they do.

use crate::text::words::{Named, named, words, words_of};
use crate::train::model::Dial;
use hgpo_env::gridworld::ObservationMode;

words! {
    /// What a dial does whose change begins again.
    starts_again(hint: &str): "{hint}. Starts again" / "{hint}. 처음부터 다시 시작합니다";
}

words_of! {
    both_of(Dial) {
        Slip: "Slip|Chance that a move goes to one of its two sides" / "미끄러짐|이동이 옆으로 새는 확률";
        Reward: "Reward|What the goal is worth" / "보상|목표의 가치";
        Cost: "Cost|What entering a cost cell takes away" / "비용|비용 칸에 들어갈 때 잃는 값";
        Steps: "Step limit|Steps after which an attempt ends" / "단계 한도|시도가 끝나는 단계 수";
        Memory: "Memory|Past observations and actions that the policy sees, in every lane; not the estimators' K" / "기억|정책이 보는 지난 관측과 행동의 수(모든 레인에서 같음). 추정기의 K와는 다릅니다";
        Group: "Attempts a task|Attempts at each task, which are compared: the size G of a group in papers" / "과제당 시도|과제마다 비교되는 시도의 수. 논문에서 말하는 그룹 크기 G";
        Tasks: "Tasks|Tasks of an iteration" / "과제|한 반복의 과제 수";
        Discount: "Discount \u{3b3}|How much a reward counts one step earlier" / "할인율 \u{3b3}|보상이 한 단계 앞에서 반영되는 비율";
        Rate: "Learning rate|How far one update goes" / "학습률|한 번의 갱신이 나아가는 정도";
        Seeds: "Seeds a lane|Runs of each lane, over which the mean and its interval are" / "레인의 시드|레인마다 반복하는 실행 수. 평균과 구간을 여기서 구합니다";
        Seed: "First seed|The others follow it" / "첫 시드|나머지는 이어지는 번호입니다";
    }
}

/// A dial's name, and what it does.
pub(crate) fn dial(dial: Dial) -> Named {
    named(both_of(dial))
}

words_of! {
    /// How much is seen.
    sight(ObservationMode) {
        Walls: "walls only" / "벽만";
        Labels: "walls, labels" / "벽과 이름표";
        Place: "exact place" / "정확한 위치";
    }
}

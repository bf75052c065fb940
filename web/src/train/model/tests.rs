//! The model with lanes that answer at once: what is learned in them is told by settings and iteration alone.

use super::{Action, Dial, ESTIMATOR, Model, Plan, Problem, Speed};
use hgpo_env::gridworld::{Map, ObservationMode, Position, Tile};
use hgpo_worker::training::message::{Answer, Cell, Request, Verdicts};

/// What a lane's worker knows.
#[derive(Clone, Default)]
struct Worker {
    settings: String,
    iteration: u64,
}

impl Worker {
    fn answer(&mut self, request: &Request) -> Answer {
        match request {
            Request::Start { settings, .. } => {
                *self = Self { settings: format!("{settings:?}"), iteration: 0 };
                Answer::Started { settings: settings.clone(), iteration: 0 }
            }
            Request::Change { settings } => {
                self.settings = format!("{settings:?}");
                Answer::Changed { keeps_weights: true, iteration: self.iteration }
            }
            Request::Run { iterations, .. } => {
                let from = self.iteration + 1;
                // A slice ends early.
                self.iteration += (*iterations).min(7);
                let line = |iteration| {
                    let mixed = self.settings.bytes().fold(iteration, |all: u64, byte| {
                        all.wrapping_mul(31).wrapping_add(u64::from(byte))
                    });
                    let success = (mixed % 1000) as f64 / 1000.0;
                    format!("{{\"iteration\":{iteration},\"success_rate\":{success}}}")
                };
                let lines = vec![(from..=self.iteration).map(line).collect()];
                Answer::Ran { iteration: self.iteration, lines }
            }
            Request::GoBack { iteration } => {
                self.iteration = *iteration;
                Answer::Went { iteration: *iteration }
            }
            Request::Look { .. } => Answer::Look {
                iteration: self.iteration,
                rollouts: format!("rollouts of {}", self.iteration),
            },
            Request::Cell { .. } => Answer::Cell(Cell { memories: Vec::new() }),
            Request::Arrows { .. } => Answer::Arrows { places: Vec::new() },
            Request::Words { .. } => Answer::Words { words: Vec::new() },
            Request::Verdicts { estimators, truth, .. } => Answer::Verdicts(Verdicts {
                agreement: vec![truth.then_some(0.5); estimators.len()],
                ..Verdicts::default()
            }),
            Request::Process { .. } => Answer::Error("too much".to_owned()),
        }
    }
}

/// The view with its workers.
struct Page {
    model: Model,
    workers: [Worker; 3],
    asked: Vec<String>,
}

impl Page {
    fn open(text: &str) -> Self {
        Self { model: Model::open(text), workers: Default::default(), asked: Vec::new() }
    }

    fn act(&mut self, action: Action) -> &mut Self {
        self.model.update(action);
        self.settle()
    }

    fn round(&mut self, milliseconds: f64) -> &mut Self {
        self.model.next_round(milliseconds);
        self.settle()
    }

    fn hand_over(&mut self) -> &mut Self {
        self.model.note_inspected();
        self.settle()
    }

    fn break_off(&mut self, lane: usize) -> &mut Self {
        self.model.lanes[lane].break_off();
        self.settle()
    }

    /// Lets workers answer until nothing is wished.
    fn settle(&mut self) -> &mut Self {
        for _ in 0..10_000 {
            let wish =
                (0..self.model.lanes.len()).find_map(|lane| Some((lane, self.model.wish(lane)?)));
            let Some((lane, (request, about))) = wish else { return self };
            self.asked.push(format!(
                "{lane} {}",
                format!("{request:?}").split(' ').next().unwrap_or_default()
            ));
            let answer = self.workers[lane].answer(&request);
            self.model.asked(lane, request);
            self.model.answered(lane, answer, about);
        }
        panic!("lanes never have enough: {:?}", &self.asked[self.asked.len() - 8..]);
    }

    fn play(&mut self, rounds: usize) -> &mut Self {
        self.act(Action::Play(true));
        for _ in 0..rounds {
            self.round(120.0);
        }
        self.act(Action::Play(false))
    }

    fn curves(&self) -> Vec<Vec<f64>> {
        let lane =
            |lane: &super::Lane| lane.points.iter().map(|point| point.success.mean).collect();
        self.model.lanes.iter().map(lane).collect()
    }
}

#[test]
fn nothing_runs_by_itself() {
    let mut page = Page::open("");
    page.settle();
    page.act(Action::Choose(Some(Position { row: 1, column: 1 })));
    page.act(Action::Dial(Dial::Slip, 0.2));
    page.round(1000.0);
    assert_eq!(page.asked, [""; 0]);
    assert!(!page.model.is_busy());
}

#[test]
fn lanes_go_together_and_stop_together() {
    let mut page = Page::open("");
    page.act(Action::Once);
    assert_eq!((page.model.iteration(), page.model.last()), (1, 1));
    page.play(5);
    let iteration = page.model.iteration();
    assert!(iteration > 5 && page.model.lanes.iter().all(|lane| lane.iteration == iteration));
    assert!(!page.model.is_busy());
    page.act(Action::Speed(Speed::Slow)).play(3);
    assert_eq!(page.model.iteration(), iteration + 3);
}

#[test]
fn play_stops_where_a_setup_says_and_goes_on_from_there() {
    let mut page = Page::open("until.9");
    page.act(Action::Play(true));
    for _ in 0..6 {
        // Rounds grow.
        page.round(10.0);
    }
    assert_eq!(
        (page.model.iteration(), page.model.is_busy(), page.model.until()),
        (9, false, None)
    );
    page.play(2);
    assert!(page.model.iteration() > 9, "it is played on from there");
    page.act(Action::Again);
    assert_eq!(page.model.until(), Some(9));
    assert!(page.model.plan.written().contains("_until.9"));
}

#[test]
fn a_pause_amid_a_round_leaves_no_lane_behind() {
    let mut page = Page::open("");
    page.model.update(Action::Play(true));
    page.model.round = 20;
    page.model.next_round(120.0);
    // The first lane has answered twice, the others have not begun.
    for _ in 0..2 {
        let (request, about) = page.model.wish(0).expect("a wish");
        let answer = page.workers[0].answer(&request);
        page.model.asked(0, request);
        page.model.answered(0, answer, about);
    }
    // It is at work once more when the reader stops it.
    let (request, about) = page.model.wish(0).expect("a wish");
    page.model.asked(0, request.clone());
    page.model.update(Action::Play(false));
    let answer = page.workers[0].answer(&request);
    page.model.answered(0, answer, about);
    let farthest = page.model.lanes[0].iteration;
    page.settle();
    assert_eq!((page.model.iteration(), page.model.last()), (farthest, farthest));
    assert!(page.model.lanes.iter().all(|lane| lane.iteration == farthest));
}

#[test]
fn the_way_back_and_forth_keeps_the_curves() {
    let mut page = Page::open("");
    page.play(6);
    let (curves, last) = (page.curves(), page.model.last());
    page.act(Action::GoTo(3));
    assert_eq!((page.model.iteration(), page.model.last()), (3, last));
    page.act(Action::GoTo(last));
    assert_eq!((page.model.iteration(), page.curves()), (last, curves));
    page.act(Action::GoTo(last + 100));
    assert_eq!(page.model.iteration(), last, "no further than was measured");
    page.act(Action::GoTo(0)).act(Action::Once);
    assert_eq!(page.model.iteration(), 1);
}

#[test]
fn changes_go_on_or_begin_again_and_a_plan_plays_the_same_curves() {
    let mut page = Page::open("group.4_slip.0");
    page.play(4);
    let first = page.model.iteration();
    page.act(Action::Dial(Dial::Slip, 0.3));
    assert_eq!((page.model.iteration(), page.model.plan.later.len()), (first, 1));
    page.play(4);
    page.act(Action::Option(0, ESTIMATOR, "rloo".to_owned())).play(2);
    let (text, curves, last) = (page.model.plan.written(), page.curves(), page.model.last());
    assert_eq!(page.model.plan.later.len(), 2, "{text}");
    let mut other = Page::open(&text);
    assert_eq!(other.model.setup().dials.get(Dial::Slip).to_bits(), 0.0_f64.to_bits());
    other.act(Action::Speed(Speed::Slow)).play(last as usize);
    assert_eq!((other.model.last(), other.curves()), (last, curves));
    // What the policy sees begins again.
    page.act(Action::Dial(Dial::Memory, 0.0));
    assert_eq!((page.model.iteration(), page.model.last(), page.model.plan.later.len()), (0, 0, 0));
    assert!((page.model.setup().dials.get(Dial::Slip) - 0.3).abs() < 1e-12);
}

#[test]
fn a_change_before_later_ones_replaces_them() {
    let mut page = Page::open("slip.0");
    page.play(3).act(Action::Dial(Dial::Slip, 0.3)).play(3);
    page.act(Action::GoTo(2));
    assert!(page.model.setup().dials.get(Dial::Slip).abs() < 1e-12, "as it was then");
    page.act(Action::Dial(Dial::Reward, 5.0));
    assert_eq!((page.model.last(), page.model.plan.later.len()), (2, 1));
    page.act(Action::Undo);
    assert_eq!(page.model.plan.later.len(), 0, "nothing differs any more");
}

#[test]
fn maps_are_edited_in_place_and_given_back() {
    let mut page = Page::open("");
    let map = page.model.setup().played().expect("a map");
    let floor = map.all(Tile::Floor).next().expect("floor");
    page.act(Action::Touch(floor));
    assert_eq!((page.model.place, &page.model.setup().map), (Some(floor), &None));
    page.act(Action::Brush(Some(Tile::Label('z')))).act(Action::Touch(floor));
    assert_eq!(page.model.setup().played().map(|map| map.tile(floor)), Some(Tile::Label('z')));
    page.act(Action::Undo);
    assert_eq!(page.model.setup().played(), Some(map.clone()));
    page.act(Action::Redo);
    assert!(page.model.setup().map.is_some());
    let goal = map.all(Tile::Goal).next().expect("a goal");
    page.act(Action::Undo).act(Action::Brush(Some(Tile::Wall))).act(Action::Touch(goal));
    assert!(matches!(page.model.problem, Some(Problem::Map(_))), "{:?}", page.model.problem);
    assert_eq!(page.model.setup().played(), Some(map));
}

#[test]
fn mazes_are_drawn_one_after_the_other() {
    let mut page = Page::open("");
    page.act(Action::Maze);
    let first = page.model.setup().map.clone().expect("a maze");
    assert_eq!(Plan::read(&page.model.plan.written()), Ok(page.model.plan.clone()));
    for _ in 0..4 {
        page.act(Action::Maze);
    }
    assert_ne!(page.model.setup().map.as_ref(), Some(&first));
    page.act(Action::Once);
    assert_eq!(page.model.iteration(), 1);
}

#[test]
fn what_was_played_is_handed_over_once() {
    let mut page = Page::open("");
    page.act(Action::Inspect);
    assert_eq!(page.model.rollouts_to_hand_over(), None, "nothing was played");
    page.play(2).act(Action::Inspect);
    let wanted = format!("rollouts of {}", page.model.iteration());
    assert_eq!(page.model.rollouts_to_hand_over().as_deref(), Some(&*wanted));
    page.hand_over();
    assert_eq!(page.model.rollouts_to_hand_over(), None);
}

#[test]
fn the_lane_that_played_is_asked_for_processes_as_long_as_it_is_there() {
    let asks = |page: &Page| page.model.ask_for_process("g01");
    let mut page = Page::open("");
    page.play(1).act(Action::Seed(2)).act(Action::Lane(1));
    assert_eq!(asks(&page), None, "nothing was looked into");
    page.act(Action::Inspect).hand_over();
    let request = Request::Process { seed: 2, task: "g01".to_owned() };
    let wanted = Some((1, request));
    assert_eq!(asks(&page), wanted);
    // What is drawn is another thing.
    page.act(Action::Seed(0)).act(Action::Lane(2));
    assert_eq!(asks(&page), wanted);
    let at = page.model.iteration();
    page.act(Action::Once);
    assert_eq!(asks(&page), None, "the lane has gone on");
    page.act(Action::GoTo(at));
    assert_eq!(asks(&page), wanted, "the same seeds, the same bytes");
    page.act(Action::Dial(Dial::Slip, 0.3)).act(Action::Once).act(Action::GoTo(at));
    assert_eq!(asks(&page), wanted, "it was played before the change");
    page.act(Action::GoTo(at - 1)).act(Action::Dial(Dial::Slip, 0.1)).act(Action::Once);
    assert_eq!((page.model.iteration(), asks(&page)), (at, None), "it was played otherwise");
    page.act(Action::Inspect).hand_over();
    assert!(asks(&page).is_some());
    page.act(Action::Again).play(1);
    assert_eq!(asks(&page), None);
}

#[test]
fn a_lane_that_breaks_stops_no_other_one() {
    let mut page = Page::open("");
    page.play(2);
    page.break_off(1);
    let before = page.model.lanes[0].iteration;
    page.play(2);
    let now = page.model.lanes[0].iteration;
    assert!(now > before && page.model.lanes[1].iteration == before);
    let points = page.model.lanes[0].points.len();
    page.act(Action::Retry);
    let lanes = page.model.lanes.iter();
    let all: Vec<_> = lanes.map(|lane| (lane.iteration, lane.points.len())).collect();
    assert_eq!(all, [(now, points); 3], "it trains from the start to where the others are");
    page.break_off(1).act(Action::Dial(Dial::Slip, 0.3)).play(1);
    assert_eq!(page.model.lanes[1].iteration, page.model.lanes[0].iteration);
    page.break_off(1);
    page.act(Action::Again);
    assert!(page.model.lanes.iter().all(|lane| lane.is_sound() && lane.iteration == 0));
}

#[test]
fn a_broken_link_opens_the_first_world_and_says_so() {
    let page = Page::open("world.mars");
    assert_eq!(page.model.plan, Plan::default());
    assert!(matches!(page.model.problem, Some(Problem::Setup(_))));
    let page = Page::open("map.SG_sight.place_lane.hgpo_lane.hgpo*alpha.0");
    assert_eq!(page.model.setup().map, Map::parse("SG").ok());
    assert_eq!((page.model.setup().sight, page.model.lanes.len()), (ObservationMode::Place, 2));
}

#[test]
fn a_team_is_asked_for_words_in_place_of_arrows_and_places() {
    let mut page = Page::open("");
    page.act(Action::Choose(Some(Position { row: 1, column: 1 }))).play(1);
    page.act(Action::Team);
    assert!(page.model.setup().is_team() && page.model.place.is_none());
    assert_eq!((page.model.iteration(), page.model.setup().played()), (0, None));
    page.asked.clear();
    page.act(Action::Once);
    let kinds = |page: &Page, kind: &str| page.asked.iter().filter(|it| it.contains(kind)).count();
    assert_eq!((kinds(&page, "Words"), kinds(&page, "Arrows"), kinds(&page, "Cell")), (1, 0, 0));
    page.act(Action::Lane(0)).act(Action::Seed(1));
    assert_eq!(kinds(&page, "Words"), 3, "another lane, and another seed");
    page.act(Action::Inspect);
    assert!(page.model.rollouts_to_hand_over().is_some() && kinds(&page, "Verdicts") == 0);
    let text = page.model.plan.written();
    assert_eq!(Plan::read(&text).as_ref(), Ok(&page.model.plan), "{text}");
    page.act(Action::Undo);
    assert_eq!(*page.model.setup(), Plan::default().first, "back in the first world");
}

#[test]
fn a_map_of_settings_stops_where_a_team_comes() {
    let mut page = Page::open("");
    page.act(Action::StudyGo(true));
    assert!(page.model.study.goes_on);
    page.act(Action::Team);
    assert!(!page.model.study.goes_on);
}

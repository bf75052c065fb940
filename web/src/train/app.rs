//! Training as it runs: the model, the workers that it wishes to be asked, and what the page is told.

use super::model::{About, Action, Model};
use super::processes::{self, Asked, Processes};
use super::view::training;
use crate::model;
use crate::platform::background::{BackgroundWorker, keep_training};
use crate::platform::events;
use crate::platform::sight::{self, Watch};
use crate::text::train as text;
use gloo::timers::callback::Timeout;
use hgpo_worker::training::message::{Answer, Request};
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// What the page gives training.
#[derive(Clone, Properties, PartialEq)]
pub(crate) struct TrainProps {
    /// The setup that it begins with, as addresses hold it.
    pub(crate) setup: AttrValue,
    /// The parts that are shown; all if it is left out.
    pub(crate) parts: Option<Rc<Vec<&'static str>>>,
    /// Whether it is a lesson's.
    pub(crate) is_taught: bool,
    /// Whether a lesson stands in its place.
    pub(crate) is_aside: bool,
    /// Where actions of the page go.
    pub(crate) dispatch: Callback<model::Action>,
}

impl TrainProps {
    /// Whether lanes are shown, which draw what estimators say.
    fn draws_verdicts(&self) -> bool {
        self.parts.as_ref().is_none_or(|parts| parts.contains(&"lanes"))
    }
}

/// What happens.
pub(crate) enum Message {
    /// The reader does something.
    Do(Action),
    /// A lane answered, or broke.
    Answered(usize, Option<Answer>),
    /// A worker of the map of settings answered, or broke.
    Studied(usize, Option<Answer>),
    /// It is time for the next round.
    Round,
    /// Whether anybody sees the view.
    Seen(bool),
    /// The page asks for a process.
    Process(Asked),
}

/// A lane's worker, and what it was asked last.
#[derive(Default)]
struct Worker {
    lane: Option<BackgroundWorker>,
    about: Option<About>,
}

/// A worker of the map of settings.
#[derive(Default)]
struct Hand {
    worker: Option<BackgroundWorker>,
    at_work: bool,
    has_answered: bool,
}

/// Milliseconds between two drawings while lanes learn.
const BETWEEN: f64 = 100.0;

/// Workers of the map of settings, beside those of the lanes.
const HANDS: usize = 2;

/// Training on the screen.
pub(crate) struct Train {
    model: Model,
    workers: Vec<Worker>,
    /// What the page asks of an iteration that is looked into.
    processes: Processes,
    /// The workers of the map of settings.
    hands: [Hand; HANDS],
    /// When the round began.
    began: f64,
    /// When it was drawn.
    drawn: f64,
    timeout: Option<Timeout>,
    is_seen: bool,
    watch: Option<Watch>,
    root: NodeRef,
    /// The setup, and whether lanes are at work, as the page was told last.
    told: (String, bool),
    dispatch: Callback<Action>,
}

impl Component for Train {
    type Message = Message;
    type Properties = TrainProps;

    fn create(context: &Context<Self>) -> Self {
        let mut model = Model::open(&context.props().setup);
        model.draws.verdicts = context.props().draws_verdicts();
        keep_training();
        let told = (model.plan.written(), false);
        Self {
            model,
            workers: Vec::new(),
            processes: Processes::default(),
            hands: Default::default(),
            began: events::now(),
            drawn: 0.0,
            timeout: None,
            is_seen: true,
            watch: None,
            root: NodeRef::default(),
            told,
            dispatch: context.link().callback(Message::Do),
        }
    }

    fn update(&mut self, context: &Context<Self>, message: Message) -> bool {
        let is_of_reader = matches!(message, Message::Do(_));
        match message {
            Message::Do(action) => self.model.update(action),
            Message::Answered(lane, answer) => self.answered(lane, answer),
            Message::Studied(hand, answer) => self.studied(hand, answer.as_ref()),
            Message::Round => {
                self.timeout = None;
                let now = events::now();
                let took = now - std::mem::replace(&mut self.began, now);
                self.model.next_round(took);
            }
            Message::Seen(is_seen) => self.is_seen = is_seen,
            Message::Process(asked) => self.processes.waiting.push_back(asked),
        }
        self.go_on(context);
        is_of_reader || self.is_time_to_draw()
    }

    fn changed(&mut self, context: &Context<Self>, before: &TrainProps) -> bool {
        self.model.draws.verdicts = context.props().draws_verdicts();
        let is_aside = context.props().is_aside;
        if is_aside != before.is_aside {
            // Lanes still come to where they pause.
            if is_aside && self.model.is_playing() {
                self.model.update(Action::Play(false));
            }
            if is_aside {
                self.model.update(Action::StudyGo(false));
            }
            self.go_on(context);
        }
        true
    }

    fn rendered(&mut self, context: &Context<Self>, first: bool) {
        if first && let Some(root) = self.root.cast::<Element>() {
            self.watch = Some(sight::watch(&root, context.link().callback(Message::Seen)));
        }
        if self.model.study.is_new {
            self.model.study.is_new = false;
            sight::bring(".training-study .scrolled");
        }
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let TrainProps { parts, is_aside, is_taught, .. } = context.props();
        let parts = parts.as_deref().map(Vec::as_slice);
        html! {
            <div class={(!is_aside).then_some("training")} ref={self.root.clone()}>
                if !is_aside {
                    { training(&self.model, (parts, *is_taught), &self.dispatch) }
                }
            </div>
        }
    }

    fn destroy(&mut self, context: &Context<Self>) {
        processes::withdraw(context.props().is_taught);
        if self.told.1 {
            events::ask_before_leaving(false);
        }
    }
}

impl Train {
    /// Whether what lanes did is to be drawn: between rounds, and else not more often than can be read.
    fn is_time_to_draw(&mut self) -> bool {
        let now = events::now();
        let is_time = now - self.drawn >= BETWEEN || self.model.lanes.iter().all(|it| !it.at_work);
        self.drawn = if is_time { now } else { self.drawn };
        is_time
    }

    fn answered(&mut self, number: usize, answer: Option<Answer>) {
        let Some(worker) = self.workers.get_mut(number) else { return };
        if self.processes.is_asked(number) {
            let found = match &answer {
                Some(Answer::Process(found)) => Ok(found.clone()),
                Some(Answer::TooLarge { combinations }) => Err(text::too_large(*combinations)),
                Some(Answer::Error(_)) if self.model.setup().is_team() => {
                    Err(text::no_truth_of_team().to_owned())
                }
                Some(Answer::Error(why)) => Err(text::no_truth(why)),
                _ => Err(text::no_truth(text::worker_stopped())),
            };
            self.processes.take(found);
            if answer.is_some() {
                self.model.lanes[number].rest();
                return;
            }
        }
        if let (Some(answer), Some(about)) = (answer, worker.about.take()) {
            self.model.answered(number, answer, about);
        } else {
            worker.lane = None;
            self.model.lanes[number].break_off();
        }
    }

    /// Takes the answer of a worker of the map of settings. One that broke before it answered anything could not
    /// be loaded, and the next one could not be either.
    fn studied(&mut self, number: usize, answer: Option<&Answer>) {
        let hand = &mut self.hands[number];
        hand.at_work = false;
        if answer.is_none() {
            hand.worker = None;
            if !std::mem::take(&mut hand.has_answered) {
                return self.model.study.break_off();
            }
        }
        hand.has_answered = answer.is_some();
        self.model.study.take(number, answer);
    }

    /// Asks every lane what the model wishes, tells the page what is new, and has the next round come.
    fn go_on(&mut self, context: &Context<Self>) {
        self.workers.resize_with(self.model.lanes.len(), Worker::default);
        self.look_up();
        if self.is_seen || context.props().is_aside {
            for lane in 0..self.workers.len() {
                if let Some((request, about)) = self.model.wish(lane) {
                    self.ask(context, lane, request, about);
                }
            }
            self.plan_round(context);
            self.study(context);
        }
        self.tell(context);
    }

    fn ask(&mut self, context: &Context<Self>, number: usize, request: Request, about: About) {
        let worker = &mut self.workers[number];
        let answered = context.link().callback(move |answer| Message::Answered(number, answer));
        let lane = worker.lane.take().or_else(|| BackgroundWorker::begin("hgpo-lane", &answered));
        let Some(lane) = lane.filter(|lane| lane.ask(&written(&request))) else {
            return self.model.has_no_workers();
        };
        worker.lane = Some(lane);
        worker.about = Some(about);
        self.model.asked(number, request);
    }

    /// Asks lanes for the processes that the page asks for, whether or not anybody sees the view.
    fn look_up(&mut self) {
        let Some(asked) = self.processes.next() else { return };
        let Some((lane, request)) = self.model.ask_for_process(&asked.task) else {
            let iteration = self.model.inspected.as_ref().map(|it| it.about.iteration);
            return self.processes.refuse(iteration);
        };
        let worker = self.workers.get(lane).and_then(|worker| worker.lane.as_ref());
        if !self.model.lanes[lane].at_work
            && worker.is_some_and(|worker| worker.ask(&written(&request)))
        {
            self.processes.ask(lane);
            self.model.asked(lane, request);
        }
    }

    /// Has the map of settings go on.
    fn study(&mut self, context: &Context<Self>) {
        if !self.model.study.goes_on {
            self.hands = Default::default();
            return;
        }
        for (number, hand) in self.hands.iter_mut().enumerate() {
            let answered = context.link().callback(move |answer| Message::Studied(number, answer));
            let worker =
                hand.worker.take().or_else(|| BackgroundWorker::begin("hgpo-lane", &answered));
            let Some(worker) = worker else { return self.model.has_no_workers() };
            if !hand.at_work
                && let Some(request) = self.model.study.wish(number)
            {
                hand.at_work = worker.ask(&written(&request));
            }
            hand.worker = Some(worker);
        }
    }

    /// Has the next round come once all lanes have done theirs.
    fn plan_round(&mut self, context: &Context<Self>) {
        let is_done = (0..self.workers.len())
            .all(|lane| !self.model.lanes[lane].at_work && self.model.wish(lane).is_none());
        if !is_done || !self.model.is_playing() || self.timeout.is_some() {
            return;
        }
        let left = self.model.speed.interval() - (events::now() - self.began);
        let link = context.link().clone();
        let wait = left.clamp(0.0, 1000.0) as u32;
        self.timeout = Some(Timeout::new(wait, move || link.send_message(Message::Round)));
    }

    fn tell(&mut self, context: &Context<Self>) {
        let props = context.props();
        let now = (self.model.plan.written(), self.model.is_busy() && !props.is_aside);
        if now.0 != self.told.0 {
            props.dispatch.emit(model::Action::Setup(now.0.clone()));
        }
        if now.1 != self.told.1 {
            events::ask_before_leaving(now.1);
        }
        if let Some(rollouts) = self.model.rollouts_to_hand_over() {
            // The page names it in the address, even if nothing was set.
            props.dispatch.emit(model::Action::Setup(now.0.clone()));
            processes::provide(props.is_taught, context.link().callback(Message::Process));
            self.processes.begin(rollouts.clone());
            let name = crate::text::training(Some(self.model.target));
            let text = rollouts.to_string();
            props.dispatch.emit(model::Action::Inspect { name, text });
            self.model.note_inspected();
        }
        self.told = now;
    }
}

/// A request as text.
fn written(request: &Request) -> String {
    // There is nothing in a request that JSON cannot say.
    serde_json::to_string(request).unwrap_or_default()
}

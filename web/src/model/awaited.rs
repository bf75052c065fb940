//! File of rollouts that the page's address names, until it is there.

use super::Asked;
use percent_encoding::percent_decode_str;

/// A file on the page's own host, with what the page's address asks of the work in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Awaited {
    /// The file's address, relative to the page.
    pub(crate) address: String,
    /// What is asked of the work.
    pub(crate) asked: Asked,
}

/// The name of the file under an address: the last part of its path.
pub(crate) fn file_name(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty());
    percent_decode_str(last.unwrap_or(address)).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::file_name;
    use crate::model::{
        Action, Cell, Chrome, Document, Edit, EditKind, Model, Preset, Problem, RECORDED,
        RECORDED_ADDRESS, Rollouts, Shared, Source, Tab, Theme, share, update,
    };

    fn started(query: &str, link: &str, kept: Option<&str>) -> Model {
        Model::new(Theme::Auto).started(&Chrome::parse(query), link, kept)
    }

    /// An example with an edit, as it is kept and as links have it.
    fn work() -> String {
        let edit = Edit(Cell::default(), EditKind::State("elsewhere".to_owned()));
        share::encode(&update(&Model::new(Theme::Auto), Action::Edit(edit)).work())
    }

    fn first_state(model: &Model) -> String {
        model.on_stage().step(Cell::default()).state.clone()
    }

    fn load(model: &Model, name: &str) -> Model {
        const TWO: &str = r#"{"discount":0.5,"estimator":{"name":"grpo"}}
{"task":"one","trajectory":"a","steps":[{"state":"s","reward":1}]}
{"task":"two","trajectory":"b","steps":[{"state":"s","reward":1},{"state":"t","reward":0}]}"#;
        let rollouts = Shared::new(Rollouts::read(TWO).expect("rollouts"));
        update(model, Action::Load { name: name.to_owned(), rollouts })
    }

    /// The address of the file that a page awaits.
    fn awaited(model: &Model) -> Option<&str> {
        model.awaited.as_ref().map(|of| &*of.address)
    }

    #[test]
    fn a_file_is_awaited_with_what_the_address_asks_of_it() {
        for (named, address, name) in [
            ("preset=updates", RECORDED_ADDRESS, RECORDED),
            ("file=../runs/a/t%201.jsonl", "../runs/a/t 1.jsonl", "t 1.jsonl"),
            ("file=class/attempts.csv%3Fv=1/2", "class/attempts.csv?v=1/2", "attempts.csv"),
        ] {
            let query = |rest| ["?", named, rest].concat();
            let awaiting = started(&query("&task=two&select=b/1"), "", Some(&work()));
            assert_eq!((awaited(&awaiting), &awaiting.problem), (Some(address), &None), "{named}");
            assert!(awaiting.ignored.is_empty(), "{:?}", awaiting.ignored);
            assert_eq!(
                first_state(&awaiting),
                first_state(&Model::new(Theme::Auto)),
                "not the last work"
            );
            let there = load(&awaiting, name);
            let Document { task, selected, ref source, .. } = there.document;
            assert_eq!((task, selected, awaited(&there)), (1, Cell { row: 0, step: 1 }, None));
            assert_eq!(*source, Source::File(name.to_owned()));
            assert_eq!(there.document.controls.estimator(), "grpo", "as it was recorded");
            assert!(!there.history.has_past(), "it is what the address names");
            let set = load(&started(&query("&method=gigpo&level=0"), "", None), name);
            assert_eq!((set.document.controls.estimator(), set.level), ("gigpo", Some(0)));
            let other = load(&awaiting, "mine.jsonl");
            assert_eq!((other.document.task, awaited(&other)), (0, None));
            assert!(other.history.has_past(), "the reader has opened it");
            let odd = load(&started(&query("&task=three"), "", None), name);
            assert_eq!(odd.ignored.len(), 1, "there are one and two");
            assert_eq!(load(&started(&query("&view=overview"), "", None), name).tab, Tab::Overview);
        }
        assert_eq!(started("?preset=updates.rollouts", "", None).awaited, None);
    }

    #[test]
    fn lessons_examples_and_links_go_before_a_file() {
        crate::model::lesson::tests::have_lessons();
        assert_eq!(started("?file=a.csv&lesson=context", "", None).awaited, None);
        let preset = started("?file=a.csv&preset=loop", "", None);
        let position = Preset::position("loop").unwrap();
        assert_eq!((preset.document.source, preset.awaited), (Source::Preset(position), None));
        let recorded = started("?file=a.csv&preset=updates", "", None);
        assert_eq!(awaited(&recorded), Some(RECORDED_ADDRESS));
        for named in ["?file=a.csv", "?preset=updates"] {
            let linked = started(named, &work(), None);
            assert_eq!((&*first_state(&linked), &linked.problem), ("elsewhere", &None));
            assert_eq!(linked.awaited, None);
        }
        let of_last = started("?file=", "", Some(&work()));
        assert_eq!((&*first_state(&of_last), of_last.awaited), ("elsewhere", None), "no file");
    }

    #[test]
    fn a_file_that_did_not_come_is_awaited_until_the_reader_does_something_else() {
        let fault = Problem::Missing("class/a.csv".to_owned());
        let failed = update(
            &started("?file=class/a.csv&task=two", "", None),
            Action::Problem(Some(fault.clone())),
        );
        assert_eq!((awaited(&failed), &failed.problem), (Some("class/a.csv"), &Some(fault)));
        let again = update(&failed, Action::Problem(None));
        assert_eq!(load(&again, "a.csv").document.task, 1, "tried again");
        for action in [Action::Select(Cell::default()), Action::Go(Tab::Train), Action::Cancelled] {
            let left = update(&failed, action);
            assert_eq!((&left.awaited, &left.problem), (&None, &None));
            assert_eq!(load(&left, "a.csv").document.task, 0, "nothing is asked of it any more");
        }
    }

    #[test]
    fn a_file_is_called_by_the_last_part_of_its_path() {
        for (address, name) in [
            ("class/attempts.csv", "attempts.csv"),
            (r"..\runs\a.jsonl", "a.jsonl"),
            ("a%20b.jsonl#c/d", "a b.jsonl"),
            ("100%.csv", "100%.csv"),
            ("runs/", "runs/"),
            (RECORDED_ADDRESS, RECORDED),
        ] {
            assert_eq!(file_name(address), name);
        }
    }
}

//! Taking up what is open, task by task, with breaths in between so that the page stays alive.

use super::{draw, with};
use crate::{
    model::{File, disagreements},
    text,
};
use gloo::timers::future::sleep;
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_sys::js_sys::{Date, Function, futures::spawn_local};

/// How long nothing else gets its turn, in milliseconds.
const TURN: f64 = 40.0;

/// Takes up what is shown under a number, and draws it when it is there.
pub(super) fn read(number: u32) {
    spawn_local(async move {
        if let Some(file) = taken(number).await {
            let all = disagreements(&file);
            with(|page| {
                if page.shown == number {
                    page.file = file;
                    page.disagreements = all;
                    draw::explained(page);
                    draw::whole(page);
                }
            });
        }
    });
}

/// The file, read; none if something else is shown by now.
async fn taken(number: u32) -> Option<File> {
    let (task, count, methods) = with(|page| {
        let screen = page.screen.as_ref()?;
        let told = &screen.told;
        Some((screen.answer.clone(), told.tasks, told.methods.clone()))
    })?;
    let mut file = File::new(methods);
    let mut turn = Date::now();
    for place in 0..count {
        let added = file.add(&lines(&task, place)).map_err(|error| error.to_string());
        if let Err(why) = added {
            with(|page| draw::status(page, &why));
            return None;
        }
        if Date::now() - turn > TURN {
            with(|page| draw::status(page, &text::reading(place + 1, count)));
            sleep(Duration::ZERO).await;
            turn = Date::now();
        }
        if with(|page| page.shown) != number {
            return None;
        }
    }
    Some(file)
}

fn lines(task: &Function, place: usize) -> String {
    let given = task.call1(&JsValue::NULL, &JsValue::from_f64(place as f64));
    given.ok().and_then(|lines| lines.as_string()).unwrap_or_default()
}

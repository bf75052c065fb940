//! The files of the lessons, each fetched when it is first opened.

use super::address;
use super::fetch::{on_this_host, text};
use crate::model::lesson::{is_had, own, provide};
use crate::model::{Action, Chrome, Listed, Place, Tab};
use yew::Callback;
use yew::platform::spawn_local;

/// Fetches the lesson that the address names, if it names one, and goes on.
pub(crate) fn fetch_named(chrome: &Chrome, then: fn()) {
    let named = chrome.lesson.clone();
    spawn_local(async move {
        have(named.as_deref()).await;
        then();
    });
}

/// Fetches the lesson of a name or an address, unless it is there.
async fn have(lesson: Option<&str>) {
    let Some(name) = lesson else { return };
    if let Some(lesson) = Listed::position(name) {
        if !is_had(lesson)
            && let Some(text) = text(&["lessons/", name, ".json"].concat()).await
        {
            provide(lesson, &text);
        }
    } else if name.contains(".json") {
        let added = match named(name).await {
            Ok(text) => own::add(name, &text, true).map(drop).map_err(own::Fault::Wrong),
            Err(fault) => Err(fault),
        };
        if let Err(fault) = added {
            own::miss(name, fault);
        }
    }
}

/// Goes to a step of a lesson once its file is there, or says that it cannot be had.
pub(crate) fn open(name: String, step: Option<usize>, dispatch: Callback<Action>) {
    spawn_local(async move {
        have(Some(&name)).await;
        dispatch.emit(match Place::find(&name, step) {
            Some(place) => Action::Go(Tab::Learn(Some(place))),
            None => Action::Missing(name, step),
        });
    });
}

/// Goes to the part of the page that an address names, unless the reader has turned to another meanwhile.
pub(crate) fn turn(chrome: Chrome, dispatch: Callback<Action>) {
    spawn_local(async move {
        have(chrome.lesson.as_deref()).await;
        if chrome != Chrome::parse(&address::query()) {
            return;
        }
        let (tab, step) = (chrome.tab(), chrome.step);
        dispatch.emit(match chrome.lesson.filter(|_| tab.place().is_none()) {
            Some(name) => Action::Missing(name, step),
            None => Action::Go(tab),
        });
    });
}

/// The file of a lesson that an address names.
async fn named(address: &str) -> Result<String, own::Fault> {
    let url = on_this_host(address).filter(|url| own::is_json(&url.pathname()));
    let url = url.ok_or(own::Fault::Elsewhere)?;
    text(&url.href()).await.ok_or(own::Fault::Missing)
}

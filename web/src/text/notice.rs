//! Words of notices: what is under way, and what is not kept.

use super::words::{isolated, words};
use crate::model::Unkept;

words! {
    cancel: "Cancel" / "취소";
    share_read: "How much of the file is read" / "파일을 읽은 정도";
    save: "Save the rollouts as a file" / "롤아웃을 파일로 저장";
    too_large: "This work is too large for the browser to keep: it is gone when you leave the page, unless you save it." / "작업이 너무 커서 브라우저에 보관할 수 없습니다. 저장하지 않으면 페이지를 떠날 때 사라집니다.";
    full: "The browser has no room left to keep this work, or keeps nothing for this page: it is gone when you leave the page, unless you save it." / "브라우저에 이 작업을 보관할 공간이 없거나 이 페이지의 보관이 꺼져 있습니다. 저장하지 않으면 페이지를 떠날 때 사라집니다.";
    apart: "Another tab has changed this work too: both are kept, each as a work of its own under Example." / "다른 탭에서도 이 작업을 바꿨습니다. 두 작업을 따로 보관하며, 예제 목록에서 고를 수 있습니다.";
    /// That a file is being read.
    reading(name: &str): "Reading {name}…" / "{name} 읽는 중…";
    /// The button that saves a work that is not kept any more.
    save_named(name: &str): "Save {name} as a file" / "{name} 파일로 저장";
    /// That older works gave way.
    dropped(names: &str): "To make room, the oldest work is not kept any more: {names}." / "공간을 마련하느라 가장 오래된 작업을 더는 보관하지 않습니다: {names}.";
}

/// Why work is not kept as it was.
pub(crate) fn unkept(unkept: &Unkept) -> String {
    match unkept {
        Unkept::TooLarge => too_large().to_owned(),
        Unkept::Full => full().to_owned(),
        Unkept::Apart => apart().to_owned(),
        Unkept::Dropped(all) => {
            let names: Vec<String> = all.iter().map(|(name, _)| isolated(name)).collect();
            dropped(&names.join(", "))
        }
    }
}

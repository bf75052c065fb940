//! Markup of every report: what always holds.

use std::collections::BTreeSet;

/// Elements that have no end.
const VOID: [&str; 1] = ["meta"];

/// Asserts that elements are closed in order, headings do not skip a level, addresses are unique and lead
/// somewhere, figures are told in words, and nothing is fetched or run.
pub(crate) fn check(report: &str) {
    let mut open: Vec<&str> = Vec::new();
    let (mut ids, mut targets, mut level) = (BTreeSet::new(), Vec::new(), 0);
    for part in report.split('<').skip(2) {
        let tag = part.split_once('>').expect("a tag ends").0;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "before {part}");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap();
        assert!(
            !["script", "link", "iframe", "img", "object", "embed", "form"].contains(&name),
            "{tag}"
        );
        if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
        if let Some(found) = name.strip_prefix('h').and_then(|it| it.parse::<u32>().ok()) {
            assert!(found <= level + 1, "h{found} after h{level}");
            level = found;
        }
        if let Some(id) = attribute(tag, "id") {
            assert!(ids.insert(id), "{id} twice");
        }
        let named = ["href", "aria-labelledby"].map(|name| attribute(tag, name));
        targets.extend(named[0].and_then(|it| it.strip_prefix('#')));
        targets.extend(named[1].into_iter().flat_map(|it| it.split(' ')));
        if name == "svg" {
            assert!(tag.contains("aria-label=\"") || tag.contains("aria-hidden"), "{tag}");
        }
        assert!(!tag.contains(" on") || !tag.contains("=\"javascript"), "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
    for target in targets {
        assert!(ids.contains(target), "{target} is nowhere");
    }
    check_whole(report);
}

/// What no single element shows.
fn check_whole(report: &str) {
    for fetched in ["url(", "@import", "src=\"", "http-equiv=\"refresh"] {
        assert!(!report.contains(fetched), "{fetched}");
    }
    assert_eq!(report.matches("<figure>").count(), report.matches("<figcaption>").count());
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    Some(value.split_once('"')?.0)
}

//! What the share menu gives away: a link, and snippets around it.

use super::LONGEST;
use crate::model::{Chrome, decoded};

/// The page that is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The address of the page.
    pub(crate) base: String,
    /// What of the page is shown, and how.
    pub(crate) chrome: Chrome,
    /// The work as text; empty where `chrome` names it.
    pub(crate) work: String,
    /// What the page is about.
    pub(crate) title: String,
}

impl Offer {
    /// The link.
    pub(crate) fn link(&self) -> String {
        let mark = if self.work.is_empty() { "" } else { "#" };
        [self.base.as_str(), &self.chrome.query(), mark, &self.work].concat()
    }

    /// Whether the link is longer than it can be trusted to travel.
    pub(crate) fn is_too_long(&self) -> bool {
        self.link().len() > LONGEST
    }

    /// The link in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut title = self.title.clone();
        for letter in ["\\", "[", "]", "`", "*", "_", "<"] {
            title = title.replace(letter, &["\\", letter].concat());
        }
        format!("[{title}]({})", self.link())
    }

    /// A frame for another page.
    pub(crate) fn frame(&self) -> String {
        let chrome = Chrome { embed: true, ..self.chrome.clone() };
        let link = escaped(&Self { chrome, ..self.clone() }.link());
        let title = escaped(&self.title);
        let looks = r#"width="100%" height="900" style="border:0" loading="lazy""#;
        format!(r#"<iframe src="{link}" title="{title}" {looks}></iframe>"#)
    }

    /// The element of `hgpo-lab.js`, which fits its height to what it shows.
    pub(crate) fn element(&self) -> String {
        let folder = escaped(self.base.rfind('/').map_or("", |slash| &self.base[..=slash]));
        let script = format!(r#"<script src="{folder}hgpo-lab.js" async></script>"#);
        let query = self.chrome.query();
        let pairs = query.trim_start_matches('?').split('&').filter_map(|it| it.split_once('='));
        let pairs = pairs.map(|(key, value)| (key, decoded(value)));
        let others = [("state", self.work.clone()), ("title", self.title.clone())];
        let given = pairs.chain(others).filter(|(key, value)| !value.is_empty() && *key != "embed");
        let given = given.map(|(key, value)| format!(r#" {key}="{}""#, escaped(&value)));
        format!("{script}\n<hgpo-lab{}></hgpo-lab>", given.collect::<String>())
    }
}

/// A text inside markup, also inside its quotation marks, where `>` and `'` mean nothing: snippets are for reading.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::Offer;
    use crate::model::Chrome;

    fn offer() -> Offer {
        Offer {
            base: "https://host/lab/index.html".to_owned(),
            chrome: Chrome::parse("?hide=panel,note&lang=ko"),
            work: "1.abc".to_owned(),
            title: "A [\"new\"] <way> & more".to_owned(),
        }
    }

    #[test]
    fn links_and_snippets_are_spelt_for_their_place() {
        let link = "https://host/lab/index.html?hide=panel,note&lang=ko#1.abc";
        assert_eq!(offer().link(), link);
        assert_eq!(offer().markdown(), format!("[A \\[\"new\"\\] \\<way> & more]({link})"));
        assert_eq!(
            offer().frame(),
            "<iframe src=\"https://host/lab/index.html?embed=1&amp;hide=panel,note&amp;lang=ko#1.abc\" title=\"A [&quot;new&quot;] &lt;way> &amp; more\" width=\"100%\" height=\"900\" style=\"border:0\" loading=\"lazy\"></iframe>"
        );
        assert_eq!(
            offer().element(),
            "<script src=\"https://host/lab/hgpo-lab.js\" async></script>\n<hgpo-lab hide=\"panel,note\" lang=\"ko\" state=\"1.abc\" title=\"A [&quot;new&quot;] &lt;way> &amp; more\"></hgpo-lab>"
        );
    }

    #[test]
    fn work_that_the_address_names_has_no_hash() {
        let named = Offer {
            chrome: Chrome::parse("?lesson=context&step=3"),
            work: String::new(),
            ..offer()
        };
        assert_eq!(named.link(), "https://host/lab/index.html?lesson=context&step=3");
        assert!(!named.is_too_long());
        assert!(Offer { work: "a".repeat(8000), ..offer() }.is_too_long());
    }
}

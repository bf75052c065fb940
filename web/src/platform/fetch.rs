//! Files of the page's own host, fetched by their addresses.

use super::background::asked;
use gloo::utils::window;
use web_sys::Url;
use web_sys::js_sys::Uint8Array;

/// An address in full; none where it leads to another host.
pub(crate) fn on_this_host(address: &str) -> Option<Url> {
    let location = window().location();
    let url = Url::new_with_base(address, &location.href().ok()?).ok()?;
    let host = location.origin().ok()? + "/";
    url.href().starts_with(&host).then_some(url)
}

/// The text of a file of this host; none where it is not there.
pub(crate) async fn text(address: &str) -> Option<String> {
    asked("hgpoText", &[&address.into()]).await?.as_string()
}

/// The bytes of a file of rollouts, which nobody keeps; none where it is not there.
pub(crate) async fn bytes(url: &Url) -> Option<Vec<u8>> {
    let buffer = asked("hgpoBytes", &[&url.href().into()]).await?;
    Some(Uint8Array::new(&buffer).to_vec())
}

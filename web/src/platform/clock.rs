//! Time.

use gloo::utils::window;

/// Milliseconds since the page was opened; 0 if the browser has no clock.
pub(crate) fn now() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

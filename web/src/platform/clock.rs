//! The day of today.

use wasm_bindgen::JsValue;
use web_sys::js_sys::Date;

/// The day where the reader is, as `2026-11-29`: so dates are written in Sweden.
pub(crate) fn day() -> String {
    String::from(Date::new_0().to_locale_date_string("sv", &JsValue::UNDEFINED))
}

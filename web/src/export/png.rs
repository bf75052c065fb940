//! An SVG file as a PNG file.

use gloo::file::{Blob, ObjectUrl};
use gloo::utils::document;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

/// Pixels of the picture for each of the drawing, to be sharp on any screen.
const SCALE: f64 = 2.0;

/// The most pixels that every browser's canvas holds.
const MOST: f64 = 16_000_000.0;

/// Draws an SVG file as PNG; none if the browser cannot.
pub(super) fn png(svg: &str, done: impl Fn(Option<Blob>) + 'static) {
    let Ok(image) = HtmlImageElement::new() else { return done(None) };
    let done = Rc::new(done);
    let address = ObjectUrl::from(Blob::new_with_options(svg, Some("image/svg+xml")));
    image.set_src(&address);
    let failed = {
        let done = done.clone();
        Closure::once_into_js(move || done(None))
    };
    let loaded = {
        let image = image.clone();
        Closure::once_into_js(move || {
            if paint(&image, done.clone()).is_none() {
                done(None);
            }
            drop(address);
        })
    };
    image.set_onload(Some(loaded.unchecked_ref()));
    image.set_onerror(Some(failed.unchecked_ref()));
}

/// Paints an image that has loaded, as large as it may be.
fn paint(image: &HtmlImageElement, done: Rc<dyn Fn(Option<Blob>)>) -> Option<()> {
    let (width, height) = (f64::from(image.width()), f64::from(image.height()));
    let scale = SCALE.min((MOST / (width * height)).sqrt());
    let canvas = document().create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
    canvas.set_width((width * scale) as u32);
    canvas.set_height((height * scale) as u32);
    let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
    context.scale(scale, scale).ok()?;
    context.draw_image_with_html_image_element(image, 0.0, 0.0).ok()?;
    let made = Closure::once_into_js(move |blob: Option<web_sys::Blob>| done(blob.map(Blob::from)));
    canvas.to_blob(made.unchecked_ref()).ok()
}

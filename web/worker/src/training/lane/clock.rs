//! How long a request has been worked on.

/// Milliseconds since some moment of this worker.
#[cfg(target_arch = "wasm32")]
pub(crate) fn milliseconds() -> f64 {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }
    now()
}

/// Milliseconds since the first call.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn milliseconds() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1000.0
}

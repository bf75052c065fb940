//! The page.
use yew::prelude::*;

#[function_component]
fn App() -> Html {
    html! { <p>{ "hello" }</p> }
}

fn main() {
    yew::Renderer::<App>::new().render();
}

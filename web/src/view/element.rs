//! Elements built by plain functions: what a macro writes out for each of them adds up in the module.

use std::rc::Rc;
use yew::{
    html::{onchange, onclick},
    prelude::*,
    virtual_dom::{VTag, VText},
};

/// Attributes that are known beforehand, by their names.
pub(crate) type Fixed<'a> = &'a [(&'static str, &'static str)];

/// Attributes that are made up now, by their names; those without a value are left out.
pub(crate) type Made = Vec<(&'static str, Option<String>)>;

/// A text that is known beforehand.
pub(crate) fn word(text: &'static str) -> Html {
    VText::new(text).into()
}

/// A text that is made up now.
pub(crate) fn written(text: String) -> Html {
    VText::new(text).into()
}

/// An element without attributes around some parts.
pub(crate) fn plain(tag: &'static str, parts: Vec<Html>) -> Html {
    fixed(tag, &[], parts)
}

/// An element of a class around some parts.
pub(crate) fn element(tag: &'static str, class: &'static str, parts: Vec<Html>) -> Html {
    fixed(tag, &[("class", class)], parts)
}

/// An element with attributes that are known beforehand around some parts.
pub(crate) fn fixed(tag: &'static str, attributes: Fixed<'_>, parts: Vec<Html>) -> Html {
    tagged(tag, attributes, Vec::new(), parts)
}

/// An element with attributes of both kinds around some parts.
pub(crate) fn tagged(tag: &'static str, known: Fixed<'_>, made: Made, parts: Vec<Html>) -> Html {
    drawn(VTag::new(tag), known, made, parts)
}

/// A button that answers to a press.
pub(crate) fn button(
    known: Fixed<'_>,
    made: Made,
    onclick: Callback<MouseEvent>,
    parts: Vec<Html>,
) -> Html {
    let mut button = VTag::new("button");
    button.add_attribute("type", "button");
    button.add_listener(Rc::new(onclick::Wrapper::new(onclick)));
    drawn(button, known, made, parts)
}

/// A box to tick or a choice of several, whose `type` is among the attributes.
pub(crate) fn tick(known: Fixed<'_>, made: Made, checked: bool, onchange: Callback<Event>) -> Html {
    let mut input = VTag::new("input");
    input.set_checked(checked);
    input.add_listener(Rc::new(onchange::Wrapper::new(onchange)));
    drawn(input, known, made, Vec::new())
}

/// A list to choose from.
pub(crate) fn select(
    known: Fixed<'_>,
    made: Made,
    onchange: Callback<Event>,
    options: Vec<Html>,
) -> Html {
    let mut list = VTag::new("select");
    list.add_listener(Rc::new(onchange::Wrapper::new(onchange)));
    drawn(list, known, made, options)
}

fn drawn(mut element: VTag, known: Fixed<'_>, made: Made, parts: Vec<Html>) -> Html {
    for (name, value) in known {
        element.add_attribute(name, *value);
    }
    for (name, value) in made {
        if let Some(value) = value {
            element.add_attribute(name, value);
        }
    }
    element.add_children(parts);
    element.into()
}

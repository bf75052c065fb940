//! Chat templates: a conversation as the text that a model was trained on.
//!
//! A template is a Jinja program in a model's folder: in `chat_template.jinja`, or in the field
//! `chat_template` of `tokenizer_config.json`. It is rendered as `apply_chat_template` of
//! transformers renders it (Jinja2 with trimmed blocks, loop controls, `{% generation %}`,
//! `raise_exception`, `strftime_now`, and a `tojson` with Python's separators).
//!
//! # What is not as in transformers
//! - The clock of `strftime_now` is the caller's, and speaks English.
//! - A template may have 128 KiB and 8 KiB in a tag, take a million steps, write 64 MiB, and read and
//!   make 128 MiB of values and 32 times what it is given; Jinja2 has no limits. A field of `format` has
//!   at most 9,999 characters, and its width in the layout.
//! - No other templates can be included or imported; there are none in a model's folder.
//! - Not there: `%` between texts, `varargs` and `kwargs` of macros, arguments whose default is
//!   another one, the filters `batch`, `center`, `forceescape`, `random`, `slice`, `urlencode`,
//!   `urlize`, `wordcount`, `wordwrap` and `xmlattr`, the functions `cycler`, `joiner` and `lipsum`. A
//!   loop over none ends at once, while Jinja2 fails.

mod budgeted_filters;
mod budgeted_instructions;
mod conversation;
mod error;
mod filters;
mod generation_tag;
mod jinja_environment;
mod message;
mod python_methods;
mod python_repr;
mod render_budget;
mod template;
mod templates;

pub use self::conversation::Conversation;
pub use self::error::ChatError;
pub use self::message::Message;
pub use self::template::ChatTemplate;
pub use self::templates::ChatTemplates;

//! Templates that refuse, are broken, or do not come to an end.

use super::*;

#[test]
fn a_template_that_refuses_says_what_and_where() {
    let source = "a\n{%- for m in messages %}\n  {%- if m.role == 'user' %}\n    \
                  {{- raise_exception('Only ' ~ loop.index0 ~ ' turns!') }}{% endif %}{% endfor %}";
    let refused = ChatError::Refused { line: 4, message: "Only 1 turns!".to_owned() };
    assert_eq!(render(source, &talk()), Err(refused));
    let in_macro = "{% macro f() %}\n{{ raise_exception('no') }}{% endmacro %}\n{{ f() }}";
    let refused = ChatError::Refused { line: 2, message: "no".to_owned() };
    assert_eq!(render(in_macro, &[]), Err(refused));
}

#[test]
fn a_broken_template_is_an_error_that_names_the_line() {
    let line = |error: ChatError| match error {
        ChatError::Syntax { line, .. } | ChatError::Render { line, .. } => line,
        error => panic!("{error}"),
    };
    for (source, expected) in [
        ("a\n{% if %}", 2),
        ("a\n\n{{ 'x }}", 3),
        ("{% for m in messages %}\n", 1),
        ("\n{{ nothing.at.all }}", 2),
        ("\n\n{{ messages[0].content + 1 }}", 3),
        ("{{ messages | tojson(wrong=1) }}", 1),
        ("{% include 'other' %}", 1),
        ("{{ strftime_now('%Q') }}", 1),
        ("{{ raise_exception | tojson }}", 1),
    ] {
        let error = render(source, &talk()).unwrap_err();
        assert_eq!(line(error.clone()), expected, "{source}: {error}");
    }
    let config = b"{\n\"chat_template\": 3}";
    let error = ChatTemplates::from_files(Some(config), None).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("tokenizer_config.json:2:19: chat_template must be a string"),
        "{error}"
    );
}

#[test]
fn a_fault_of_the_engine_is_an_error() {
    // minijinja 3.0.5 takes the last character of a text that has none.
    assert!(matches!(render("{{ ''[::-1] }}", &[]), Err(ChatError::Engine(_))));
}

#[test]
fn a_template_comes_to_an_end() {
    let range = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}";
    let limit = "a million steps";
    assert_eq!(render(range, &[]), Err(ChatError::Endless { line: 1, limit }));
    let calls = "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}\n{{ f() }}";
    assert!(matches!(
        render(calls, &[]),
        Err(ChatError::Render { .. } | ChatError::Endless { .. })
    ));
    let deep = "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}";
    assert!(matches!(render(deep, &[]), Err(ChatError::Render { line: 1, .. })));
    let deep = "{% set ns = namespace(x=1) %}{% for i in range(50000) %}{% set ns.x = [ns.x] %}\
                {% endfor %}{{ ns.x | tojson }}";
    assert!(matches!(render(deep, &[]), Err(ChatError::Render { line: 1, .. })));
    let wide = "{% set ns = namespace(x=1) %}{% for i in range(90) %}{% set ns.x = [ns.x, ns.x] %}\
                {% endfor %}{{ ns.x }}";
    assert_eq!(render(wide, &[]), Err(ChatError::Endless { line: 1, limit: "64 MiB" }));
    let chain = |start: &str, link: &str, count, end| format!("{start}{}{end}", link.repeat(count));
    for (start, link, end) in [
        ("{{ 1", " and 1", "}}"),
        ("{{ 1", "~1", "}}"),
        ("{{ 1", "|e", "}}"),
        ("{{ 1", "==1", "}}"),
        ("{{ ", "-", "1 }}"),
        ("{{ 1", " if 1 else 1", "}}"),
        ("{{ messages", "[0:]", "}}"),
    ] {
        assert!(render(&chain(start, link, 8000 / link.len(), end), &[]).is_ok(), "{link}");
        let long = ChatTemplate::parse(&chain(start, link, 9000 / link.len(), end)).unwrap_err();
        assert!(long.to_string().contains("a tag has"), "{long}");
    }
    assert!(render(&chain("{%if 1%}", "{%elif 1%}", 12_000, "{%endif%}"), &[]).is_ok());
    let long = ChatTemplate::parse(&" ".repeat(200_000)).unwrap_err().to_string();
    assert!(long.contains("the template has 200000 bytes"), "{long}");
    let long = "{% set x = 'long text ' * 1000000 %}{% for i in range(9) %}{{ x }}{% endfor %}";
    assert_eq!(render(long, &[]), Err(ChatError::Endless { line: 1, limit: "64 MiB" }));
}

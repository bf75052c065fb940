//! Templates that are made to take all memory or to run for ever.

use std::time::{Duration, Instant};

use super::*;

/// A rendering takes a quarter of a second at most, one that is not stopped hours; machines that test have other things to do.
const SOON: Duration = Duration::from_secs(30);

#[track_caller]
fn stopped(source: &str) -> ChatError {
    let start = Instant::now();
    let rendered = render(source, &talk());
    let Err(error) = rendered else { panic!("{source}: {:?}", rendered.map(|text| text.len())) };
    assert!(start.elapsed() < SOON, "{source}: {:?}", start.elapsed());
    assert!(!matches!(error, ChatError::Engine(_)), "{source}: {error}");
    error
}

#[test]
fn templates_that_double_are_stopped() {
    let doubling = |start: &str, step: &str| {
        format!(
            "{{% set ns = namespace(x={start}) %}}{{% for i in range(99) %}}\
             {{% set ns.x = {step} %}}{{% endfor %}}{{{{ ns.x|length }}}}"
        )
    };
    for (start, step) in [
        ("'ab'", "ns.x ~ ns.x"),
        ("'ab'", "ns.x + ns.x"),
        ("'ab'", "ns.x * 2"),
        ("'ab'", "2 * ns.x"),
        ("'ab'", "ns.x * 1000"),
        ("[1]", "ns.x + ns.x"),
        ("[1]", "ns.x * 2"),
        ("[1]", "(ns.x * 2)|list"),
        ("[1]", "(ns.x + ns.x)|list"),
        ("(1, 2)", "ns.x + ns.x"),
        ("(1, 2)", "ns.x * 1000"),
        ("'ab'", "[ns.x, ns.x]|join"),
        ("'ab'", "[ns.x, ns.x]|join(ns.x)"),
        ("'ab'", "ns.x.join([ns.x, ns.x])"),
        ("'ab'", "ns.x|replace('a', ns.x)"),
        ("'ab'", "ns.x.replace('a', ns.x)"),
        ("'ab'", "ns.x.replace('', ns.x)"),
        ("'ab'", "'{}{}'.format(ns.x, ns.x)"),
        ("'ab'", "'{0}{0}{0}'.format(ns.x)"),
        ("'ab'", "'%s%s'|format(ns.x, ns.x)"),
        ("'ab'", "[ns.x, ns.x]|string"),
        ("'ab'", "[ns.x, ns.x]|tojson"),
        ("'a\\nb'", "ns.x|indent(ns.x, true)"),
        ("'<'", "ns.x|tojson|tojson"),
        ("'ab'", "[[ns.x, ns.x]]|map('join')|first"),
        ("'ab'", "[ns.x, ns.x]|sum(start='')"),
        ("[1]", "[ns.x, ns.x]|sum(start=[])|list"),
        ("'ab'", "(([ns.x] * 100) + []) ~ ''"),
        ("'ab'", "(([ns.x] * 100) + [])|join"),
        ("'ab'", "(([ns.x] + [ns.x]) * 2)|string"),
    ] {
        let error = stopped(&doubling(start, step));
        let known = matches!(error, ChatError::Endless { .. } | ChatError::Render { .. });
        assert!(known, "{step}: {error}");
    }
}

#[test]
fn templates_that_grow_in_other_ways_are_stopped() {
    let blocks = "{% set ns = namespace(x='ab') %}{% for i in range(99) %}\
                  {% set y %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = y %}{% endfor %}";
    let macros = "{% macro f(x, n) %}{% if n %}{{ f(x ~ x, n - 1) }}{% endif %}{% endmacro %}{{ f('ab', 90) }}";
    let filled = format!(
        "{{% set x %}}{{% for i in range(90000) %}}{}{{% endfor %}}{{% endset %}}",
        "y".repeat(100_000)
    );
    let loops = "{% for x in ['ab'] recursive %}{{ loop([x ~ x]) }}{% endfor %}";
    let nested = "{% set ns = namespace(x=1) %}{% for i in range(90) %}{% set ns.x = [ns.x, ns.x] %}\
                  {% endfor %}{{ '' ~ ns.x }}";
    let keys = nested.replace("'' ~ ns.x", "{ns.x: 1}|length");
    let subscripts = nested.replace("'' ~ ns.x", "{1: 1}[ns.x]");
    let itself = "{% set ns = namespace() %}{% set ns.x = ns %}{{ '' ~ ns }}";
    for source in [
        blocks,
        macros,
        &filled,
        loops,
        nested,
        &keys,
        &subscripts,
        itself,
        "{{ '{:>10000000000}'.format('x') }}",
        "{{ '{:.60000f}'.format(1.5) }}",
        "{{ '{:>{}}'.format('x', 10000000000) }}",
        "{{ '%10000000000d'|format(1) }}",
        "{{ '%*d'|format(1000000000, 1) }}",
        "{{ ('{0:>9999}' * 99999).format('x') }}",
        "{{ 'x' * 99999999999 }}",
        "{{ [1] * 99999999999 }}",
        "{{ ([1] * 99999999)|list }}",
        "{{ ('x\\n' * 999999)|indent(1000)|length }}",
        "{{ ('x' * 9999999)|list|length }}",
        "{{ ('x,' * 9999999).split(',')|length }}",
        "{{ ('x\\n' * 9999999).splitlines()|length }}",
        "{{ range(99999)|map('list')|list }}",
    ] {
        stopped(source);
    }
}

#[test]
fn templates_with_one_long_step_are_stopped() {
    let often = |set: &str, what: &str| {
        format!("{set}{{% for i in range(99999) %}}{{% set y = {what} %}}{{% endfor %}}")
    };
    let long = "{% set x = 'x' * 9000000 %}{% set z = 'x' * 9000000 %}";
    let list = "{% set x = range(99999)|list %}{% set z = range(99999)|list %}";
    for (set, what) in [
        (long, "x == z"),
        (long, "x < z"),
        (long, "'y' in x"),
        (long, "x[-1]"),
        (long, "x[5:8]"),
        (long, "x|upper|length"),
        (long, "x.find('y')"),
        (long, "x|length"),
        (long, "strftime_now('%c' * 99999)"),
        (long, "x.count('y')"),
        (long, "x is upper"),
        (long, "x is startingwith(z)"),
        (long, "x|trim|length"),
        (long, "x.split('y')|length"),
        (list, "x == z"),
        (list, "-1 in x"),
        (list, "x|sum"),
        (list, "x|sort|length"),
        (list, "x|list|length"),
        (list, "range(99999)|sum"),
        (list, "range(99999)|list|length"),
        (list, "-1 in range(99999)"),
        (list, "x|map('string')|list|length"),
        (list, "dict(zip(x, x)|list)|length"),
        (list, "namespace(*x)"),
    ] {
        stopped(&often(set, what));
    }
    stopped(&format!(
        "{long}{{% for i in range(99999) %}}{{% for j in x %}}{{% break %}}{{% endfor %}}{{% endfor %}}"
    ));
}

#[test]
fn constants_that_are_made_when_a_template_is_read_are_bounded() {
    for source in [
        format!("{{{{ {} }}}}", "('x' * 99999999) ~ ".repeat(300) + "''"),
        format!("{{{{ {} }}}}", "[1] * 9999999 + ".repeat(300) + "[]"),
        "{{ 'x' * 99999999 }}".repeat(1000),
        "{{ 'x' * 10 ** 8 }}".to_owned(),
    ] {
        let start = Instant::now();
        let error = ChatTemplate::parse(&source).unwrap_err().to_string();
        assert!(start.elapsed() < SOON && error.contains("products of constants"), "{error}");
    }
}

#[test]
fn ordinary_templates_are_not_stopped() {
    let text = "word ".repeat(20_000);
    let messages: Vec<Message> = (0..200).map(|_| Message::new("user", &text)).collect();
    // 20 million characters in 200 messages, each of which is looked at in several ways.
    let source = "{% for m in messages %}{% if m.role == 'user' and 'x' not in m.content %}\
                  {{- '<|' + m['role'] + '|>' ~ m.content | trim + '\\n' }}{% endif %}\
                  {% if messages|length == loop.length and not loop.last %}{{ '%5d'|format(loop.index) }}\
                  {{ '{:>5}'.format(loop.index) }}{% endif %}{% endfor %}";
    let start = Instant::now();
    let written = render(source, &messages).unwrap();
    assert!(written.len() > 20_000_000 * 99 / 100, "{}", written.len());
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    // What operators and jumps do is what the engine does.
    for (source, expected) in [
        ("{{ 1 + 2 * 3 - 2 ** 3 // 2 }}", "3"),
        ("{{ 'a' * 3 ~ 'b' + 'c' }}", "aaabc"),
        ("{{ [1] * 2 + [3] }}", "[1, 1, 3]"),
        ("{{ 3 - 1 }}{{ 1 - 3 }}{{ 7 % 4 }}{{ 2.0 * 3 }}", "2-236.0"),
        ("{{ 'abcdef'[1:5:2] }}{{ 'abc'[-1] }}{{ [1, 2, 3][::2] }}", "bdc[1, 3]"),
        (
            "{{ 1 < 2 < 3 }}{{ 1 < 3 < 2 }}{{ 2 in [1, 2] }}{{ 3 not in [1, 2] }}",
            "TrueFalseTrueTrue",
        ),
        (
            "{% macro f(a, b=2) %}{% if a > b %}{{ a }}{% else %}{{ b }}{% endif %}{% endmacro %}{{ f(1) }}{{ f(3) }}",
            "23",
        ),
        (
            "{% for i in range(9) %}{% if i == 2 %}{% continue %}{% elif i > 4 %}{% break %}{% endif %}{{ i }}{% else %}no{% endfor %}",
            "0134",
        ),
        ("{% for i in [] %}{{ i }}{% else %}none{% endfor %}", "none"),
        (
            "{% for x in [1, [2]] recursive %}{% if x is number %}{{ x }}{% else %}({{ loop(x) }}){% endif %}{% endfor %}",
            "1(2)",
        ),
        ("{{ undefined_name is defined }}{{ x.y if x is defined else 'no' }}", "Falseno"),
        (
            "{% set a, b = (1, 2) %}{{ b }}{{ a }}{% set c %}{{ a }}!{% endset %}{{ c|upper }}",
            "211!",
        ),
    ] {
        assert_eq!(render(source, &[]).as_deref(), Ok(expected), "{source}");
    }
}

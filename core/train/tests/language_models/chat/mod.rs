//! Chat templates against what Jinja2 3.1 writes, set up as transformers does.
//!
//! The texts that are expected were written by Jinja2 itself, with the settings, filters and functions
//! of transformers' `chat_template_utils`; the templates are our own.
#![allow(clippy::unwrap_used, reason = "a test stops where its ground is missing")]

mod attacks;
mod refused;

use hgpo_train::models::chat::{ChatError, ChatTemplate, ChatTemplates, Conversation, Message};
use jiff::civil::{DateTime, date};
use serde_json::{Map, Value, json};

/// Turns as Qwen2.5 has them, with tools and their answers.
const TURNS: &str = include_str!("../templates/turns.jinja");

fn now() -> DateTime {
    date(2024, 7, 6).at(15, 4, 9, 0)
}

fn messages(list: &Value) -> Vec<Message> {
    serde_json::from_value(list.clone()).unwrap()
}

fn talk() -> Vec<Message> {
    messages(&json!([
        {"role": "system", "content": " Be brief. "},
        {"role": "user", "content": "What is 2 < 3 & \"so\"?"},
        {"role": "assistant", "content": "True\n"},
        {"role": "user", "content": "né 日本 🙂"},
    ]))
}

fn tools() -> Vec<Value> {
    vec![json!({"type": "function", "function": {
        "name": "look_up",
        "description": "It's <b>a</b> \"tool\" né",
        "parameters": {
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": {"type": "string"}},
                "limit": {"type": "number", "default": 1.0, "maximum": 1e16},
            },
            "required": ["items"],
            "more": [],
            "none": null,
            "strict": true,
        },
    }})]
}

fn render(template: &str, messages: &[Message]) -> Result<String, ChatError> {
    let conversation = Conversation::new(messages, now());
    ChatTemplate::parse(template)?.render(&conversation, &Map::new())
}

/// Renders templates with the same variables, and compares.
fn same(cases: &[(&str, &str)]) {
    let (talk, tools) = (talk(), tools());
    let conversation = Conversation { tools: Some(&tools), ..Conversation::new(&talk, now()) };
    for (source, expected) in cases {
        let template = ChatTemplate::parse(source).unwrap();
        assert_eq!(template.render(&conversation, &Map::new()).unwrap(), *expected, "{source}");
    }
}

#[test]
fn white_space_is_trimmed_around_blocks() {
    same(&[
        ("a\n  {% if true %}\n  b\n  {% endif %}\nc\n", "a\n  b\nc"),
        ("a  {% if true %}  b  {% endif %}  c\n\n", "a    b    c\n"),
        ("a\n  {%+ if true %}\n  b\n  {%+ endif +%}\nc", "a\n    b\n  \nc"),
        ("  {# note #}\nx\n  {#- note -#}  \n y {# note #} z\n", "xy  z"),
        ("  {{ 'v' }}\n  {{- 'w' -}}  \n x", "  vwx"),
        ("\r\na\r\n{% if true %}\r\nb\r{% endif %}\r\n", "\na\nb\n"),
        ("{%- for m in messages -%}\n  {{ m.role }}\n{%- endfor -%}\n", "systemuserassistantuser"),
        ("{% raw -%}\n  {{ x }}\n{%- endraw %}\n\n", "{{ x }}"),
        ("{% set x %}\n  {{ 'y' }}\n{% endset %}[{{ x }}]\n", "[  y\n]"),
    ]);
}

#[test]
fn values_are_written_as_python_writes_them() {
    same(&[
        (
            "{{ true }} {{ none }} {{ 1.0 }} {{ 1e16 }} {{ 1e-5 }} {{ 4 / 2 }} {{ 7 // 2 }} {{ 2 ** 3 }}",
            "True None 1.0 1e+16 1e-05 2.0 3 8",
        ),
        (
            "{{ [true, none, 'a', \"it's\", 1.5] }} {{ {'a': [1, {}]} }} {{ (1, 'x') }} {{ (1,) }}",
            "[True, None, 'a', \"it's\", 1.5] {'a': [1, {}]} (1, 'x') (1,)",
        ),
        (
            "{{ 'a' ~ 1 ~ true }} {{ 'x' 'y' }} {{ ['a\\nb', 'q\"', '\\x7f\u{a0}\u{200b}\u{2028}é'] }}",
            "a1True xy ['a\\nb', 'q\"', '\\x7f\\xa0\\u200b\\u2028é']",
        ),
        (
            "{{ tools[0].function.parameters.properties['items'] }}",
            "{'type': 'array', 'items': {'type': 'string'}}",
        ),
    ]);
}

#[test]
fn json_is_written_as_python_writes_it() {
    same(&[
        (
            "{{ tools | tojson }}",
            "[{\"type\": \"function\", \"function\": {\"name\": \"look_up\", \"description\": \"It's <b>a</b> \\\"tool\\\" né\", \"parameters\": {\"type\": \"object\", \"properties\": {\"items\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}, \"limit\": {\"type\": \"number\", \"default\": 1.0, \"maximum\": 1e+16}}, \"required\": [\"items\"], \"more\": [], \"none\": null, \"strict\": true}}}]",
        ),
        (
            "{{ tools[0].function.parameters | tojson(indent=2) }}",
            "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"items\": {\n      \"type\": \"array\",\n      \"items\": {\n        \"type\": \"string\"\n      }\n    },\n    \"limit\": {\n      \"type\": \"number\",\n      \"default\": 1.0,\n      \"maximum\": 1e+16\n    }\n  },\n  \"required\": [\n    \"items\"\n  ],\n  \"more\": [],\n  \"none\": null,\n  \"strict\": true\n}",
        ),
        (
            "{{ tools[0].function.description | tojson(ensure_ascii=true) }}",
            "\"It's <b>a</b> \\\"tool\\\" n\\u00e9\"",
        ),
        (
            "{{ {'b': 1, 'a': [1.0, 1e16, 1e-07]} | tojson(separators=(',', ':'), sort_keys=true) }}",
            "{\"a\":[1.0,1e+16,1e-07],\"b\":1}",
        ),
        (
            "{{ {1: none, 'n': (1, 'x')} | tojson(false, 1) }} {{ [] | tojson(indent=4) }}",
            "{\n \"1\": null,\n \"n\": [\n  1,\n  \"x\"\n ]\n} []",
        ),
        (
            "{{ '\\x1f\\x7f\\u2028</script>\\\\' | tojson }}",
            "\"\\u001f\u{7f}\u{2028}</script>\\\\\"",
        ),
    ]);
}

#[test]
fn loops_and_namespaces() {
    same(&[
        (
            "{% set ns = namespace(last=-1, seen=[]) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% set ns.seen = ns.seen + [m.role[0]] %}{% endfor %}{{ ns.last }} {{ ns.seen }}",
            "3 ['s', 'u', 'a', 'u']",
        ),
        (
            "{% for m in messages %}{% if loop.first %}{% continue %}{% endif %}{% if loop.last %}{% break %}{% endif %}{{ loop.index }}{{ m.role }};{% endfor %}",
            "2user;3assistant;",
        ),
        (
            "{% for m in messages %}{% if loop.previtem is defined and loop.previtem.role == m.role %}same{% else %}{{ loop.revindex0 }}{% endif %}{% else %}none{% endfor %}",
            "3210",
        ),
        (
            "{% for k, v in tools[0].function.parameters.properties.items() %}{{ k }}={{ v.type }};{% endfor %}",
            "items=array;limit=number;",
        ),
        (
            "{% for k, v in messages[0] | dictsort %}{{ k }}:{{ v | trim }},{% endfor %}{% for c in 'né' %}{{ c }}.{% endfor %}",
            "content:Be brief.,role:system,n.é.",
        ),
        (
            "{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}{{ x }}{% if true %}{% set x = 3 %}{% endif %}{{ x }}",
            "13",
        ),
        (
            "{% for i in range(5, 0, -2) if i != 3 %}{{ i }}{{ loop.last }}{% endfor %}",
            "5False1True",
        ),
    ]);
}

#[test]
fn methods_and_filters() {
    same(&[
        (
            "{{ messages[0].content.strip() }}|{{ 'a-b-c'.split('-', 1) }}|{{ 'a-b-c'.rsplit('-', 1) }}|{{ 'k=v=w'.partition('=') }}|{{ 'abc'.removesuffix('c').removeprefix('a') }}",
            "Be brief.|['a', 'b-c']|['a-b', 'c']|('k', '=', 'v=w')|b",
        ),
        (
            "{{ 'x</think>\\ny'.split('</think>')[-1].lstrip('\\n') }} {{ 'abc'.startswith('ab') }} {{ 'a b'.title() }} {{ 'né'.upper() }} {{ 'a,b'.replace(',', ';') }} {{ 'abcb'.index('b') }}",
            "y True A B NÉ a;b 1",
        ),
        (
            "{{ messages[1:] | map(attribute='role') | join(', ') }} {{ messages | selectattr('role', 'equalto', 'user') | list | length }} {{ (messages | last).content[::-1] }} {{ messages[-1].content | length }}",
            "user, assistant, user 2 🙂 本日 én 7",
        ),
        (
            "{{ messages[0].get('name', 'nobody') }} {{ messages[0].keys() | list }} {{ 'role' in messages[0] }} {{ nothing | default('d') }} {{ nothing | length }} {{ '' | default('d', true) }}",
            "nobody ['role', 'content'] True d 0 d",
        ),
        (
            "{{ 'a' is sequence }} {{ {} is sequence }} {{ messages is iterable }} {{ messages[0] is mapping }} {{ 1 is sequence }} {{ 'a' is string }} {{ nothing is defined }} {{ tools is none }} {{ documents is none }} {{ true is boolean }}",
            "True True True True False True False False True True",
        ),
        (
            "{{ 'a\nb\n' | indent }}|{{ 'a\n\nb' | indent(2, true, true) }}|{{ 'a\nb' | indent('> ', first=true) }}|{{ '' | indent(3) }}",
            "a\n    b\n|  a\n  \n  b|> a\n> b|",
        ),
        (
            "{{ tools[0].function.parameters | string }} {{ none | string }} {{ 'a' | string }} {{ [1e-7] | string | length }}",
            "{'type': 'object', 'properties': {'items': {'type': 'array', 'items': {'type': 'string'}}, 'limit': {'type': 'number', 'default': 1.0, 'maximum': 1e+16}}, 'required': ['items'], 'more': [], 'none': None, 'strict': True} None a 7",
        ),
        (
            "{% macro turn(role, text='-') -%}\n  <{{ role }}>{{ text }}\n{%- endmacro %}{{ turn('a') }}{{ turn('b', text='c') | length }}",
            "<a>-4",
        ),
    ]);
}

#[test]
fn generation_tags_mark_what_assistants_say() {
    same(&[
        (
            "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}{% else %}{{ m.role }} {% endif %}{% endfor %}",
            "system user True\nuser ",
        ),
        ("a\n  {% generation %}\n  x\n  {%- endgeneration %}\nb", "a\n  xb"),
        ("{% set x = 1 %}{% generation %}{% set x = 2 %}{{ x }}{% endgeneration %}{{ x }}", "21"),
    ]);
}

#[test]
fn the_time_is_the_callers() {
    same(&[(
        "{{ strftime_now('%d %b %Y') }}|{{ strftime_now('%A, %B %-d, %Y %H:%M:%S %I %p %j %%') }}|{{ strftime_now('%c|%x|%X|%f|%Z') }}",
        "06 Jul 2024|Saturday, July 6, 2024 15:04:09 03 PM 188 %|Sat Jul  6 15:04:09 2024|07/06/24|15:04:09|000000|",
    )]);
}

#[test]
fn turns_are_written_as_qwens_template_writes_them() {
    let (talk, tools) = (talk(), tools());
    let calls = messages(&json!([
        {"role": "user", "content": "Find it."},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function":
                {"name": "look_up", "arguments": {"items": ["é", "b"], "limit": 2}}},
            {"name": "look_up", "arguments": {}},
        ]},
        {"role": "tool", "tool_call_id": "1", "content": "one"},
        {"role": "tool", "content": "two"},
        {"role": "assistant", "content": "Done."},
    ]));
    let cases = [
        (
            &talk[..],
            None,
            true,
            "<|im_start|>system\n Be brief. <|im_end|>\n<|im_start|>user\nWhat is 2 < 3 & \"so\"?<|im_end|>\n<|im_start|>assistant\nTrue\n<|im_end|>\n<|im_start|>user\nné 日本 🙂<|im_end|>\n<|im_start|>assistant\n",
        ),
        (
            &talk[1..],
            None,
            true,
            "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\nWhat is 2 < 3 & \"so\"?<|im_end|>\n<|im_start|>assistant\nTrue\n<|im_end|>\n<|im_start|>user\nné 日本 🙂<|im_end|>\n<|im_start|>assistant\n",
        ),
        (
            &talk[1..],
            None,
            false,
            "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\nWhat is 2 < 3 & \"so\"?<|im_end|>\n<|im_start|>assistant\nTrue\n<|im_end|>\n<|im_start|>user\nné 日本 🙂<|im_end|>\n",
        ),
        (
            &talk[..2],
            Some(&tools[..]),
            true,
            "<|im_start|>system\n Be brief. \n\nFunctions:\n{\"type\": \"function\", \"function\": {\"name\": \"look_up\", \"description\": \"It's <b>a</b> \\\"tool\\\" né\", \"parameters\": {\"type\": \"object\", \"properties\": {\"items\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}, \"limit\": {\"type\": \"number\", \"default\": 1.0, \"maximum\": 1e+16}}, \"required\": [\"items\"], \"more\": [], \"none\": null, \"strict\": true}}}<|im_end|>\n<|im_start|>user\nWhat is 2 < 3 & \"so\"?<|im_end|>\n<|im_start|>assistant\n",
        ),
        (
            &calls[..],
            None,
            false,
            "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n<|im_start|>user\nFind it.<|im_end|>\n<|im_start|>assistant\n<call>\n{\"name\": \"look_up\", \"arguments\": {\"items\": [\"é\", \"b\"], \"limit\": 2}}\n</call>\n<call>\n{\"name\": \"look_up\", \"arguments\": {}}\n</call><|im_end|>\n<|im_start|>user\n<answer>\none\n</answer>\n<answer>\ntwo\n</answer><|im_end|>\n<|im_start|>assistant\nDone.<|im_end|>\n",
        ),
    ];
    let config = json!({"chat_template": TURNS}).to_string();
    let templates = ChatTemplates::from_files(Some(config.as_bytes()), None).unwrap();
    for (messages, tools, add_generation_prompt, expected) in cases {
        let new = Conversation::new(messages, now());
        let conversation = Conversation { tools, add_generation_prompt, ..new };
        assert_eq!(templates.render(&conversation).unwrap(), expected);
    }
}

#[test]
fn special_tokens_and_variables_are_given_to_templates() {
    let config = json!({
        "bos_token": {"content": "<s>", "lstrip": false},
        "eos_token": "</s>",
        "pad_token": null,
        "additional_special_tokens": ["<a>", {"content": "<b>"}],
        "chat_template": "{{ bos_token }}{{ eos_token }}{{ pad_token }}\
                          {{ additional_special_tokens }} {{ think is false }}",
    });
    let config = config.to_string();
    let templates = ChatTemplates::from_files(Some(config.as_bytes()), None).unwrap();
    let variables = json!({"think": false}).as_object().unwrap().clone();
    let conversation = Conversation { variables, ..Conversation::new(&[], now()) };
    assert_eq!(templates.render(&conversation).unwrap(), "<s></s>['<a>', '<b>'] True");
}

#[test]
fn the_template_is_chosen_by_its_name_and_place() {
    let (talk, tools) = (talk(), tools());
    let config = json!({"chat_template": [
        {"name": "default", "template": "plain"},
        {"name": "tool_use", "template": "tools"},
    ]});
    let config = config.to_string();
    let plain = Conversation::new(&talk, now());
    let with_tools = Conversation { tools: Some(&tools), ..plain.clone() };
    let named = ChatTemplates::from_files(Some(config.as_bytes()), None).unwrap();
    assert_eq!(named.names().collect::<Vec<_>>(), ["default", "tool_use"]);
    assert_eq!(named.render(&plain).unwrap(), "plain");
    assert_eq!(named.render(&with_tools).unwrap(), "tools");
    let file = ChatTemplates::from_files(Some(config.as_bytes()), Some("file\n")).unwrap();
    assert_eq!(file.render(&plain).unwrap(), "file");
    assert_eq!(file.render(&with_tools).unwrap(), "tools");

    let other = json!({"chat_template": [{"name": "rag", "template": "x"}]}).to_string();
    let other = ChatTemplates::from_files(Some(other.as_bytes()), None).unwrap();
    assert_eq!(other.render(&plain), Err(ChatError::NoDefault("rag".to_owned())));
    let none = ChatTemplates::from_files(Some(b"{}"), None).unwrap();
    assert!(none.is_empty());
    assert_eq!(none.render(&plain), Err(ChatError::NoTemplate));
}

#[test]
fn messages_keep_their_fields_and_their_order() {
    let text = r#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"role":"user","reasoning":"x"}"#;
    let message: Message = serde_json::from_str(text).unwrap();
    assert_eq!((message.role(), message.text().as_str()), ("user", "ab"));
    assert_eq!(serde_json::to_string(&message).unwrap(), text);
    assert_eq!(Message::new("user", "ab").text(), "ab");
    for (fields, problem) in [
        (json!({"content": "a"}), "a message needs a role"),
        (json!({"role": 1}), "a message needs a role"),
        (json!({"role": "user", "content": 1}), "the content of a message must be a string"),
        (json!({"role": "user", "content": [{"type": "image"}]}), "part 0 of a message's content"),
        (
            json!({"role": "user", "content": [{"text": "a"}]}),
            "the content of a message must be a string",
        ),
        (json!({"role": "user", "tool_calls": {}}), "tool_calls of a message must be a list"),
        (json!({"role": "user", "name": 1}), "name of a message must be a string"),
    ] {
        let error = serde_json::from_value::<Message>(fields.clone()).unwrap_err().to_string();
        assert!(error.starts_with(problem), "{fields}: {error}");
    }
}

/// Turns as Qwen3 has them, with thoughts.
const THINKING: &str = include_str!("../templates/thinking.jinja");

#[test]
fn thoughts_are_kept_after_the_last_question_and_can_be_turned_off() {
    let before = json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "2 + 2?"},
        {"role": "assistant", "content": "<think>\nTwo and two.\n</think>\n\n4"},
        {"role": "user", "content": "And 3 + 3?"},
    ]);
    let told = |more: &[Value], thinking, prompt| {
        let all: Vec<Value> = before.as_array().unwrap().iter().chain(more).cloned().collect();
        let messages = messages(&all.into());
        let conversation = Conversation::new(&messages, now()).with_thinking(thinking);
        let conversation = Conversation { add_generation_prompt: prompt, ..conversation };
        let text = ChatTemplate::parse(THINKING).unwrap().render(&conversation, &Map::new());
        let asked = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n2 + 2?<|im_end|>\n\
                     <|im_start|>assistant\n4<|im_end|>\n<|im_start|>user\nAnd 3 + 3?<|im_end|>\n\
                     <|im_start|>assistant\n";
        text.unwrap().strip_prefix(asked).unwrap().to_owned()
    };
    let empty = "<think>\n\n</think>\n\n";
    assert_eq!(told(&[], None, true), "");
    assert_eq!(told(&[], Some(true), true), "");
    assert_eq!(told(&[], Some(false), true), empty);
    let thought = json!({"role": "assistant", "content": "<think>\nThree twice.\n</think>\n\n6"});
    assert_eq!(told(&[thought], None, false), "<think>\nThree twice.\n</think>\n\n6<|im_end|>\n");
    // So that an answer that is scored goes on where the prompt without thoughts ends.
    let plain = json!({"role": "assistant", "content": "6"});
    assert_eq!(told(&[plain], Some(false), false), format!("{empty}6<|im_end|>\n"));
    let looking =
        json!({"role": "assistant", "content": "", "reasoning_content": "\nI look it up.\n"});
    let found = json!({"role": "user", "content": "<tool_response>6</tool_response>"});
    let expected = "<think>\nI look it up.\n</think>\n\n<|im_end|>\n<|im_start|>user\n\
                    <tool_response>6</tool_response><|im_end|>\n<|im_start|>assistant\n";
    assert_eq!(told(&[looking, found], None, true), expected);
}

//! Readers of products.

use hgpo_env::webshop::catalogue::Catalogue;
use hgpo_env::webshop::goals::{Goals, Wanted, WantedOption};

/// A product of our own.
fn product(asin: &str, options: &str) -> String {
    format!(
        r#"{{"asin": "{asin}", "name": "Lamp", "full_description": "It's bright.", "small_description": "One point", "pricing": "$12.50", "customization_options": {options}, "category": "home", "query": " Lamps ", "product_category": "Home › Lights", "images": ["x"]}}"#
    )
}

#[test]
fn products_are_read_and_those_of_known_numbers_left_out() {
    let options = r#"{"Size": [{"value": " Big/Wide "}, {"value": "small"}], "Color": null, "B": [{"value": "X", "image": null}]}"#;
    let file = format!(
        "[{}, {}, {}]",
        product("A1", options),
        product("A1", "\"\""),
        product("nan", "{}")
    );
    let mut catalogue = Catalogue::read(file.as_bytes()).unwrap();
    assert_eq!(catalogue.len(), 1);
    let lamp = catalogue.product(0).unwrap().into_owned();
    assert_eq!((&*lamp.query, &*lamp.price_tag()), ("lamps", "$12.5"));
    assert_eq!(
        lamp.searched_text(),
        "lamp it's bright. one point size: big | wide, small, and b: x"
    );
    assert_eq!(lamp.attributes, ["DUMMY_ATTR"]);
    assert_eq!((catalogue.find("A1"), catalogue.find("nan")), (Some(0), None));

    let wanted = r#"{"A1": {"attributes": ["bright"], "instruction": "Find a lamp", "instruction_attributes": ["bright"]}, "B2": {"attributes": []}}"#;
    catalogue.read_instructions(wanted.as_bytes()).unwrap();
    let human = r#"{"A1": [{"instruction": "a lamp for me.", "instruction_attributes": ["bright"], "instruction_options": ["small"]}]}"#;
    catalogue.read_human_instructions(human.as_bytes()).unwrap();
    let (goals, prices) = Goals::draw(&catalogue, Wanted::Synthetic, 5).unwrap();
    assert_eq!((goals.len(), &*prices), (2, &[12.5][..]));
    let mut texts: Vec<String> =
        (0..2).map(|number| goals.get(&catalogue, number).unwrap().instruction).collect();
    texts.sort_unstable();
    // By the names of options, of which b comes first; with a limit above 12.5.
    assert!(
        texts[0].starts_with("Find a lamp with b: x, and size: big | wide, and price lower than ")
    );
    assert!(texts[1].starts_with("Find a lamp with b: x, and size: small, and price lower than "));
    let (goals, _) = Goals::draw(&catalogue, Wanted::Human, 5).unwrap();
    let goal = goals.get(&catalogue, 0).unwrap();
    assert!(goal.instruction.starts_with("a lamp for me, and price lower than "));
    assert_eq!(goal.options, [WantedOption::Plain("small".into())]);
    assert!(goals.get(&catalogue, 1).is_none());
}

#[test]
fn what_is_broken_is_told_with_its_place() {
    let refused = |file: &str| Catalogue::read(file.as_bytes()).unwrap_err().to_string();
    let one = product("A1", "{}");
    let cut = refused(&format!("[{one},\n{}", &one[..40]));
    assert!(cut.starts_with("product 2: EOF while parsing") && cut.contains("line 2"), "{cut}");
    let missing = refused(&format!("[{}]", one.replace("\"name\"", "\"title\"")));
    assert!(missing.contains("product 1: missing field `name`"), "{missing}");
    let price = refused(&format!("[{}]", one.replace("$12.50", "twelve")));
    assert!(price.starts_with("product 1: 'twelve' is no price"), "{price}");
    assert!(refused("{}").contains("expected a list of products"));
    assert!(refused(&format!("[{one}] [")).contains("trailing characters"));
    let options = refused(&format!("[{}]", product("A1", "\"red\"")));
    assert!(options.contains("options in a text"), "{options}");

    let mut catalogue = Catalogue::read(format!("[{one}]").as_bytes()).unwrap();
    let error =
        catalogue.read_instructions("{\"A1\": {\"attributes\": 3}}".as_bytes()).unwrap_err();
    assert!(error.to_string().contains("line 1 column"), "{error}");
    let error = Goals::draw(&catalogue, Wanted::Synthetic, 0).err().unwrap().to_string();
    assert!(error.starts_with("no goals: none of the 1 products"), "{error}");
}

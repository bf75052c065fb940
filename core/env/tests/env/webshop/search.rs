//! The search against Lucene.

use crate::oracle;

use super::catalogue;
use hgpo_env::search::analyzed;

fn lines(name: &str) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(oracle::webshop()?.join(name)).unwrap();
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn texts_have_the_terms_of_lucene() {
    let Some(texts) = lines("analyzer_tokens.tsv") else { return };
    let (mut terms, mut wrong) = (0, 0);
    for line in &texts {
        let (text, expected) = line.rsplit_once('\t').unwrap();
        let found: Vec<String> = analyzed(text).collect();
        let expected: Vec<&str> = expected.split(' ').filter(|term| !term.is_empty()).collect();
        terms += expected.len();
        if found != expected {
            wrong += 1;
            let at = found.iter().zip(&expected).position(|(one, other)| one != other);
            let at = at.unwrap_or(found.len().min(expected.len()));
            let near = |terms: Vec<String>| {
                terms.into_iter().skip(at.saturating_sub(1)).take(5).collect::<Vec<_>>()
            };
            let expected = expected.iter().map(|&term| term.to_owned()).collect();
            println!("{:?} instead of {:?}", near(found), near(expected));
        }
    }
    println!("{terms} terms of {} texts are as recorded", texts.len());
    assert_eq!(wrong, 0);
    assert!(texts.len() > 1400);
}

#[test]
fn products_are_ranked_as_by_lucene() {
    let (Some(catalogue), Some(lines)) = (catalogue(), lines("bm25_run.tsv")) else { return };
    let index = catalogue.index().unwrap();
    let mut hits = 0;
    for line in &lines {
        let (query, recorded) = line.split_once('\t').unwrap();
        let found = index.search(query, 50);
        let recorded: Vec<&str> = recorded.split(' ').filter(|hit| !hit.is_empty()).collect();
        assert_eq!(found.len(), recorded.len(), "{query}");
        for (place, (hit, recorded)) in found.iter().zip(recorded).enumerate() {
            let [asin, score, document] = recorded.split(':').collect::<Vec<_>>()[..] else {
                panic!("{recorded}")
            };
            let document: u32 = document.parse().unwrap();
            assert_eq!(hit.document, document, "{query}: place {place}");
            assert_eq!(catalogue.product(document).unwrap().asin, asin);
            let apart = (f64::from(hit.score) - score.parse::<f64>().unwrap()).abs();
            assert!(apart <= 1e-4, "{query}: {} instead of {score}", hit.score);
            hits += 1;
        }
    }
    println!("{} rankings with {hits} products are as recorded", lines.len());
    assert!(lines.len() > 200);
}

//! Files beside a report: figures, tables and numbers.

use std::fs;

use hgpo_report::{ExportFolders, Options, write};

use super::fixture::{arm, options, study, written};

#[test]
fn figures_tables_and_numbers_are_files_of_their_own() {
    let (folder, path) =
        written(&study(vec![arm("grpo", &[0.25, 0.5]), arm("hgpo_<k4>", &[0.75])]));
    let [paper, data] = ["paper", "data"].map(|name| folder.path().join(name));
    let exports = ExportFolders {
        figures: Some(paper.clone()),
        latex: Some(paper.clone()),
        csv: Some(data.clone()),
    };
    let options = Options { exports, ..options() };
    let output = folder.path().join("out.html");
    let told = write(std::slice::from_ref(&path), &output, &options).unwrap();
    let listed = fs::read_to_string(paper.join("hgpo-report.txt")).unwrap();
    assert_eq!(listed.lines().count() + 3, told.exported);
    for name in listed.lines() {
        let content = fs::read(paper.join(name)).unwrap();
        let text = String::from_utf8_lossy(&content);
        match name.rsplit_once('.').unwrap().1 {
            "svg" => {
                assert!(text.starts_with("<svg xmlns=") && !text.contains("var("), "{name}");
                assert!(text.contains("<style>") && listed.contains(&name.replace("svg", "pdf")));
            }
            "pdf" => assert!(text.starts_with("%PDF-1."), "{name}"),
            "tex" => assert!(text.contains("\\toprule\narm & ") || text.contains("\\toprule\n")),
            _ => panic!("{name}"),
        }
    }
    let table = fs::read_to_string(paper.join("headline.tex")).unwrap();
    assert!(table.contains("\nhgpo\\_\\textless{}k4\\textgreater{} & 1 & "), "{table}");
    let runs = fs::read_to_string(data.join("runs.csv")).unwrap();
    let mut lines = runs.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let area = head.iter().position(|name| *name == "area").unwrap();
    let areas: Vec<&str> = lines.map(|line| line.split(',').nth(area).unwrap()).collect();
    assert_eq!(areas, ["0.25", "0.5", "0.75"]);
    // Written again, they are the same; a file of somebody else is left alone, and then nothing is written.
    let pdf = fs::read(paper.join("headline.pdf")).unwrap();
    write(std::slice::from_ref(&path), &output, &options).unwrap();
    assert!(fs::read(paper.join("headline.pdf")).unwrap() == pdf);
    fs::remove_file(data.join("hgpo-report.txt")).unwrap();
    fs::write(data.join("runs.csv"), "mine").unwrap();
    fs::remove_file(paper.join("headline.pdf")).unwrap();
    let error = write(std::slice::from_ref(&path), &output, &options).unwrap_err().to_string();
    assert!(error.contains("was not written by a report: choose another folder"), "{error}");
    assert_eq!(fs::read(data.join("runs.csv")).unwrap(), b"mine");
    assert!(!paper.join("headline.pdf").exists());
    write(&[path], &output, &Options { force: true, ..options }).unwrap();
    assert!(fs::read_to_string(data.join("runs.csv")).unwrap().starts_with("part,arm,seed,"));
}

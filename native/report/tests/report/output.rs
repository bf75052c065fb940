//! Output file of a report: where it is written, and what it may replace.

use std::fs;

use hgpo_report::{Options, write};

use super::fixture::{arm, options, study, written};

#[test]
fn a_report_is_replaced_and_another_file_is_not() {
    let (folder, path) = written(&study(vec![arm("grpo", &[0.4, 0.6])]));
    let output = folder.path().join("out.html");
    let inputs = [path];
    let told = write(&inputs, &output, &options()).unwrap();
    assert_eq!((told.arms, told.counted, told.left_out), (1, 2, 0));
    let first = fs::read(&output).unwrap();
    assert_eq!(first.len(), told.bytes);
    write(&inputs, &output, &options()).unwrap();
    assert_eq!(fs::read(&output).unwrap(), first);
    fs::write(&output, "my notes").unwrap();
    let error = write(&inputs, &output, &options()).unwrap_err().to_string();
    assert!(error.ends_with("is there already and is no report: choose another name with -o, or replace it with --force"), "{error}");
    assert_eq!(fs::read(&output).unwrap(), b"my notes");
    write(&inputs, &output, &Options { force: true, ..options() }).unwrap();
    assert_eq!(fs::read(&output).unwrap(), first);
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_place_that_cannot_be_written_is_told() {
    let (folder, path) = written(&study(vec![arm("grpo", &[0.4])]));
    let of = |output: &std::path::Path| write(std::slice::from_ref(&path), output, &options());
    for output in
        [folder.path().to_owned(), folder.path().join("none/out.html"), path.join("out.html")]
    {
        let error = of(&output).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot write {}", output.display())), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let (_folder, path) = written(&study(vec![arm("grpo", &[0.4])]));
    let error = write(&[path], "/dev/full".as_ref(), &options()).unwrap_err();
    assert_eq!(error.to_string(), "cannot write /dev/full; what was there before is as it was");
}

#[test]
fn what_cannot_be_read_leaves_the_old_report() {
    let (folder, path) = written(&study(vec![arm("grpo", &[0.4])]));
    let output = folder.path().join("out.html");
    write(std::slice::from_ref(&path), &output, &options()).unwrap();
    let before = fs::read(&output).unwrap();
    fs::write(&path, "{").unwrap();
    write(&[path], &output, &options()).unwrap_err();
    assert_eq!(fs::read(&output).unwrap(), before);
}

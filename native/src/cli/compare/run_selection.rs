//! Run selection of a study by `--only`, and the list of runs.

use std::io::Write as _;

use anyhow::bail;
use serde_json::json;

use crate::settings::suggestion::nearest;
use crate::study::{StudyJob, StudyPlan, StudyState};

/// The runs that `--only` names, in the study's order; all if it names none.
pub(crate) fn select_runs(plan: &StudyPlan, only: &[String]) -> anyhow::Result<Vec<StudyJob>> {
    let named = only.iter().map(|text| parse_run_name(plan, text));
    let named: Vec<(usize, Option<usize>)> = named.collect::<Result<_, _>>()?;
    let is_named = |job: &StudyJob| {
        let mut of_arm = named.iter().filter(|(arm, _)| *arm == job.arm);
        named.is_empty() || of_arm.any(|(_, seed)| seed.is_none_or(|seed| seed == job.seed))
    };
    Ok(plan.jobs().filter(is_named).collect())
}

/// The places of `ARM/SEED`; none of a seed if `ARM` stands alone.
fn parse_run_name(plan: &StudyPlan, text: &str) -> anyhow::Result<(usize, Option<usize>)> {
    let (name, seed) = match text.split_once('/') {
        Some((name, seed)) => (name, Some(seed)),
        None => (text, None),
    };
    let Some(arm) = plan.arms.iter().position(|arm| arm.name == name) else {
        let names: Vec<String> = plan.arms.iter().map(|arm| arm.name.clone()).collect();
        let advice = match nearest(name, &names) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        bail!("--only {text}: no arm is called `{name}`; {advice}");
    };
    let Some(seed) = seed else { return Ok((arm, None)) };
    let place = |seed: u64| plan.seeds().iter().position(|&it| it == seed);
    let Some(place) = seed.parse().ok().and_then(place) else {
        bail!("--only {text}: the study has no seed {seed}; it has {}", plan.file.seeds)
    };
    Ok((arm, Some(place)))
}

/// Prints the runs, one a line.
pub(crate) fn list_runs(
    plan: &StudyPlan,
    state: &StudyState<'_>,
    jobs: &[StudyJob],
    as_json: bool,
) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for &job in jobs {
        let (arm, seed) = (&plan.arms[job.arm], plan.seeds()[job.seed]);
        if as_json {
            let run = state.run(job);
            let line = json!({
                "arm": arm.name,
                "seed": seed,
                "status": run.status,
                "folder": run.folder,
                "settings": arm.settings,
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}/{seed}", arm.name)?;
        }
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use hgpo_study::StudyFile;

    use super::*;

    #[test]
    fn runs_are_selected_one_by_one_or_by_arm() {
        let text = "seeds = \"7,5\"\n[arms.a]\n[arms.b]\n";
        let file = StudyFile::read("f", text).unwrap();
        let plan = StudyPlan::new("s".into(), file, "f", None).unwrap();
        let named = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|&it| it.to_owned()).collect();
            let jobs = select_runs(&plan, &only).map_err(|error| error.to_string())?;
            let name =
                |job: &StudyJob| format!("{}/{}", plan.arms[job.arm].name, plan.seeds()[job.seed]);
            Ok::<_, String>(jobs.iter().map(name).collect::<Vec<_>>())
        };
        assert_eq!(named(&[]).unwrap(), ["a/7", "b/7", "a/5", "b/5"]);
        assert_eq!(named(&["b", "a/5", "b/7"]).unwrap(), ["b/7", "a/5", "b/5"]);
        assert!(named(&["c/5"]).unwrap_err().contains("no arm is called `c`"));
        assert!(named(&["a/6"]).unwrap_err().contains("no seed 6; it has 7,5"));
        assert!(named(&["a/x"]).is_err() && named(&["a/5/6"]).is_err());
    }
}

//! Run selection of a study by `--only`, and the list of runs.

use std::io::Write as _;

use anyhow::bail;
use serde_json::json;

use crate::settings::suggestion::nearest;
use crate::study::{StudyJob, StudyPlan, StudyState};

/// The runs that `--only` names, in the study's order; all if it names none.
pub(crate) fn select_runs(plan: &StudyPlan, only: &[String]) -> anyhow::Result<Vec<StudyJob>> {
    let (arms, seeds) = (plan.arms.len(), plan.seeds().len());
    let mut wanted = vec![only.is_empty(); arms * seeds];
    for text in only {
        let (arm, seed) = parse_run_name(plan, text)?;
        match seed {
            Some(seed) => wanted[seed * arms + arm] = true,
            None => (0..seeds).for_each(|seed| wanted[seed * arms + arm] = true),
        }
    }
    // First seeds first, so that arms can soon be compared.
    let all = (0..seeds).flat_map(|seed| (0..arms).map(move |arm| StudyJob { arm, seed }));
    Ok(all.zip(wanted).filter_map(|(job, wanted)| wanted.then_some(job)).collect())
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
    let place =
        seed.parse().ok().and_then(|seed: u64| plan.seeds().iter().position(|&it| it == seed));
    match place {
        Some(place) => Ok((arm, Some(place))),
        None => bail!("--only {text}: the study has no seed {seed}; it has {}", plan.file.seeds),
    }
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

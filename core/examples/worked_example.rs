//! The worked example of the crate's documentation, with every number on the way.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use hgpo_core::{
    Batch, Error, Estimator, Hgpo, Options, Scale, Step, StepAddress, Trajectory, diagnostics,
    estimate, explain,
};

fn walk(name: &str, states: &[&str], reward: f64) -> Trajectory {
    let last = states.len() - 1;
    let step = |(index, &state): (usize, &&str)| {
        Step::new(state, if index == last { reward } else { 0.0 })
    };
    Trajectory::new("errand", name, states.iter().enumerate().map(step).collect())
}

fn main() -> Result<(), Error> {
    let batch = Batch::new(vec![
        walk("a", &["home", "road", "shop"], 10.0),
        walk("b", &["home", "road", "shop"], 0.0),
        walk("c", &["home", "park", "road", "shop"], 10.0),
        walk("d", &["home", "lake", "shop"], 0.0),
    ])?;
    println!("Four trajectories of one task:\n");
    for trajectory in batch.trajectories() {
        let states: Vec<&str> = trajectory.steps.iter().map(|step| step.state.as_str()).collect();
        let reward = trajectory.steps.iter().map(|step| step.reward).sum::<f64>();
        println!("  {}  {:<28} reward {reward}", trajectory.trajectory, states.join(" > "));
    }
    let hgpo = Hgpo { scale: Scale::Mean, ..Hgpo::default() };
    let options = Options { estimator: Estimator::Hgpo(hgpo), ..Options::default() };
    println!("\nThe last step of a, in the shop: the groups of its state, of its last two states,");
    println!("and of its last three; R - mean in each, weighted 1 : 2 : 3.\n");
    println!("{}\n", explain(&batch, &options, &StepAddress::new("errand", "a", 2))?);
    println!("By hand: (10 - 5) * 1/6 + (10 - 20/3) * 2/6 + (10 - 5) * 3/6 = 40/9 = 4.444444.\n");
    println!("All advantages under every estimator:\n");
    for estimator in Estimator::all() {
        let options = Options { estimator, ..options.clone() };
        println!("{}", options.estimator.name());
        let advantages = estimate(&batch, &options)?.advantages;
        for (trajectory, advantages) in batch.trajectories().iter().zip(advantages.iter()) {
            let numbers: Vec<String> = advantages.iter().map(|a| format!("{a:>9.4}")).collect();
            println!("  {}{}", trajectory.trajectory, numbers.concat());
        }
    }
    println!("\nHow much signal the batch holds for HGPO:\n");
    println!("{}", diagnostics(&batch, &options)?);
    Ok(())
}

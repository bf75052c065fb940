//! Embeddings of states, for estimators that compare states by them.

use hgpo_core::Trajectory;

use super::prompt_format::PromptFormat;
use crate::TrainerError;
use crate::distinct::distinct;
use crate::policy::Policy;

/// Gives every step the policy's embedding of its state, unless the environment gave one: a state has
/// the same one wherever it is met, since the state is all that is read.
///
/// The vectors have length 1, and as many decimals as traces should spend on them: cosines of
/// neighbours differ from those of the exact ones in the fifth decimal at most.
pub(crate) fn embed_states<P: Policy>(
    policy: &P,
    format: &dyn PromptFormat,
    trajectories: &mut [Trajectory],
) -> Result<(), TrainerError> {
    let steps = || trajectories.iter().flat_map(|it| &it.steps);
    let without = steps().filter(|step| step.embedding.is_none());
    let (states, of) = distinct(without.map(|step| step.state.as_str()));
    let texts: Vec<Vec<u32>> =
        states.iter().map(|state| format.observation(state)).collect::<Result<_, _>>()?;
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let Some(embeddings) = policy.embed(&texts)? else { return Ok(()) };
    let embeddings: Vec<Vec<f64>> = embeddings.iter().map(|vector| normalize(vector)).collect();
    let without = trajectories.iter_mut().flat_map(|it| &mut it.steps);
    for (step, state) in without.filter(|step| step.embedding.is_none()).zip(of) {
        step.embedding = Some(embeddings[state].clone());
    }
    Ok(())
}

/// The vector at length 1, with six decimals; zeros stay zeros.
fn normalize(vector: &[f64]) -> Vec<f64> {
    let length = libm::sqrt(vector.iter().map(|value| value * value).sum());
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    vector.iter().map(|value| libm::rint(value * scale * 1e6) / 1e6).collect()
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn vectors_have_length_one_and_six_decimals() {
        assert_eq!(normalize(&[3.0, -4.0]), [0.6, -0.8]);
        assert_eq!(normalize(&[1.0, 2.0]), [0.447_214, 0.894_427]);
        assert_eq!(normalize(&[0.0, 0.0]), [0.0, 0.0]);
    }
}

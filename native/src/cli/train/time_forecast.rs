//! Time forecast for a language model, if no run like it has been measured.

use std::time::Instant;

use burn::tensor::{Device, FloatDType, Tensor};
use hgpo_train::config::Config;
use hgpo_train::memory::PolicySize;

use crate::device::{self, DeviceChoice, Workload};
use crate::run::Threads;
use crate::run::progress::display::duration;

/// Rows and columns of the matrices that are multiplied.
const SIDE: usize = 1024;
/// How long they are, in seconds, after one product that is not counted.
const SECONDS: f64 = 0.3;
/// What part of the speed of large products a run reaches: with SmolLM2 on a CPU it has been a tenth to a half
/// (docs/results.md).
const SHARE: f64 = 0.3;

/// The longest that a run takes at a third of the speed of large products here; `None` if the
/// size of the model is not known or the device does not compute.
pub(crate) fn describe(
    config: &Config,
    size: &PolicySize,
    choice: DeviceChoice,
    threads: &Threads,
) -> Option<String> {
    let operations = size.operations(config)?;
    let chosen = device::choose(choice, Workload::run(config, threads.count())).ok()?;
    let precision = config.pretrained.precision.dtype();
    let speed = threads.within(|| speed(&chosen.device, precision))?;
    let iteration = operations / (SHARE * speed);
    let iterations = config.learn.iterations;
    Some(format!(
        "at most about {} for {iterations} iterations, evaluations apart: {} each, for {operations:.1e} \
         operations if every episode and every prompt is as long as it may be, at a third of the {:.1e} a \
         second of large products here",
        duration(iteration * iterations as f64),
        duration(iteration),
        speed,
    ))
}

/// Operations a second of products of large matrices.
fn speed(device: &Device, precision: FloatDType) -> Option<f64> {
    let matrix = Tensor::<2>::ones([SIDE, SIDE], device).cast(precision);
    let product = || {
        let product = matrix.clone().matmul(matrix.clone());
        // An adapter answers for one number of it long before the rest is there.
        device.sync().ok()?;
        product.narrow(0, 0, 1).narrow(1, 0, 1).cast(FloatDType::F32).try_into_data().ok()
    };
    product()?;
    let (start, mut fastest) = (Instant::now(), f64::INFINITY);
    while start.elapsed().as_secs_f64() < SECONDS {
        let before = Instant::now();
        product()?;
        fastest = fastest.min(before.elapsed().as_secs_f64());
    }
    Some(2.0 * (SIDE as f64).powi(3) / fastest)
}

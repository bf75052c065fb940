//! AdamW with global-norm clipping over a flat list of parameters.

use burn::tensor::{Device, Tensor, TensorData};
use safetensors::tensor::SafeTensors;

#[cfg(feature = "gpu")]
use super::kernels::{AdamWStep, tensors as kernels};
use super::operations::squares;
use super::weights::{WeightsFileError, pack, read_tensor, unpack};
use crate::models::TensorSpec;
use crate::policy::{AdamWSettings, PolicyError};

/// Numerical floor of AdamW's denominator (PyTorch's default).
const EPSILON: f64 = 1e-8;

/// AdamW's moments, in the order of the parameters.
#[derive(Clone, Debug)]
pub struct AdamW {
    first: Vec<Tensor<1>>,
    second: Vec<Tensor<1>>,
    /// Updates made so far.
    pub(super) step: i32,
    settings: AdamWSettings,
}

impl AdamW {
    /// Moments of zero for parameters of the given sizes.
    #[must_use]
    pub fn new(sizes: &[usize], settings: AdamWSettings, device: &Device) -> Self {
        let zeros = || sizes.iter().map(|&size| Tensor::zeros([size], device)).collect();
        Self { first: zeros(), second: zeros(), step: 0, settings }
    }

    /// One update.
    ///
    /// # Formula
    /// m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², θ ← θ(1 − ηλ) − η m̂ / (√v̂ + 1e-8), with
    /// m̂ = m/(1−β₁ᵗ) and v̂ = v/(1−β₂ᵗ) (Loshchilov and Hutter 2019, as in PyTorch).
    #[must_use]
    pub fn update(
        &mut self,
        parameters: Vec<Tensor<1>>,
        gradients: Vec<Tensor<1>>,
        learning_rate: f64,
    ) -> Vec<Tensor<1>> {
        self.step += 1;
        let AdamWSettings { beta_1, beta_2, weight_decay } = self.settings;
        let correction_1 = 1.0 - libm::pow(beta_1, f64::from(self.step));
        let correction_2 = 1.0 - libm::pow(beta_2, f64::from(self.step));
        let moments = self.first.iter_mut().zip(&mut self.second);
        let updated = parameters.into_iter().zip(gradients).zip(moments);
        updated
            .map(|((parameter, gradient), (first, second))| {
                *first =
                    first.clone().mul_scalar(beta_1) + gradient.clone().mul_scalar(1.0 - beta_1);
                *second =
                    second.clone().mul_scalar(beta_2) + gradient.square().mul_scalar(1.0 - beta_2);
                let scale = second.clone().div_scalar(correction_2).sqrt().add_scalar(EPSILON);
                let change = first.clone().div_scalar(correction_1) / scale;
                parameter.mul_scalar(1.0 - learning_rate * weight_decay)
                    - change.mul_scalar(learning_rate)
            })
            .collect()
    }

    /// The same update of one parameter after the other by kernels, in place, of gradients that are multiplied by
    /// `scale` first. What is given back takes the next parameter each time. Moments are taken out meanwhile, so that
    /// nothing else reads them.
    #[cfg(feature = "gpu")]
    pub(super) fn update_in_place(
        &mut self,
        gradients: Vec<Tensor<1>>,
        scale: f64,
        learning_rate: f64,
    ) -> impl FnMut(Tensor<1>) -> Tensor<1> {
        self.step += 1;
        let AdamWSettings { beta_1, beta_2, weight_decay } = self.settings;
        let correction = |beta| 1.0 - libm::pow(beta, f64::from(self.step));
        let numbers = AdamWStep {
            scale: scale as f32,
            beta_1: beta_1 as f32,
            beta_2: beta_2 as f32,
            rate: (learning_rate / correction(beta_1)) as f32,
            correction_2: (1.0 / correction(beta_2)) as f32,
            decay: (1.0 - learning_rate * weight_decay) as f32,
            epsilon: EPSILON as f32,
        };
        let held = self.first.drain(..).zip(self.second.drain(..)).zip(gradients);
        let held: Vec<_> = held.collect();
        let mut held = held.into_iter();
        move |weights| {
            let Some(((first, second), gradient)) = held.next() else { return weights };
            let [weights, first, second] =
                kernels::adamw_step([weights, first, second, gradient], numbers);
            self.first.push(first);
            self.second.push(second);
            weights
        }
    }

    /// The moments as a safetensors file.
    ///
    /// # Errors
    /// When the device does not give its values back.
    pub fn save(&self) -> Result<Vec<u8>, PolicyError> {
        let mut specs = Vec::new();
        for (kind, moments) in [("first", &self.first), ("second", &self.second)] {
            specs.extend(moments.iter().enumerate().map(|(index, moment)| {
                let name = format!("{kind}.{index:04}");
                TensorSpec { name, shape: moment.dims().to_vec() }
            }));
        }
        let moments = self.first.iter().chain(&self.second);
        pack(&specs, moments.map(|moment| read_tensor(moment.clone())))
    }

    /// Puts saved moments in place.
    ///
    /// # Errors
    /// When the file is damaged or belongs to other parameters.
    pub fn load(
        &mut self,
        bytes: &[u8],
        step: i32,
        device: &Device,
    ) -> Result<(), WeightsFileError> {
        let file = SafeTensors::deserialize(bytes)?;
        for (kind, moments) in [("first", &mut self.first), ("second", &mut self.second)] {
            for (index, moment) in moments.iter_mut().enumerate() {
                let shape = moment.dims();
                let values = unpack(&file, &format!("{kind}.{index:04}"), &shape)?;
                *moment = Tensor::from_data(TensorData::new(values, shape), device);
            }
        }
        self.step = step;
        Ok(())
    }
}

/// The norm of all gradients together.
///
/// # Errors
/// When the device does not give it back.
pub fn global_norm(gradients: &[Tensor<1>]) -> Result<f64, PolicyError> {
    let squares = read_tensor(squares(gradients))?;
    Ok(squares.iter().map(|&square| f64::from(square)).sum::<f64>().sqrt())
}

/// Scales gradients so that their global norm is at most `max_norm`; gives the norm before.
///
/// # Formula
/// ‖g‖ = √Σ g² over all parameters; g ← g · min(1, `max_norm` / (‖g‖ + 1e-6)), as PyTorch does.
///
/// # Errors
/// When the device does not give the norm back.
pub fn clip_global_norm(
    gradients: Vec<Tensor<1>>,
    max_norm: f64,
) -> Result<(Vec<Tensor<1>>, f64), PolicyError> {
    let norm = global_norm(&gradients)?;
    let scale = clipping(norm, max_norm);
    if scale < 1.0 {
        let scaled = gradients.into_iter().map(|gradient| gradient.mul_scalar(scale)).collect();
        return Ok((scaled, norm));
    }
    Ok((gradients, norm))
}

/// What gradients of a norm are multiplied by, where it is below 1.
pub(super) fn clipping(norm: f64, max_norm: f64) -> f64 {
    max_norm / (norm + 1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(values: &[f32]) -> Tensor<1> {
        Tensor::from_data(values, &Device::flex())
    }

    #[test]
    fn first_step_moves_by_the_learning_rate_against_the_sign() {
        // m̂/√v̂ of the first step is the gradient's sign; decay takes η λ θ more.
        let settings = AdamWSettings { beta_1: 0.9, beta_2: 0.999, weight_decay: 0.1 };
        let mut optimizer = AdamW::new(&[2], settings, &Device::flex());
        let updated = optimizer.update(vec![tensor(&[1.0, 1.0])], vec![tensor(&[2.0, -3.0])], 0.01);
        let values = read_tensor(updated[0].clone()).expect("readable");
        assert!((values[0] - (1.0 - 0.001 - 0.01)).abs() < 1e-6, "{values:?}");
        assert!((values[1] - (1.0 - 0.001 + 0.01)).abs() < 1e-6, "{values:?}");
    }

    #[test]
    fn clipping_is_global() {
        // Norm of (3, 4) spread over two tensors is 5; clipped to 1: (0.6, 0.8).
        let gradients = vec![tensor(&[3.0]), tensor(&[4.0])];
        let (clipped, norm) = clip_global_norm(gradients, 1.0).expect("readable");
        assert!((norm - 5.0).abs() < 1e-6);
        let values: Vec<f32> =
            clipped.into_iter().flat_map(|g| read_tensor(g).expect("readable")).collect();
        assert!((values[0] - 0.6).abs() < 1e-5 && (values[1] - 0.8).abs() < 1e-5, "{values:?}");
    }
}

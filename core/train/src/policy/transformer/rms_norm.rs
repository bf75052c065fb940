//! RMS norm that does not hide an overflow.

use burn::nn::RmsNorm;
use burn::tensor::Tensor;

/// `x / rms(x) · γ`, and NaN if the mean square is beyond single precision. Divided by an infinite root, vectors
/// of large numbers would become zeros, and the model's answer a uniform distribution that looks like any other.
///
/// # Formula
/// rms(x) = √(mean(x²) + ε); 0 · rms(x) is added, which is 0 or NaN (Zhang and Sennrich 2019).
pub(super) fn normalized<const D: usize>(norm: &RmsNorm, x: Tensor<D>) -> Tensor<D> {
    let root = (x.clone().square().mean_dim(D - 1) + norm.epsilon).sqrt();
    let root = root.clone() + root.mul_scalar(0.0);
    (x / root) * norm.gamma.val().unsqueeze()
}

#[cfg(test)]
mod tests {
    use burn::nn::RmsNormConfig;
    use burn::tensor::Device;

    use super::*;

    #[test]
    fn overflow_is_not_a_number_and_all_else_is_as_it_was() {
        let device = Device::flex();
        let norm = RmsNormConfig::new(2).with_epsilon(1e-6).init(&device);
        let values = |x: Tensor<2>| x.try_into_vec_as::<f32>().expect("readable");
        let usual = Tensor::<2>::from_data([[3.0, -4.0], [0.0, 0.0], [1e18, 2.0]], &device);
        assert_eq!(values(normalized(&norm, usual.clone())), values(norm.forward(usual)));
        let large = Tensor::<2>::from_data([[1e38, 1.0], [f32::INFINITY, 1.0]], &device);
        // What would be hidden.
        assert_eq!(values(norm.forward(large.clone()))[..2], [0.0, 0.0]);
        assert!(values(normalized(&norm, large)).iter().all(|value| value.is_nan()));
    }
}

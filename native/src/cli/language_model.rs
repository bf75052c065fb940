//! Which language model a command works with, and where.

use clap::Args;
use hgpo_train::model::Precision;
use hgpo_train::policy::decoder::DecoderPolicy;

use crate::allocator::share_arena;
use crate::device::{self, DeviceChoice};
use crate::precision::PrecisionChoice;
use crate::run::{Display, LanguageModel};

#[derive(Debug, Args)]
pub(super) struct ModelChoice {
    /// A folder of Hugging Face's kind, a GGUF file, or a name on its hub (OWNER/NAME)
    #[arg(long, value_name = "DIR|NAME")]
    model: String,
    /// Where tensors live
    #[arg(long, value_enum, default_value_t)]
    device: DeviceChoice,
    /// What products with weights are computed in, where the device has it: f32, f16, bf16
    #[arg(long, value_enum, default_value_t)]
    precision: PrecisionChoice,
}

impl ModelChoice {
    /// Opens the model; its weights are not read yet.
    pub(super) fn open(&self) -> anyhow::Result<LanguageModel> {
        share_arena();
        LanguageModel::open(&self.model, &Display::new())
    }

    /// What its weights are held in.
    pub(super) fn precision(&self) -> Precision {
        self.precision.0
    }

    /// Reads its weights, and says on standard error where they live.
    pub(super) fn policy(&self, model: &LanguageModel) -> anyhow::Result<DecoderPolicy> {
        let chosen = device::choose(self.device)?;
        Display::new().warn(&format!("device {}", chosen.reason));
        model.policy(self.precision.0, false, &chosen)
    }
}

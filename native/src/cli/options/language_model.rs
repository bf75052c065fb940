//! Language model options: which model, on which device, in which precision.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hgpo_train::policy::transformer::DecoderPolicy;

use crate::allocator::share_arena;
use crate::device::{self, DeviceChoice, Workload};
use crate::precision::PrecisionChoice;
use crate::run::{Display, LanguageModel};

#[derive(Debug, Args)]
pub(crate) struct ModelChoice {
    /// Hugging Face model folder, GGUF file, or model on the Hugging Face hub (OWNER/NAME)
    #[arg(long, value_name = "DIR|NAME")]
    model: String,
    #[arg(long, default_value_t, help = DeviceChoice::HELP)]
    device: DeviceChoice,
    /// Data type of matrix products with the weights, if the device supports it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) precision: PrecisionChoice,
    /// Tell the model to think before it answers, or not to, if its chat template supports it (enable_thinking)
    /// [default: the template's]
    #[arg(long, value_parser = on_or_off())]
    pub(crate) thinking: Option<bool>,
}

/// Reads whether a model is asked to think.
fn on_or_off() -> impl TypedValueParser<Value = bool> {
    let values = [("on", "It thinks first"), ("off", "It answers at once")];
    let values = values.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).map(|name| name == "on")
}

impl ModelChoice {
    /// Opens the model; its weights are not read yet.
    pub(crate) fn open(&self) -> anyhow::Result<LanguageModel> {
        share_arena();
        LanguageModel::open(&self.model, &Display::new())
    }

    /// Reads its weights, and names the device on standard error.
    pub(crate) fn policy(&self, model: &LanguageModel) -> anyhow::Result<DecoderPolicy> {
        let chosen = device::choose(self.device, Workload::LanguageModel)?;
        Display::new().warn(&format!("device {}", chosen.reason));
        model.policy(self.precision.0, false, &chosen)
    }
}

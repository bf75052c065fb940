//! Defaults of a run: settings with which the small policy learns `chores` on two cores.

use std::collections::BTreeMap;

use hgpo_core::{Estimator, Hgpo, Objective, Scale};

use super::{
    AgentAverage, AgentRewards, BestBy, CheckpointConfig, Config, CriticConfig, CriticKind,
    EnvironmentConfig, EvaluationConfig, InitializationConfig, LearnConfig, LoraConfig, MetricsLog,
    ModelConfig, PolicyConfig, Precision, PretrainedConfig, RolloutConfig, Schedule, TraceConfig,
    WarmStartConfig,
};

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 1,
            environment: EnvironmentConfig::default(),
            policy: PolicyConfig::default(),
            agents: BTreeMap::new(),
            model: ModelConfig::default(),
            initialization: InitializationConfig::default(),
            pretrained: PretrainedConfig::default(),
            rollout: RolloutConfig::default(),
            warm_start: WarmStartConfig::default(),
            // Unlike the paper, without dividing by the deviation of a group.
            estimator: Estimator::Hgpo(Hgpo { scale: Scale::Mean, ..Hgpo::default() }),
            learn: LearnConfig::default(),
            critic: CriticConfig::default(),
            evaluation: EvaluationConfig::default(),
            checkpoint: CheckpointConfig::default(),
            trace: TraceConfig::default(),
        }
    }
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            hidden_size: 64,
            intermediate_size: 96,
            num_hidden_layers: 2,
            num_attention_heads: 4,
            num_key_value_heads: 2,
            rms_norm_eps: 1e-6,
            rope_theta: 100.0,
            attention_bias: true,
            query_key_norm: false,
            tie_word_embeddings: true,
            head_dim: None,
            rope_scaling: None,
        }
    }
}

impl Default for PretrainedConfig {
    fn default() -> Self {
        Self {
            model: String::new(),
            prompt: "compact".into(),
            max_prompt_tokens: 1024,
            precision: Precision::F32,
            thinking: None,
            lora: LoraConfig::default(),
        }
    }
}

impl Default for LoraConfig {
    fn default() -> Self {
        Self { rank: 16, alpha: 32.0, targets: LoraConfig::TARGETS.map(Into::into).to_vec() }
    }
}

impl Default for RolloutConfig {
    fn default() -> Self {
        Self {
            tasks: 16,
            group_size: 8,
            dynamic_sampling: 0,
            history_length: 2,
            temperature: 1.0,
            max_response_tokens: 8,
            batch_size: 32,
            batches: 1,
        }
    }
}

impl Default for WarmStartConfig {
    fn default() -> Self {
        Self {
            episodes: 1000,
            scripted_fraction: 0.95,
            epochs: 6,
            mini_batch_size: 32,
            learning_rate: 3e-3,
            beta_2: 0.98,
        }
    }
}

impl Default for LearnConfig {
    fn default() -> Self {
        Self {
            iterations: 500,
            environment_steps: 0,
            patience: 0,
            discount: 0.85,
            invalid_penalty: 0.1,
            normalize_advantages: true,
            agent_average: AgentAverage::default(),
            agent_rewards: AgentRewards::default(),
            restarts: 0,
            objective: Objective::default(),
            entropy_coefficient: 0.001,
            epochs: 1,
            mini_batch_size: 512,
            micro_batch_size: 16,
            micro_batch_tokens: 16_384,
            gradient_checkpointing: false,
            learning_rate: 5e-4,
            warmup_iterations: 10,
            schedule: Schedule::Linear,
            final_learning_rate_fraction: 0.1,
            beta_1: 0.9,
            beta_2: 0.999,
            weight_decay: 0.01,
            max_grad_norm: 1.0,
        }
    }
}

impl Default for CriticConfig {
    fn default() -> Self {
        Self { kind: CriticKind::None, keep: 0.9, ridge: 1.0 }
    }
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        Self { tasks: 128, seeds: vec![123, 456, 789], temperature: 0.4, top_p: 1.0, every: 0 }
    }
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        Self { every: 10, keep: 2, best: BestBy::None, traces_every: 10, log: MetricsLog::None }
    }
}

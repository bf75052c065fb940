use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use hgpo_env::{EnvironmentConfig, Split};

use super::*;
use crate::config::Config;
use crate::executor::Sequential;
use crate::policy::Policy;
use crate::rollout::prompt_format::PromptFormat;
use crate::trainer::{Learner, Trainer, initial_policy};

/// Workers of this process, of which the one that works goes away whenever `every` words were said, but not often
/// over the same job.
struct Here {
    start: Box<dyn Fn() -> Box<dyn RemoteWorker> + Send + Sync>,
    workers: Mutex<BTreeMap<u64, Box<dyn RemoteWorker>>>,
    published: Mutex<BTreeMap<u64, Vec<u8>>>,
    said: AtomicUsize,
    lost: AtomicUsize,
    in_a_row: AtomicUsize,
    every: usize,
}

impl Here {
    fn new<P: PortablePolicy>(policy: P, format: Arc<dyn PromptFormat>, every: usize) -> Arc<Self> {
        let start = move || -> Box<dyn RemoteWorker> {
            Box::new(PolicyWorker::new(policy.clone(), Arc::clone(&format)))
        };
        Arc::new(Self {
            start: Box::new(start),
            workers: Mutex::default(),
            published: Mutex::default(),
            said: AtomicUsize::new(0),
            lost: AtomicUsize::new(0),
            in_a_row: AtomicUsize::new(0),
            every,
        })
    }

    fn goes_away(&self) -> bool {
        let is_due = (self.said.fetch_add(1, SeqCst) + 1).is_multiple_of(self.every);
        let goes = is_due && (self.every == 1 || self.in_a_row.load(SeqCst) < MAX_LOST_WORKERS / 2);
        self.lost.fetch_add(usize::from(goes), SeqCst);
        self.in_a_row.fetch_add(usize::from(goes), SeqCst);
        goes
    }
}

impl WorkerPool for Here {
    fn jobs(&self) -> usize {
        1
    }

    fn begin(&self, _start: Vec<u8>) -> Result<(), PolicyError> {
        Ok(())
    }

    fn publish(&self, weights: u64, bytes: Vec<u8>) -> Result<(), PolicyError> {
        self.published.lock().unwrap().insert(weights, bytes);
        Ok(())
    }

    fn withdraw(&self, weights: u64) {
        assert!(self.published.lock().unwrap().remove(&weights).is_some());
    }

    fn run_job(
        &self,
        weights: u64,
        job: &[u8],
        answer: &mut AnswerQuestion<'_>,
    ) -> Result<Vec<u8>, JobError> {
        let published = self.published.lock().unwrap().clone();
        let mut workers = self.workers.lock().unwrap();
        let worker = workers.entry(0).or_insert_with(|| (self.start)());
        if worker
            .run_job(weights, &[], answer)
            .is_err_and(|it| it.to_string().contains("hold them"))
        {
            let kept: Vec<u64> = published.keys().copied().collect();
            worker.load_weights(weights, &published[&weights], &kept)?;
        }
        let mut gone = false;
        let mut answered = |question: &[u8]| {
            let reply = answer(question)?;
            gone |= self.goes_away();
            if gone { Err(PolicyError::Stopped) } else { Ok(reply) }
        };
        let done = worker.run_job(weights, job, &mut answered);
        if gone || self.goes_away() {
            workers.remove(&0);
            return Err(JobError::Lost("it was to go".into()));
        }
        self.in_a_row.store(0, SeqCst);
        Ok(done?)
    }
}

fn config() -> Config {
    let environment = EnvironmentConfig {
        name: "gridworld".into(),
        max_steps: 8,
        ..EnvironmentConfig::default()
    };
    let mut config = Config { environment, ..Config::default() };
    config.rollout.tasks = 2;
    config.rollout.group_size = 3;
    config.rollout.batch_size = 2;
    config.warm_start.episodes = 3;
    config.warm_start.epochs = 1;
    config.learn.mini_batch_size = 16;
    config.learn.micro_batch_size = 4;
    config.evaluation.tasks = 3;
    config
}

/// What two iterations, a warm start before and an evaluation after them come to: the bytes of a checkpoint
/// and of all that was played, and what was measured but for times.
fn trained<P: Policy>(config: &Config, policy: P, format: &Arc<dyn PromptFormat>) -> Vec<String> {
    let suite = hgpo_env::suite(&config.environment, None).unwrap();
    let mut trainer = Trainer::new(config, suite, Arc::clone(format), policy).unwrap();
    let mut found = vec![format!("{:?}", trainer.warm_start(&Sequential).unwrap().unwrap())];
    for _ in 0..2 {
        let iteration = trainer.iterate(&Sequential).unwrap().unwrap();
        found.push(format!("{:?} {:?}", iteration.metrics, iteration.trajectories));
    }
    let evaluated = trainer.evaluate_split(Split::Seen, 123, &Sequential).unwrap().unwrap();
    found.push(format!("{evaluated:?}"));
    let mut write = |name: &str, bytes: Vec<u8>| {
        found.push(format!("{name} {bytes:?}"));
        Ok(())
    };
    trainer.save(&mut write).unwrap();
    found
}

/// Training comes to the same if the work is dealt out, and if workers go away every few words.
fn is_the_same_elsewhere<P: PortablePolicy>(
    config: &Config,
    policy: &P,
    format: &Arc<dyn PromptFormat>,
) {
    let alone = trained(config, policy.clone(), format);
    for every in [usize::MAX, 7, 3] {
        let crew = Here::new(policy.clone(), Arc::clone(format), every);
        let hired: Arc<dyn WorkerPool> = Arc::clone(&crew) as _;
        let found = trained(config, RemotePolicy::new(policy.clone(), hired), format);
        for (found, alone) in found.iter().zip(&alone) {
            assert_eq!(found, alone, "{every}");
        }
        let said = crew.said.load(SeqCst);
        assert!(said > 50, "{said}");
        assert_eq!(crew.lost.load(SeqCst) > said / every / 4, every < usize::MAX);
        // Nobody uses them any more.
        assert_eq!(crew.published.lock().unwrap().len(), 0);
    }
}

#[test]
fn a_remote_table_learns_the_same_as_a_local_one() {
    let mut config = config();
    config.policy.kind = crate::config::PolicyKind::Table;
    let (policy, format) = initial_policy::table(&config);
    is_the_same_elsewhere(&config, &policy, &format);
}

#[test]
fn a_job_over_which_too_many_workers_are_lost_fails() {
    let mut config = config();
    config.warm_start.episodes = 0;
    let (policy, format) = initial_policy::table(&config);
    let crew = Here::new(policy.clone(), Arc::clone(&format), 1);
    let suite = hgpo_env::suite(&config.environment, None).unwrap();
    let mut trainer =
        Trainer::new(&config, suite, format, RemotePolicy::new(policy, Arc::clone(&crew) as _))
            .unwrap();
    let error = trainer.iterate(&Sequential).unwrap_err().to_string();
    assert!(error.contains("8 workers went away over the same job: it was to go"), "{error}");
    // Six episodes in batches of two: each of the three is tried as often.
    assert_eq!(crew.lost.load(SeqCst), 3 * MAX_LOST_WORKERS);
}

#[test]
fn damaged_messages_are_refused() {
    let (policy, format) = initial_policy::table(&config());
    let worker = PolicyWorker::new(policy, format);
    let mut nothing = |_: &[u8]| Ok(Vec::new());
    let error = worker.run_job(7, &[], &mut nothing).unwrap_err().to_string();
    assert!(error.contains("weights 7 are not here"), "{error}");
    assert!(worker.load_weights(7, b"no weights", &[]).is_err());
    let empty = Vec::<(u64, u64, f64)>::new();
    let bytes = serde_bytes::ByteBuf::from(encode(&empty).unwrap());
    worker.load_weights(7, &encode(&(false, bytes)).unwrap(), &[]).unwrap();
    for job in [&b""[..], b"\xff", b"Generate"] {
        assert!(worker.run_job(7, job, &mut nothing).is_err(), "{job:?}");
    }
    // The answer is no gradients of the loss.
    let job =
        encode(&Job::Gradient { passages: vec![(vec![1, 2, 3, 4], vec![0])], temperature: 1.0 });
    let done = worker.run_job(7, &job.unwrap(), &mut nothing).unwrap();
    assert!(matches!(decode(&done).unwrap(), JobResult::Failed(_)));
}

#[cfg(feature = "decoder")]
mod decoder {
    use burn::tensor::Device;

    use super::*;
    use crate::config::LoraConfig;
    use crate::policy::transformer::DecoderPolicy;
    use crate::policy::word_tokenizer::WordTokenizer;

    fn small(config: &mut Config) -> initial_policy::InitialPolicy<DecoderPolicy> {
        config.model.hidden_size = 16;
        config.model.intermediate_size = 16;
        config.model.num_hidden_layers = 1;
        config.model.num_attention_heads = 2;
        config.model.num_key_value_heads = 1;
        let suite = hgpo_env::suite(&config.environment, None).unwrap();
        let words = WordTokenizer::of(suite.as_ref()).unwrap();
        initial_policy::from_scratch(config, words, &Device::flex()).unwrap()
    }

    #[test]
    fn a_remote_decoder_learns_the_same_as_a_local_one() {
        let mut config = config();
        let (policy, format) = small(&mut config);
        is_the_same_elsewhere(&config, &policy, &format);
    }

    /// Responses of 40 tokens, whose episodes do not wait for each other, and adapters, which are put into the
    /// weights after the warm start.
    #[test]
    fn adapters_learn_the_same_elsewhere_from_long_responses() {
        let mut config = config();
        config.rollout.max_response_tokens = 40;
        config.environment.max_steps = 3;
        config.pretrained.lora =
            LoraConfig { rank: 2, targets: vec!["q_proj".into()], ..LoraConfig::default() };
        let (policy, format) = small(&mut config);
        let policy = initial_policy::with_training_settings(policy, &config);
        is_the_same_elsewhere(&config, &policy, &format);
    }

    #[test]
    fn weights_of_another_decoder_are_refused() {
        let (mut one, mut other) = (config(), config());
        let (one, _) = small(&mut one);
        other.seed = 2;
        let (other, _) = small(&mut other);
        let weights = one.write_weights().unwrap();
        assert_ne!(other.write_weights().unwrap(), weights);
        assert_eq!(other.with_weights(&weights).unwrap().write_weights().unwrap(), weights);
        let error = one.read_gradient(&[0; 4]).unwrap_err().to_string();
        assert!(error.contains("this is no gradient of this policy: it has 4 bytes"), "{error}");
        let mut wide = config();
        let suite = hgpo_env::suite(&wide.environment, None).unwrap();
        wide.model.hidden_size = 32;
        let words = WordTokenizer::of(suite.as_ref()).unwrap();
        let (wide, _) = initial_policy::from_scratch(&wide, words, &Device::flex()).unwrap();
        let error = wide.with_weights(&weights).unwrap_err().to_string();
        assert!(error.contains("these are no weights of this policy"), "{error}");
    }
}

// Conversations, and the dumps of trainers: a set of trajectories in each of these formats, and what it says there.
import { asJson, canonical } from "./trajectories.mjs";

/** Each state is a user's message, each action the assistant's answer to it. */
const seen = ({ state }, parts = false) => ({ role: "user", content: parts ? [{ type: "text", text: canonical(state) }] : canonical(state) });
const done = ({ action, valid }) => ({ role: "assistant", content: action ?? "wait", valid });
const messages = (steps) => steps.flatMap((step) => [seen(step), done(step)]);

/** Messages as objects that a damage can reach into. */
const objects = (all) => all.map((message) => ({ fields: asJson(message) }));
const conversations = (line) => (set) => ({ format: "conversations", records: set.map(line) });

/** Rewards in the messages of the assistant. */
const ofTurns = conversations(({ steps, ...own }) => ({
  fields: asJson(own), list: "messages",
  steps: objects(steps.flatMap((step) => [seen(step), { ...done(step), reward: step.reward }])),
}));

/** A prompt and what follows, with a list of rewards; content in parts. */
const completions = conversations(({ steps: [first, ...later], ...own }) => ({
  fields: [...asJson({ ...own, rewards: [first, ...later].map((step) => step.reward) }), ["prompt", JSON.stringify([seen(first)])]],
  list: "completion",
  steps: objects([done(first), ...later.flatMap((step, at) => [seen(step, at % 2 === 0), done(step)])]),
}));

/** Messages that name the one before them; a reward of the whole. */
const trees = conversations(({ steps, ...own }) => ({
  fields: asJson({ ...own, reward: steps.at(-1).reward }), list: "messages",
  steps: objects(messages(steps).map((message, at) => ({ ...message, id: `m${at}`, parent_id: at === 0 ? null : `m${at - 1}` }))),
}));

/** The set with one reward, at the end. */
const atEnd = (set) => set.map((own) => ({
  ...own, steps: own.steps.map((step, at) => at === own.steps.length - 1 ? step : { ...step, reward: 0 }),
}));

export const CONVERSATIONS = {
  conversations: { document: ofTurns },
  completions: { document: completions },
  trees: { document: trees, said: atEnd },
};

/** The same without what dumps do not say. */
const plain = (set) => atEnd(set).map(({ task, trajectory, steps }) => ({
  task, trajectory, steps: steps.map(({ state, action, reward }) => ({ state, action, reward })),
}));
/** A dump's prompts are its groups: trajectories of the same first state. */
const byPrompt = (set) => plain(set).map((own, at) => ({ ...own, task: `of ${canonical(own.steps[0].state)}`, trajectory: `${at}` }));
/** A single step, whose state is the prompt. */
const single = (set) => plain(set).map((own, at) => ({
  task: own.task, trajectory: `${at}`, steps: [{ ...own.steps[0], state: own.task, reward: set[at].steps[0].reward }],
}));

const dump = (said, line) => ({
  said,
  document: (set) => ({ format: "dump", records: said(set).map((own, at) => {
    const { list, steps, ...fields } = line(own, at);
    return { fields: asJson(fields), ...(list === undefined ? {} : { list, steps: objects(steps) }) };
  }) }),
});
const total = (own) => own.steps.at(-1).reward;
const rest = (own) => messages(own.steps).slice(1);
const turn = ({ steps: [step] }) => [canonical(step.state), step.action ?? "wait"];

export const DUMPS = {
  verl: dump(single, (own) => ({ input: turn(own)[0], output: turn(own)[1], gts: null, score: total(own), step: 7 })),
  "trl, texts": dump(single, (own) => ({ step: 7, prompt: turn(own)[0], completion: turn(own)[1], reward: total(own) })),
  "open-instruct": dump(single, (own, at) => ({
    step: 7, sample_idx: at, prompt_idx: own.task, prompt_tokens: [1, 2], response_tokens: [3], reward: total(own), advantage: 0.5,
  })),
  "trl, messages": dump(byPrompt, (own) => ({
    step: 7, prompt: [seen(own.steps[0])], reward: total(own), list: "completion", steps: rest(own),
  })),
  "verifiers, results": dump(plain, (own) => ({
    example_id: own.task, task: "e", prompt: [seen(own.steps[0])], reward: total(own), list: "completion", steps: rest(own),
  })),
  ragen: dump(plain, (own, at) => ({
    custom_id: `${at}`, metadata: { group_id: own.task, total_reward: total(own), success: false }, list: "messages", steps: messages(own.steps),
  })),
  traces: dump(plain, (own, at) => ({ group: { id: own.task }, traces: [{
    id: `${at}`, task: { key: "k" }, ok: true, rewards: { a: { score: total(own), weight: 0.5 }, b: total(own) * 0.5, c: null },
    nodes: messages(own.steps).map((message, place) => ({ parent: place === 0 ? null : place - 1, message, sampled: place % 2 === 1 })),
  }] })),
};

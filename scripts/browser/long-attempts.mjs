// Rollouts with many attempts of many steps.

/** Tasks of 128 attempts of 50 steps. */
export const large = (tasks) => Array.from({ length: 128 * tasks }, (_, attempt) => JSON.stringify({
  task: `g${attempt % tasks}`, trajectory: `t${attempt}`, success: attempt % 3 === 0,
  steps: Array.from({ length: 50 }, (_, time) => ({
    state: `You are in room ${(attempt * 7 + time * time) % 40}.`, action: "go on",
    reward: time === 49 && attempt % 3 === 0 ? 10 : 0,
  })),
})).join("\n");

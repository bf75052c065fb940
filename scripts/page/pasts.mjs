// Pasts of steps, as histories compare them.

/** Whether two steps, each an attempt and a place in it, are in the same state after the same `depth` states, which both
 * have. */
export const sharesPast = ([one, at], [other, place], depth) => depth <= Math.min(at, place)
  && Array.from({ length: depth + 1 }, (_, back) => back).every((back) => one.steps[at - back].state === other.steps[place - back].state);

// Begins the worker: every message is a request as JSON text, and is answered by one, in order.
import init, { answer } from "./hgpo-lane.js";

const ready = init();

addEventListener("message", async ({ data }) => {
  try {
    await ready;
    postMessage(answer(data));
  } catch (error) {
    setTimeout(() => { throw error; }); // outside of a promise, so that the page hears of it
  }
});

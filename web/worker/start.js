// Begins the worker: every message is a request as JSON text, and is answered by one, in order. After a failure
// the page begins a worker under an address with a query (see index.html); what that loads has the query too.
const { search } = location;

const ready = Promise.all([import(`./hgpo-worker.js${search}`), fetch(`./hgpo-worker_bg.wasm${search}`)])
  .then(async ([{ default: init, job: answer }, fetched]) => {
    await init({ module_or_path: fetched });
    return answer;
  });
ready.catch(() => {}); // told with the first request

addEventListener("message", async ({ data }) => {
  try {
    const answer = await ready;
    postMessage(answer(data));
  } catch (error) {
    setTimeout(() => { throw error; }); // outside of a promise, so that the page hears of it
  }
});

"""verl-agent's own entry point, with the package in its Ray workers, up to where it loads a model:

    python native/python/frameworks/try_verl_agent_ray.py CLONE ALFWORLD_DATA

CLONE is a checkout of verl-agent (d490e5b was tried), of which nothing is changed or stood in for. Needs what
try_verl_agent_loop.py needs, hydra-core, aiohttp, fastapi, uvicorn, openai and cachetools, and no alfworld: without
the hook its worker looks for that, with it the worker makes the environments and goes on to the model, which is named
as a folder that there is not.
"""

import os
import subprocess
import sys
import tempfile

HOOK = "hgpo.verl_agent.install"
MODEL = "/nowhere/model"
ASKED = [
    "algorithm.adv_estimator=hgpo", "data.train_batch_size=4", "data.val_batch_size=4", "env.env_name=alfworld/AlfredTWEnv", "env.rollout.n=3",
    "env.max_steps=50", "env.history_length=2", "ray_init.num_cpus=2", f"actor_rollout_ref.model.path={MODEL}",
]


def main():
    clone, data = (os.path.abspath(path) for path in sys.argv[1:3])
    for hook, expected in (([f"+ray_init.runtime_env.worker_process_setup_hook={HOOK}"], MODEL), ([], "No module named 'alfworld'")):
        with tempfile.TemporaryDirectory() as folder:
            found = subprocess.run(
                [sys.executable, "-m", "recipe.hgpo.main_hgpo", *ASKED, *hook, f"hydra.run.dir={folder}"], cwd=clone, capture_output=True, text=True,
                env={
                    **os.environ, "ALFWORLD_DATA": data, "RAY_AUTH_MODE": "disabled", "HYDRA_FULL_ERROR": "1",
                    "PYTHONPATH": os.pathsep.join([clone, os.environ.get("PYTHONPATH", "")]),
                },
            )
        last = found.stderr.strip().splitlines()[-1]
        assert found.returncode != 0 and expected in last, found.stderr[-3000:]
        # In the order of its TaskRunner, environments come before the tokenizer.
        assert ("hf_tokenizer(local_path" in found.stderr) == bool(hook), found.stderr[-3000:]
        print(f"verl-agent's entry point {'with' if hook else 'without'} the hook: {'its environments are there, ' if hook else ''}{last[:100]}")


if __name__ == "__main__":
    main()

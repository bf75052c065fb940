"""Measures how many steps per second WebShop's own text environment makes, beside `cargo bench -p hgpo-env
--bench webshop`: the same visits, two searches and a purchase in nine steps.

    pip install flask beautifulsoup4 gym==0.24.0 "numpy<2" thefuzz==0.22.1 rapidfuzz rich tqdm
    python scripts/record/webshop_steps.py FOLDER DATA

FOLDER holds `web_agent_site`, as in the copy of WebShop that verl-agent carries, and DATA the files of
1,000 products. Lucene and spaCy are not asked: every search finds 50 products at once, and no word is a
noun. So what is measured is the pages alone, in favour of the original.
"""

import json
import pathlib
import sys
import tempfile
import time
import types

VISITS = 60
KNOWN = {}


class Found:
    def __init__(self, asin):
        self.docid = asin

    def raw(self):
        return json.dumps({"id": self.docid})


class Searcher:
    def __init__(self, *_):
        pass

    def search(self, query, k):
        return [Found(asin) for asin in KNOWN.get(query, KNOWN[None])][:k]

    def doc(self, asin):
        return Found(asin)


def original(folder):
    """The original's environment, without what it imports for searches, nouns and pictures."""
    sys.path.insert(0, folder)
    for name in "spacy cleantext rank_bm25 pyserini pyserini.search pyserini.search.lucene torch".split():
        sys.modules[name] = types.ModuleType(name)
    sys.modules["pyserini.search.lucene"].LuceneSearcher = Searcher
    sys.modules["rank_bm25"].BM25Okapi = None
    sys.modules["torch"].manual_seed = lambda _: None
    sys.modules["spacy"].load = lambda _: lambda _: []
    # Its package imports the environment of a browser.
    package = types.ModuleType("web_agent_site.envs")
    package.__path__ = [str(pathlib.Path(folder, "web_agent_site", "envs"))]
    sys.modules["web_agent_site.envs"] = package
    import web_agent_site.utils as utils
    utils.HUMAN_ATTR_PATH = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False).name
    pathlib.Path(utils.HUMAN_ATTR_PATH).write_text("{}")
    from web_agent_site.envs.web_agent_text_env import WebAgentTextEnv
    return WebAgentTextEnv


def visit(env, number, queries):
    """Whether the purchase was made."""
    goal = env.server.goals[number]
    title = goal["name"].lower().replace("[", " ").replace("]", " ")
    KNOWN[title] = [goal["asin"], *KNOWN[None][:49]]
    env.reset(session=number)
    look = ["click[description]", "click[< prev]", "click[features]", "click[< prev]"]
    actions = [f"search[{queries[number % len(queries)]}]", "click[next >]", f"search[{title}]",
               f"click[{goal['asin'].lower()}]", *look, "click[buy now]"]
    for action in actions:
        _, _, done, _ = env.step(action)
        if not done:
            env.get_available_actions()
    return done


def main():
    folder, data = sys.argv[1], pathlib.Path(sys.argv[2])
    products = data / "items_shuffle_1000.json"
    KNOWN[None] = [product["asin"] for product in json.loads(products.read_text())][:50]
    env = original(folder)(
        observation_mode="text", file_path=str(products), attr_path=str(data / "items_ins_v2_1000.json"),
        num_products=1000, human_goals=0, seed=0)
    queries = (data / "queries.txt").read_text().splitlines()
    for number in range(20):
        visit(env, number, queries)
    begin = time.process_time()
    bought = sum(visit(env, number, queries) for number in range(20, 20 + VISITS))
    seconds = time.process_time() - begin
    print(f"{VISITS} visits, {bought} purchases: {9 * VISITS / seconds:.1f} steps per second of the processor")


if __name__ == "__main__":
    main()

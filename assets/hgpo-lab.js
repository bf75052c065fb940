// The page as an element of other pages:
//   <script src="https://…/hgpo-lab.js" async></script>
//   <hgpo-lab preset="overview" method="gigpo" hide="controls" lang="en" title="Four paths"></hgpo-lab>
// Attributes: every parameter of the page's address (docs/teaching.md), state (what follows # in a shared
// link), title. The element is as high as what it shows.
(() => {
  if (customElements.get("hgpo-lab")) return;
  const own = document.currentScript ?? document.querySelector('script[src*="hgpo-lab.js"]');
  const page = new URL("./", own.src);
  // What every element may have, and what says nothing of the work.
  const others = /^(state|title|class|id|style|slot|part|role|hidden|tabindex|dir|on.*|aria-.*|data-.*|.*[^a-z_].*)$/;

  class HgpoLab extends HTMLElement {
    #frame = document.createElement("iframe");

    #watch = new MutationObserver(() => this.#show());

    #hear = ({ source, origin, data }) => {
      if (source !== this.#frame.contentWindow || origin !== page.origin) return;
      if (data?.type !== "hgpo-lab:height" || !(data.height > 0)) return;
      this.#frame.style.height = `${Math.ceil(data.height)}px`;
    };

    constructor() {
      super();
      this.#frame.loading = "lazy";
      this.#frame.allow = "clipboard-write";
      this.#frame.style.cssText = "display:block;width:100%;height:640px;border:0;color-scheme:normal";
      this.attachShadow({ mode: "open" }).append(this.#frame);
    }

    connectedCallback() {
      this.style.display ||= "block";
      addEventListener("message", this.#hear);
      this.#watch.observe(this, { attributes: true });
      this.#show();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
      this.#watch.disconnect();
    }

    #show() {
      const address = new URL(page);
      address.searchParams.set("embed", "1");
      for (const { name, value } of this.attributes) {
        // Sites put their own language on every element: one that the page has not is none of its matters.
        if (name === "lang" && !/^(en|ko)\b/i.test(value)) continue;
        if (!others.test(name)) address.searchParams.set(name, value);
      }
      address.hash = this.getAttribute("state") ?? "";
      this.#frame.title = this.getAttribute("title") || "HGPO: groups within groups";
      if (this.#frame.src !== address.href) this.#frame.src = address.href;
    }
  }

  customElements.define("hgpo-lab", HgpoLab);
})();

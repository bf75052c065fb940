// The page as an element of other pages:
//   <script src="https://…/hgpo-lab.js" async></script>
//   <hgpo-lab preset="overview" hide="controls" lang="en" theme="light" title="Four paths"></hgpo-lab>
// Attributes: preset, lesson, step, hide, lang, theme (as in the page's address), state (what follows
// # in a shared link), title. The element is as high as what it shows.
(() => {
  if (customElements.get("hgpo-lab")) return;
  const own = document.currentScript ?? document.querySelector('script[src*="hgpo-lab.js"]');
  const page = new URL("./", own.src);
  const parameters = ["preset", "lesson", "step", "hide", "lang", "theme"];

  class HgpoLab extends HTMLElement {
    static observedAttributes = [...parameters, "state", "title"];

    #frame = document.createElement("iframe");

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
      this.#show();
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#show();
    }

    #show() {
      const address = new URL(page);
      address.searchParams.set("embed", "1");
      for (const name of parameters) {
        if (this.hasAttribute(name)) address.searchParams.set(name, this.getAttribute(name));
      }
      address.hash = this.getAttribute("state") ?? "";
      this.#frame.title = this.getAttribute("title") || "HGPO: groups within groups";
      if (this.#frame.src !== address.href) this.#frame.src = address.href;
    }
  }

  customElements.define("hgpo-lab", HgpoLab);
})();

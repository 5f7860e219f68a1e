// The element of a playground with a scene of its own. Its first frame is in the page, drawn at
// build by the same view (site_hooks/rendered_frames.py): the view takes it over as it stands.

import { hydrate, render } from "preact";
import { KeptAddress } from "./kept_address.js";
import { python } from "./python.js";
import { PythonNote } from "./python_note.jsx";
import { parseSceneAddress } from "./scene_address.js";
import { SceneSession } from "./scene_session.js";
import { startWhenNeeded } from "./start_policy.js";
import { stillSession } from "./still_session.js";

/**
 * Defines <spec-some-name> for the scene docs/scenes/some_name.py.
 *
 * @param {string} name of the scene
 * @param {string} file of specdec: what the playground shows
 * @param {(props: any) => import("preact").JSX.Element} View of the scene's own state: ViewProps of
 *   scene_types.d.ts
 */
export function definePlayground(name, file, View) {
  const Playground = class extends HTMLElement {
    /** @type {SceneSession | undefined} */
    session;
    /** @type {KeptAddress | undefined} */
    #address;

    connectedCallback() {
      const data = this.querySelector("template")?.content.textContent;
      const view = this.querySelector("[data-view]");
      if (!data || !view || this.session) return;
      const first = JSON.parse(data);
      hydrate(<View session={stillSession(first)} note={null} />, view);
      const session = new SceneSession(name, first, parseSceneAddress(location.search, first));
      this.session = session;
      this.#address = new KeptAddress(session);
      session.addEventListener("change", this.#draw);
      python.addEventListener("change", this.#draw);
      this.#draw();
      session.connect();
      startWhenNeeded(this);
    }

    disconnectedCallback() {
      this.#address?.end();
      this.session?.removeEventListener("change", this.#draw);
      python.removeEventListener("change", this.#draw);
      this.session?.close();
      this.session = undefined;
      const view = this.querySelector("[data-view]");
      if (view) render(null, view);
    }

    writeAddress() {
      this.#address?.write();
    }

    #draw = () => {
      const { session } = this;
      const view = this.querySelector("[data-view]");
      if (!session || !view) return;
      this.dataset.python = python.status.status;
      this.dataset.unknown = String(session.unknown); // its style sheet hides what is of no session
      const note = (
        <PythonNote
          file={file}
          status={python.status}
          notice={session.notice}
          error={session.error}
          showsRun={!session.unknown}
          onRetry={() => python.retry().catch(() => {})} // the status says what failed
        />
      );
      render(<View session={session} note={note} />, view);
    };
  };
  customElements.define(`spec-${name.replaceAll("_", "-")}`, Playground);
}

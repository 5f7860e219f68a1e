// Entry point of every page: names the custom elements that pages may use.

import { ExactnessElement } from "./exactness_panel.jsx";
import { MistakesElement } from "./mistakes.jsx";
import { NewVersionElement } from "./new_version.jsx";
import { loadPagesOfOtherBuildsWhole } from "./page_views.js";
import { OfflineElement } from "./offline.jsx";
import { PlaygroundElement } from "./playground.jsx";
import { PredictionElement } from "./prediction.jsx";
import { SameDrawsElement } from "./same_draws.jsx";
import { atRest, siteCopy } from "./site_copy.js";
import { SourceElement } from "./source_panel.jsx";

customElements.define("spec-exactness", ExactnessElement);
customElements.define("spec-mistakes", MistakesElement);
customElements.define("spec-new-version", NewVersionElement);
customElements.define("spec-offline", OfflineElement);
customElements.define("spec-playground", PlaygroundElement);
customElements.define("spec-prediction", PredictionElement);
customElements.define("spec-same-draws", SameDrawsElement);
customElements.define("spec-source", SourceElement);

loadPagesOfOtherBuildsWhole();
if (PUBLISHED) {
  document.body.append(document.createElement("spec-new-version"));
  atRest()
    .then(() => siteCopy.keep())
    .catch(() => {}); // all works, merely online
}

// What a page needs later than its playground; see lab.js.

import { ExactnessElement } from "./exactness_panel.jsx";
import { MistakesElement } from "./mistakes.jsx";
import { NewVersionElement } from "./new_version.jsx";
import { OfflineElement } from "./offline.jsx";
import { PredictionElement } from "./prediction.jsx";
import { SameDrawsElement } from "./same_draws.jsx";
import { atRest, siteCopy } from "./site_copy.js";
import { SourceElement } from "./source_panel.jsx";

customElements.define("spec-exactness", ExactnessElement);
customElements.define("spec-mistakes", MistakesElement);
customElements.define("spec-new-version", NewVersionElement);
customElements.define("spec-offline", OfflineElement);
customElements.define("spec-prediction", PredictionElement);
customElements.define("spec-same-draws", SameDrawsElement);
customElements.define("spec-source", SourceElement);

if (PUBLISHED) {
  document.body.append(document.createElement("spec-new-version"));
  atRest()
    .then(() => siteCopy.keep())
    .catch(() => {}); // all works, merely online
}

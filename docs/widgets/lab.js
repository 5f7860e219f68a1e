// Entry point of every page: names the custom elements that pages may use.

import { ExactnessElement } from "./exactness_panel.jsx";
import { MistakesElement } from "./mistakes.jsx";
import { PlaygroundElement } from "./playground.jsx";
import { PredictionElement } from "./prediction.jsx";
import { SameDrawsElement } from "./same_draws.jsx";
import { SourceElement } from "./source_panel.jsx";

customElements.define("spec-exactness", ExactnessElement);
customElements.define("spec-mistakes", MistakesElement);
customElements.define("spec-playground", PlaygroundElement);
customElements.define("spec-prediction", PredictionElement);
customElements.define("spec-same-draws", SameDrawsElement);
customElements.define("spec-source", SourceElement);

// Entry point of every page: names the custom elements that pages may use.

import { PlaygroundElement } from "./playground.jsx";
import { PredictionElement } from "./prediction.jsx";
import { SourceElement } from "./source_panel.jsx";

customElements.define("spec-playground", PlaygroundElement);
customElements.define("spec-prediction", PredictionElement);
customElements.define("spec-source", SourceElement);

// Draws a playground's first frame as its widget does: node rendered_frames.mjs <root> <name>
// The frame comes as JSON on the standard input, HTML goes to the standard output.

import { text } from "node:stream/consumers";
import { build } from "esbuild";

const [root, name] = process.argv.slice(2);

// Preact itself and the widget's view in one bundle, so that both use the same Preact.
const entry = `
  export { h } from "preact";
  export { renderToString } from "preact-render-to-string";
  export { stillSession } from "./still_session.js";
  export { View } from "./playgrounds/${name}.jsx";
`;

// There are no elements here to define, and no Python to start.
const withoutElements = {
  name: "without elements",
  setup: ({ onLoad }) =>
    onLoad({ filter: /playground_element\.jsx$/ }, () => ({
      contents: "export const definePlayground = () => {};",
    })),
};
const { outputFiles } = await build({
  stdin: { contents: entry, resolveDir: `${root}/docs/widgets` },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "error",
  plugins: [withoutElements],
});
const code = Buffer.from(outputFiles[0].contents).toString("base64");
const { h, renderToString, stillSession, View } = await import(`data:text/javascript;base64,${code}`);

const first = JSON.parse(await text(process.stdin));
process.stdout.write(renderToString(h(View, { session: stillSession(first), note: null })));

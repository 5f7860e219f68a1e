// Draws a playground's first frame as a component does, its View or its Miniature:
// node rendered_frames.mjs <root> <file in docs/widgets> <component>
// The frame comes as JSON on the standard input, HTML goes to the standard output.

import { text } from "node:stream/consumers";
import { build } from "esbuild";

const [root, file, component] = process.argv.slice(2);

// Preact itself and the component in one bundle, so that both use the same Preact.
const entry = `
  export { h } from "preact";
  export { renderToString } from "preact-render-to-string";
  export { stillSession } from "./still_session.js";
  export { ${component} as Component } from "./${file}";
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
const { h, renderToString, stillSession, Component } = await import(
  `data:text/javascript;base64,${code}`
);

const frame = JSON.parse(await text(process.stdin));
const props = component === "View" ? { session: stillSession(frame), note: null } : { frame };
process.stdout.write(renderToString(h(Component, props)));

// Lists the files that the service worker of a built site keeps: node service_worker.mjs <site>
// Python and what it imports on demand are not among them: the tab keeps these once used.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { injectManifest } from "workbox-build";

const [site] = process.argv.slice(2);

const { warnings } = await injectManifest({
  globDirectory: site,
  globPatterns: ["**/*.html", "build/**", "assets/**", "search/search_index.json", "sitemap.xml"],
  globIgnores: ["**/*.map", "assets/javascripts/lunr/**"], // search in other languages
  // The address of each of these changes with its content: no need to ask the server again.
  dontCacheBustURLsMatching: /^build\/[0-9a-f]{12}\/|\.[0-9a-f]{8}\.min\.(js|css)$/,
  manifestTransforms: [withHashes],
  swSrc: join(site, "sw.js"),
  swDest: join(site, "sw.js"),
});
if (warnings.length) throw new Error(warnings.join("\n"));

/**
 * The browser refuses a file with another hash: while a deploy spreads, a server may give a
 * page of the old build to the new build's service worker.
 */
async function withHashes(entries) {
  const manifest = await Promise.all(
    entries.map(async (entry) => {
      const hash = createHash("sha256").update(await readFile(join(site, entry.url)));
      return { ...entry, integrity: `sha256-${hash.digest("base64")}` };
    }),
  );
  return { manifest, warnings: [] };
}

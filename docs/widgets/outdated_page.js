// Without a service worker a page that has been open since before a deploy finds its build's
// files gone when it needs another of them.

import { BUILD } from "./this_build.js";

const ADDRESS_IN_A_BUILD = /\bbuild\/([0-9a-f]{12})\//;

/** @returns {Promise<boolean>} whether the server has this page in another build by now */
export async function isOutdated() {
  try {
    const response = await fetch(location.href, { cache: "no-cache" });
    const version = ADDRESS_IN_A_BUILD.exec(await response.text())?.[1];
    return version !== undefined && !BUILD.endsWith(`/${version}/`);
  } catch {
    return false; // no answer: nothing new
  }
}

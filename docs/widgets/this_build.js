// Where this file's build lies: it is published as <site>/build/<version>/widgets/….

export const BUILD = new URL("../", import.meta.url).href;
export const SITE_ROOT = new URL("../../", BUILD).href;

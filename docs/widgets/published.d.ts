/** Set by the build: false under `mkdocs serve`, where every change must be seen at once. */
declare const PUBLISHED: boolean;

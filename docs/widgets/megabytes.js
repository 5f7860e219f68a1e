// Sizes of downloads, in words.

/** @param {{loadedBytes: number, totalBytes: number}} progress */
export const megabytes = ({ loadedBytes, totalBytes }) =>
  `${(loadedBytes / 1e6).toFixed(1)} of ${inMegabytes(totalBytes)}`;

/** @param {number} bytes */
export const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

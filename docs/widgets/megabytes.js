// How far a download is, in words.

/** @param {{loadedBytes: number, totalBytes: number}} progress */
export const megabytes = ({ loadedBytes, totalBytes }) =>
  `${(loadedBytes / 1e6).toFixed(1)} of ${(totalBytes / 1e6).toFixed(1)} MB`;

// What a browser says of its connection.

/** @typedef {{saveData?: boolean, effectiveType?: string}} Connection */

/** Whether it is slow or dear: Python then waits for a touch, so that nobody pays in vain. */
export function sparesConnection() {
  const { connection } = /** @type {{connection?: Connection}} */ (navigator);
  return Boolean(connection?.saveData) || /2g|3g/.test(connection?.effectiveType ?? "");
}

// The mesh of the estate in gateway/e2e/test_pictures.py.

/**
 * Each endpoint by its id, the id of its parent (0: the gateway), its hops, and the ETX of its link
 * if the gateway hears it.
 *
 * @type {[id: number, ep: string, parent: number, hops: number, etx?: number][]}
 */
const MESH = [
  [1, "bay-north", 0, 1, 1.1],
  [2, "bay-south", 1, 2],
  [3, "cold-1", 0, 1, 1.2],
  [4, "cold-2", 3, 2],
  [5, "mast", 0, 1, 1.9],
  [6, "pump-house", 1, 2],
  [7, "rain-tank", 5, 2],
  [8, "orchard", 7, 3],
];

/**
 * The answer of a gateway whose radio carries no motes, with those of the estate.
 *
 * @param {any} answer
 */
export function withMotes(answer) {
  const host = (/** @type {number} */ id) => (id === 0 ? "1" : `100${id}`);
  const heardAt = new Date(Date.now() - 20_000).toISOString();
  answer.radios[0].name = "serial:/dev/vigil-radio";
  answer.routes = MESH.length;
  for (const [id, ep, parent, hops, etx] of MESH) {
    answer.nodes.push({
      address: `fd00::56:4947:494c:${host(id)}`,
      parent: `fd00::56:4947:494c:${host(parent)}`,
      hops,
      rank: 256 * hops,
      secondsLeft: 1500,
      secondsSilent: 20 + 7 * id,
      ep,
      endpoint: `${id}`,
    });
    if (etx !== undefined) {
      answer.neighbours.push({
        ...answer.others,
        eui64: `02564947494c${host(id)}`,
        address: `fe80::56:4947:494c:${host(id)}`,
        radio: answer.radios[0].name,
        heardAt,
        lqi: 200,
        level: 5,
        etx,
      });
    }
  }
  return answer;
}

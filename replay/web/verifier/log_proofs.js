// Proofs of the public log (RFC 9162).

import { hex, nodeHash } from "./hashes.js";

// One level up a tree. Beyond 2^31 the operators on bits fail, so this divides.
const above = (place) => Math.floor(place / 2);

// What the hash of a node becomes along a path up a tree, `last` being the last node of its level:
// `made` with all nodes beside the path, `old` with those to the left alone. Null where the path does
// not end at the root.
async function climbed(node, last, path, hash) {
  let made = hash, old = hash;
  const up = () => ([node, last] = [above(node), above(last)]);
  for (const step of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      old = await nodeHash(step, old);
      made = await nodeHash(step, made);
      while (node % 2 === 0 && node !== 0) up();
    } else {
      made = await nodeHash(made, step);
    }
    up();
  }
  return last === 0 ? { made, old } : null;
}

// RFC 9162, 2.1.3.2: the root that the path leads to from the leaf; null where it leads to none.
export async function rootOfPath(leaf, index, size, path) {
  if (!(index >= 0 && index < size)) return null;
  return (await climbed(index, size - 1, path, leaf))?.made ?? null;
}

export async function provesInclusion(leaf, index, size, path, root) {
  const made = await rootOfPath(leaf, index, size, path);
  return made !== null && hex(made) === hex(root);
}

// RFC 9162, 2.1.4.2: whether the path shows the first tree to be the beginning of the second one.
export async function provesConsistency(first, firstRoot, second, secondRoot, path) {
  if (first === second) return !path.length && hex(firstRoot) === hex(secondRoot);
  if (!(first > 0 && first < second)) return false;
  let node = first - 1, last = second - 1;
  while (node % 2 === 1) [node, last] = [above(node), above(last)];
  const [start, ...steps] = node === 0 ? [firstRoot, ...path] : path;
  const end = start && (await climbed(node, last, steps, start));
  return Boolean(end) && hex(end.old) === hex(firstRoot) && hex(end.made) === hex(secondRoot);
}

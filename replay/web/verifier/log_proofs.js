// Proofs of the public log (RFC 9162).

import { hex, nodeHash } from "./hashes.js";

export async function rootOfPath(leaf, index, size, path) {
  if (!(index >= 0 && index < size)) return null;
  // Beyond 2^31 the operators on bits fail, so this divides.
  let node = index, last = size - 1, made = leaf;
  const up = () => {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  };
  for (const step of path) {
    if (last === 0) return null;
    if (node % 2 === 1 || node === last) {
      made = await nodeHash(step, made);
      while (node % 2 === 0 && node !== 0) up();
    } else {
      made = await nodeHash(made, step);
    }
    up();
  }
  return last === 0 ? made : null;
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
  const up = () => {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  };
  while (node % 2 === 1) up();
  const steps = node === 0 ? [firstRoot, ...path] : path;
  if (!steps.length) return false;
  let [old] = steps, made = old;
  for (const step of steps.slice(1)) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      old = await nodeHash(step, old);
      made = await nodeHash(step, made);
      while (node % 2 === 0 && node !== 0) up();
    } else {
      made = await nodeHash(made, step);
    }
    up();
  }
  return last === 0 && hex(old) === hex(firstRoot) && hex(made) === hex(secondRoot);
}

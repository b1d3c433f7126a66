/** Quiet sounds, made by the browser itself, and vibration where there is any. */

/**
 * Notes in hertz one after the other, and milliseconds of vibration.
 * @type {Record<string, [number[], number[]]>}
 */
const KINDS = {
  turn: [[587, 784], [60]],
  card: [[330], []],
  round: [[523, 659, 784], [40, 60, 40]],
  hurry: [[784, 784], [120, 80, 120]],
};
const LOUD = 0.06;
const NOTE = 0.12; // seconds

/** @type {AudioContext | null} */
let context = null;

/** @param {string} kind */
export function sounded(kind) {
  const [notes, vibration] = KINDS[kind] ?? [[], []];
  if (vibration.length) navigator.vibrate?.(vibration);
  context ??= new AudioContext();
  context.resume();
  for (const [place, pitch] of notes.entries()) {
    const start = context.currentTime + place * NOTE;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + NOTE);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + NOTE);
  }
}

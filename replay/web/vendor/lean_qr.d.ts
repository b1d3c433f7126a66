/* What the lobby uses of lean-qr. */
export interface Bitmap { size: number; get(x: number, y: number): boolean }
export function generate(data: string): Bitmap;

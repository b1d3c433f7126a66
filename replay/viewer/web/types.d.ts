/* The data that the pages draw. It comes from the code that plays: `domain.view`, `domain.explain`
   and `replay.transcript`; nothing here is worked out in a browser. */

export interface Question { seat: number; kind: string; number?: number }
export interface SeatView {
  seat: number; name: string; bot: string; cards: number; phase: number; laid: boolean;
  made: number[]; points: number; skips: number; playing: boolean; front: string; jokers: string;
  pawn: number | null; stand_in?: string; key?: string; taken?: string; spurned?: string;
}
export interface GroupView {
  group: number; owner: number; kind: string; cards: string; low: number; high: number;
}
export interface TableView {
  game: string; ruleset: string; stage: string; round: number; replay: boolean; dealer: number;
  turn: number; active: number | null; waits: Question[]; stock: number; discard: string | null;
  discards: number; pile: string; dice: number[]; action: string; seats: (SeatView | null)[];
  groups: GroupView[]; winners: number[]; you: number | null; hand: string | null;
}
export interface GroupLegend {
  group: number; words: string; wilds: { at: number; stands_for: string }[];
  ends?: { low?: string; high?: string };
}
export interface Position {
  table: TableView; legend: { groups: GroupLegend[] }; hands?: (string | null)[];
}
export interface Move { cards: string; count: number; from: string; to: string }
export interface EventLine {
  seq: number; type: string; seat?: number; round: number; turn: number; sentence: string;
  more?: string[]; rule?: string; moves?: Move[];
}
export interface Operation { op: string; path: string; from?: string; value?: unknown }
export interface Frame extends EventLine { position?: Position; patch?: Operation[] }
export interface PhaseInfo {
  number: number; rule: string; text: string; words: string; groups: { words: string; cards: number }[];
}
export interface RulesetInfo {
  name: string; id: string; title: string; phases: PhaseInfo[]; track: string[];
  points: { ranks: number[]; wild: number; skip: number };
}
export interface Seat { name: string; bot: string }
/** Who looks: `all`, `spectator`, or the number of a seat. */
export type Chair = string;

export interface Marks {
  rounds: number[]; laid: number[]; out: number[]; skips: number[]; timeouts: number[];
}
export interface Claim { sentence: string; cards?: string; raw?: string }
export interface Finding {
  seq: number; code: string; text: string; rule?: string; rule_text?: string; turn?: string;
  recorded?: Claim; expected?: Claim; blame?: string; proves?: string; todo?: string;
  chain?: { leaf?: string; prev?: string; index?: number }; vouch?: string[];
}
export interface Verdict { headline: string; grade: string; sound: boolean; lines: string[] }
export interface ViewerDocument {
  viewer: string; title: string; game: string; rules: RulesetInfo; stage: string; events: number;
  langs: string[]; seats: Seat[]; chairs: Chair[]; frames: Record<Chair, string>;
  sentences?: Record<string, Record<Chair, string>>;
  translations?: Record<string, { rules: RulesetInfo; phrases: Record<string, string> }>;
  lang?: string; marks: Marks;
  distance?: [number, number][][]; verdict?: Verdict; findings: Finding[];
}

/** What the service answers, as far as these pages read it (openapi/openapi.json has it all). */

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

export interface LegendGroup {
  group: number; words: string; wilds: { at: number; stands_for: string }[];
  ends?: { low?: string; high?: string };
}

export interface Legend { groups: LegendGroup[] }

export interface Due { seat: number; kind: string; due_at: number; grace_until: number }

export interface Clock { seconds: number; grace?: number; then?: string }

export interface Terms {
  private?: boolean; spectators?: string; delay?: number; clock?: Clock; stand_in?: string;
  pace?: number; rematch_of?: string; reserved?: number[];
}

export interface GameView {
  game: string; version: number; server_commit: string; options: { [name: string]: OptionValue };
  terms: Terms; reserved: number[]; table: TableView; legend?: Legend; deadlines: Due[];
  head: string; reveal_by: number | null;
}

export type OptionValue = boolean | number | string | string[];

export interface LaidCards { cards: string; value?: number }

/** A command that answers a question; which fields it has follows from its type. */
export interface Command {
  type: string; source?: string; groups?: LaidCards[]; phase?: number; group?: number;
  cards?: string; end?: string; target?: number; steps?: number; action?: string; card?: string;
  value?: number; direction?: string; secret?: string;
}

export interface Actions {
  version: number; head: string; questions: Question[]; deadlines: Due[]; commands: Command[];
  more?: boolean; moves?: PawnMove[];
}

/** Where the pawn goes by so many steps. */
export interface PawnMove { steps: number; space: number; action: string }

export interface Move { cards: string; count: number; from: string; to: string }

export interface EventLine {
  seq: number; type: string; seat?: number; round: number; turn: number; sentence: string;
  more?: string[]; rule?: string; moves?: Move[];
}

export interface Operation { op: string; path: string; value?: unknown; from?: string }

export interface EventRecord { seq: number; type: string; data: any; hidden?: any }

export interface Delta {
  version: number; head: string; events: EventRecord[]; patch: Operation[]; lines?: EventLine[];
}

export interface Problem {
  type: string; title: string; status: number; code: string; detail?: string; rule?: string;
  at?: number; card?: string; errors?: { name: string; reason: string }[];
}

export interface Need { kind: string; size: number; parity?: string }

export interface PhaseInfo {
  number: number; rule: string; text: string; words: string; needs: Need[];
  groups: { words: string; cards: number }[];
}

export interface OptionInfo {
  name: string; number: string; default: OptionValue; values: string;
  choices: (boolean | number | string)[]; choice_meanings: string[]; meaning: string; rules: string[];
}

export interface RulesetInfo {
  name: string; id: string; title: string; seats_min: number; seats_max: number; hand: number;
  deck: { notation: string }; cards: { cards: string; total: number; points: number }[];
  phases: PhaseInfo[]; track: string[]; options: OptionInfo[];
}

export interface RulesetLine {
  name: string; id: string; title: string; seats_min: number; seats_max: number;
}

export interface Membership {
  host?: string; seat?: number; token?: string; name?: string; code?: string; secret?: string;
  ruleset?: string; kept?: boolean;
}

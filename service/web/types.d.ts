/** What the service answers, as far as these pages read it (openapi/openapi.json has it all). */

import type {
  EventLine, GroupLegend, Operation, PhaseInfo, Question, TableView,
} from "../../replay/viewer/web/types";

export type {
  EventLine, GroupLegend, GroupView, Move, Operation, PhaseInfo, Question, SeatView, TableView,
} from "../../replay/viewer/web/types";

export interface Legend { groups: GroupLegend[] }

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

export interface EventRecord { seq: number; type: string; data: any; hidden?: any }

export interface Delta {
  version: number; head: string; events: EventRecord[]; patch: Operation[]; lines?: EventLine[];
}

export interface Problem {
  type: string; title: string; status: number; code: string; detail?: string; rule?: string;
  at?: number; card?: string; errors?: { name: string; reason: string }[];
}

export interface OptionInfo {
  name: string; number: string; default: OptionValue; values: string;
  choices: (boolean | number | string)[]; choice_meanings: string[]; meaning: string; rules: string[];
}

export interface RulesetInfo {
  name: string; id: string; title: string; seats_min: number; seats_max: number; hand: number;
  cards: { cards: string; total: number; points: number }[];
  phases: PhaseInfo[]; track: string[]; options: OptionInfo[];
}

export interface RulesetLine {
  name: string; id: string; title: string; seats_min: number; seats_max: number;
}

export interface Membership {
  host?: string; seat?: number; token?: string; name?: string; code?: string; secret?: string;
  ruleset?: string; kept?: boolean;
}

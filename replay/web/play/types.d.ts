/* What the service answers. The API's own types are generated (../client/schemas.d.ts);
   here is what is made of them, and what only this browser keeps. */

import type { Actions as Asked, OptionInfo } from "../client/schemas";

export type {
  Actions, Again, CardMove, Delta, Done, EventLine, Following, FramesHeader, GameEntry, GameView, Hint,
  Joined, Leaderboard, Opened, OptionInfo, PawnMove, PhaseInfo, PlayerNames, Problem, Reacted,
  RoundEndedRecord, RuleSheet, RulesetInfo, RulesetLine, Scoreboard, SeatView, SignedIn, Verdict,
} from "../client/schemas";

export type OptionValue = OptionInfo["default"];

type Answer = Asked["commands"][number];
type FieldNames<T> = T extends unknown ? keyof T : never;
type FieldOf<T, Name extends PropertyKey> = T extends { [Key in Name]?: infer Value } ? Value : never;

/** A command that answers a question; which fields it has follows from its type. */
export type Command = { type: Answer["type"] } & {
  [Name in Exclude<FieldNames<Answer>, "type">]?: FieldOf<Answer, Name>;
};

/** What this browser keeps of a game: the caller's tokens, and who they are there. */
export interface Membership {
  host?: string; seat?: number; token?: string; name?: string; code?: string; secret?: string;
  ruleset?: string; kept?: boolean; over?: boolean;
  /** What the tab had before a link whose tokens the service has not taken yet. */
  link?: { former?: Membership };
  /** Whether the seat is of a player who has signed in. */
  player?: boolean;
  /** Where this browser is sent notices of the seat. */
  notify?: string;
}

/** The person of this browser, and the choices of the table that was opened last. */
export interface Person {
  name?: string;
  table?: {
    ruleset: string; chairs: string[]; options: Record<string, OptionValue>;
    terms: import("../lobby/terms.js").Chosen;
  };
}

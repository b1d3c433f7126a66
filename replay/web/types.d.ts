/* The data that the pages draw. It comes from the code that plays: `domain.view`, `domain.explain`
   and `replay.transcript`; nothing here is worked out in a browser. What the API describes is in
   `client/schemas.d.ts`, which is generated: `GOLDEN=write pytest tests/service/web/test_types.py`. */

export type {
  CardMove, DisputedEvent, EventClaim, EventLine, Frame, GroupLegend, GroupView, Marks, Position,
  RulesetInfo, SeatView, Sitter, TableView, ViewerDocument, ViewerVerdict,
} from "./client/schemas";

/** By seat: events and how many cards the hand lacked then; the description knows no pairs. */
export type Distance = [number, number][][];
/** Who looks: `all`, `spectator`, or the number of a seat. */
export type Chair = string;

/** What a press on a place does, and the places that take what is selected now. */
export interface Places {
  onPlace?: (place: string, event: Event) => void; open?: Set<string>;
}

/* The analysis of a finished game, as `phaseledger analyse --json` writes it. */

/** A command of a turn. */
export interface Choice {
  type: "draw" | "lay" | "hit" | "discard" | "pass" | "move" | "choose" | "search" | "ask" | "give" | "swap"
    | "keep";
  source?: "stock" | "discard"; groups?: { cards: string }[]; group?: number; cards?: string; target?: number;
  steps?: number; action?: string; value?: number; direction?: "left" | "right"; card?: string;
}
/** One way to decide; equities are chances to win. */
export interface Candidate {
  command: Choice; equity: number; behind: number; error: number; worlds: number;
  reasons?: { wait?: number; feeds?: number; feeds_hit?: boolean; points?: number };
  drawbacks?: {
    kind: "wait" | "hit" | "feeds" | "points";
    turns?: number; played?: number; best?: number; count?: number;
  }[];
}
/** A decision that was not forced, its candidates best first. */
export interface Judgement {
  seq: number; round: number; turn: number; seat: number; played: number; cost: number; error: number;
  candidates: Candidate[];
}
/** What a deal, cards from the stock or dice changed for each seat. */
export interface Luck {
  seq: number; round: number; turn: number; seat: number;
  kind: "deal" | "draw" | "dice"; card: string; odds: number; change: number[]; dice?: number[];
}
export interface Analysis {
  worlds: number;
  players: {
    seat: number; name: string; start: number; luck: number; errors: number; result: number;
    start_points?: number; points?: number;
  }[];
  rounds: { round: number; luck: number[]; errors: number[]; after: number[]; points?: number[] }[];
  luck: Luck[];
  decisions: Judgement[];
}

declare global {
  /** The words that stand inside of a joined script, by language. */
  const WORDS: Record<string, Record<string, string | Record<string, string>>>;
  /** How each language calls itself. */
  const LANGUAGE_NAMES: Record<string, string>;
}

/* The data that the pages draw. It comes from the code that plays: `domain.view`, `domain.explain`
   and `replay.transcript`; nothing here is worked out in a browser. What the API describes is in
   `schemas.d.ts`, which is generated: `GOLDEN=write pytest tests/service/web/test_types.py`. */

export type {
  CardMove, DisputedEvent, EventClaim, EventLine, Frame, GroupLegend, GroupView, Marks, Position,
  RulesetInfo, SeatView, Sitter, TableView, ViewerDocument, ViewerVerdict,
} from "./schemas";

/** By seat: events and how many cards the hand lacked then; the description knows no pairs. */
export type Distance = [number, number][][];
/** Who looks: `all`, `spectator`, or the number of a seat. */
export type Chair = string;

declare global {
  /** The words that stand inside of a joined script, by language. */
  const WORDS: Record<string, Record<string, string | Record<string, string>>>;
  /** How each language calls itself. */
  const LANGUAGE_NAMES: Record<string, string>;
}

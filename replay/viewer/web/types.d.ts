/* The data that the pages draw. It comes from the code that plays: `domain.view`, `domain.explain`
   and `replay.transcript`; nothing here is worked out in a browser. What the API describes is in
   `schemas.d.ts`, which is generated: `GOLDEN=write pytest tests/service/web/test_types.py`. */

import type { Frame as UntypedFrame, Legend, TableView } from "./schemas";

export type {
  CardMove, DisputedEvent, EventClaim, EventLine, GroupLegend, GroupView, Marks, RulesetInfo,
  SeatView, Sitter, TableView, ViewerDocument, ViewerVerdict,
} from "./schemas";

/** What a chair sees of the table; `hands` are there where everything is open. */
export interface Position { table: TableView; legend: Legend; hands?: (string | null)[] }
export type Frame = Omit<UntypedFrame, "position"> & { position?: Position };
/** By seat: events and how many cards the hand lacked then; the description knows no pairs. */
export type Distance = [number, number][][];
/** Who looks: `all`, `spectator`, or the number of a seat. */
export type Chair = string;

/**
 * For how long a database that says nothing is borne with. The times stand together because they are measured against
 * each other: a leader beats and gives up before the database ends its session and lets another lead.
 */
export interface Patience {
  /** Connections are looked at so often, */
  readonly lookEveryMs: number
  /** found silent after so long without a byte, */
  readonly silentAfterMs: number
  /** and given up unless the database, asked elsewhere, says within this time that it works for them. */
  readonly askedWithinMs: number
  /** Whoever leads says so that often, */
  readonly beatEveryMs: number
  /** and leads no more when no answer came for so long: with the pause before it less than the silence below. */
  readonly beatAnsweredWithinMs: number
  /** The database ends the session of a leader after so long a silence. */
  readonly leaderSilentMs: number
  /** So long is asked what became of a change whose end was not heard of. */
  readonly outcomeWithinMs: number
  /** Health speaks of a database that did not answer for so long, */
  readonly healthWithinMs: number
  /** of work of the clock that nobody has done for so long: a leader that is gone is followed in less than 10 s, */
  readonly withoutLeaderMs: number
  /** and of reports that were not stored for so long: a batch that fails once is stored a moment later. */
  readonly unstoredMs: number
}

export const PATIENCE: Patience = {
  lookEveryMs: 250,
  silentAfterMs: 2_000,
  askedWithinMs: 3_000,
  beatEveryMs: 1_500,
  beatAnsweredWithinMs: 3_000,
  leaderSilentMs: 6_000,
  outcomeWithinMs: 6_000,
  healthWithinMs: 2_000,
  withoutLeaderMs: 15_000,
  unstoredMs: 5_000,
}

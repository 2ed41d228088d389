/**
 * Says how long a silent database is waited for. The times stand together because they depend on each other: a leader
 * must beat and give up before the database ends its session and lets another lead.
 */
export interface Patience {
  /** Connections are checked at this interval. */
  readonly lookEveryMs: number
  /** A connection counts as silent after this time without a byte. */
  readonly silentAfterMs: number
  /** A silent connection is ended unless the database, asked elsewhere, says within this time that it works for it. */
  readonly askedWithinMs: number
  /** A leader sends a beat at this interval. */
  readonly beatEveryMs: number
  /** A leader whose beat is not answered for this long stops; with the interval this is less than `leaderSilentMs`. */
  readonly beatAnsweredWithinMs: number
  /** The database ends the session of a leader after this silence. */
  readonly leaderSilentMs: number
  /** The fate of a change whose end was not heard of is looked for this long. */
  readonly outcomeWithinMs: number
  /** Health reports a database that did not answer for this long. */
  readonly healthWithinMs: number
  /** Health reports scheduled work that nobody has done for this long; a lost leader is followed in less than 10 s. */
  readonly withoutLeaderMs: number
  /** Health reports readings that were not stored for this long; a batch that fails once is stored a moment later. */
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

export interface KnownOffence {
  readonly offence: string
  /** Words of the statement, with one space between them. */
  readonly statement: string
}

/** Entries leave this list, and none is added. */
export const KNOWN_OFFENCES: readonly KnownOffence[] = []

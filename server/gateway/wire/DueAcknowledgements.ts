import { acknowledgements } from './packets.ts'

interface Due {
  readonly token: number
  readonly reports: number
}

export class DueAcknowledgements {
  /** The reports in packets that wait for their commit. */
  #waitingReports = 0
  /** The lengths of packets with arrays, by token. Most connections have none, so the map exists only when needed. */
  #listLengths: Map<number, number> | undefined
  #due: Due[] = []

  expect(token: number, reports: number): void {
    this.#waitingReports += reports
    if (reports === 1) return
    this.#listLengths ??= new Map()
    this.#listLengths.set(token, reports)
  }

  stored(token: number): void {
    const reports = this.#listLengths?.get(token) ?? 1
    if (this.#listLengths?.delete(token) && this.#listLengths.size === 0) this.#listLengths = undefined
    this.#waitingReports -= reports
    this.#due.push({ token, reports })
  }

  /** Holds back the newest for as many reports as the device owes. @returns undefined when none may be sent */
  take(debt: number): Buffer | undefined {
    let owed = debt === 0 ? 0 : debt - this.#waitingReports
    let paid = this.#due.length
    while (paid > 0 && owed > 0) owed -= this.#due[--paid]?.reports ?? 0
    if (paid === 0) return undefined
    const sent = this.#due
    // A new array is made, because one that was long would keep its memory.
    this.#due = sent.slice(paid)
    return acknowledgements(sent.slice(0, paid).map(({ token }) => token))
  }
}

import type { Db } from '#server/db/database.ts'
import { hasRelease, readProgram } from './releases.store.ts'

/** A wave of devices asks for the same file, so the newest stays in memory while it exists. */
export class NewestRelease {
  readonly #db: Db
  #kept: { readonly sha256: string; readonly content: Promise<Buffer | undefined> } | undefined

  constructor(db: Db) {
    this.#db = db
  }

  async content(sha256: string): Promise<Buffer | undefined> {
    if (!(await hasRelease(this.#db, sha256))) return undefined
    if (this.#kept?.sha256 !== sha256) {
      const content = readProgram(this.#db, sha256)
      this.#kept = { sha256, content }
      content.catch(() => {
        if (this.#kept?.content === content) this.#kept = undefined
      })
    }
    return this.#kept.content
  }
}

import { createHash } from 'node:crypto'
import { SECOND_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import { pageFeed } from './pageFeed.ts'
import { pageHtml } from './pageHtml.ts'
import { type FoundPage, findPage, readContent } from './pageReading.store.ts'

export interface MadePage {
  readonly page: FoundPage
  readonly html: string
  readonly feed: { readonly xml: string; readonly etag: string; readonly lastModified: string }
}

const KEPT_MS = 5 * SECOND_MS
const MOST_KEPT = 500

/** Keeps pages for some seconds, so that a crowd causes one query. A page that does not exist is not kept. */
export class PageCache {
  readonly #make: (address: string) => Promise<MadePage | undefined>
  readonly #kept = new Map<string, { readonly madeAtMs: number; readonly made: Promise<MadePage | undefined> }>()

  constructor(make: (address: string) => Promise<MadePage | undefined>) {
    this.#make = make
  }

  async find(address: string): Promise<MadePage | undefined> {
    const nowMs = performance.now()
    const known = this.#kept.get(address)
    if (known && nowMs - known.madeAtMs < KEPT_MS) return known.made
    this.#kept.delete(address)
    const made = this.#make(address)
    this.#kept.set(address, { madeAtMs: nowMs, made })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    const forget = () => {
      if (this.#kept.get(address)?.made === made) this.#kept.delete(address)
    }
    made.then((found) => {
      if (!found) forget()
    }, forget)
    return made
  }

  clear(): void {
    this.#kept.clear()
  }
}

export async function makePage(
  { db, clock, addresses }: Pick<Given, 'db' | 'addresses'> & { readonly clock: Pick<Given['clock'], 'now'> },
  address: string,
): Promise<MadePage | undefined> {
  const page = await findPage(db, address)
  if (!page) return undefined
  const now = clock.now()
  const content = await readContent(db, page, now)
  const drawn = { page, content, path: `/status/${address}`, now }
  const { xml, updated } = pageFeed(drawn, addresses().httpUrl)
  const etag = `"${createHash('sha256').update(xml).digest('base64url').slice(0, 22)}"`
  return { page, html: pageHtml(drawn), feed: { xml, etag, lastModified: updated.toUTCString() } }
}

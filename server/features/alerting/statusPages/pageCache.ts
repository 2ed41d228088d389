import { createHash } from 'node:crypto'
import { SECOND_MS } from '#domain/units/time.ts'
import { pageFeed } from './pageFeed.ts'
import { pageHtml } from './pageHtml.ts'
import type { FoundPage, PageReading } from './pageReading.store.ts'

export interface MadePage {
  readonly page: FoundPage
  readonly html: string
  readonly feed: { readonly xml: string; readonly etag: string; readonly lastModified: string }
}

export interface PageCacheDeps {
  readonly reading: PageReading
  readonly publicUrl: () => string
  readonly now: () => Date
}

const KEPT_MS = 5 * SECOND_MS
const MOST_KEPT = 500

export type PageCache = ReturnType<typeof createPageCache>

/** Keeps pages for some seconds, so that a crowd causes one query. A page that does not exist is not kept. */
export function createPageCache({ reading, publicUrl, now }: PageCacheDeps) {
  const kept = new Map<string, { readonly madeAtMs: number; readonly made: Promise<MadePage | undefined> }>()

  async function make(address: string): Promise<MadePage | undefined> {
    const page = await reading.find(address)
    if (!page) return undefined
    const moment = now()
    const content = await reading.content(page, moment)
    const drawn = { page, content, path: `/status/${address}`, now: moment }
    const { xml, updated } = pageFeed(drawn, publicUrl())
    const etag = `"${createHash('sha256').update(xml).digest('base64url').slice(0, 22)}"`
    return { page, html: pageHtml(drawn), feed: { xml, etag, lastModified: updated.toUTCString() } }
  }

  return {
    find: async (address: string): Promise<MadePage | undefined> => {
      const nowMs = performance.now()
      const known = kept.get(address)
      if (known && nowMs - known.madeAtMs < KEPT_MS) return known.made
      kept.delete(address)
      const made = make(address)
      kept.set(address, { madeAtMs: nowMs, made })
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
      const forget = () => {
        if (kept.get(address)?.made === made) kept.delete(address)
      }
      made.then((found) => {
        if (!found) forget()
      }, forget)
      return made
    },
    clear: () => kept.clear(),
  }
}

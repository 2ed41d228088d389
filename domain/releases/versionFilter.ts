import { compareVersions, isVersion } from './version.ts'

export type VersionFilter =
  | { readonly kind: 'is'; readonly version: string }
  | { readonly kind: 'olderThan'; readonly version: string }
  | { readonly kind: 'unknown' }

const UNKNOWN = 'unknown'
const OLDER_THAN = 'before-'

/** Writes it for addresses and calls: `2.4.1`, `before-2.4.1`, `unknown`. */
export function writeVersionFilter(filter: VersionFilter): string {
  if (filter.kind === 'unknown') return UNKNOWN
  return filter.kind === 'olderThan' ? `${OLDER_THAN}${filter.version}` : filter.version
}

/** Returns undefined for a text that is no filter. A device may report any text, so any text may be its version. */
export function readVersionFilter(text: string): VersionFilter | undefined {
  if (text === UNKNOWN) return { kind: 'unknown' }
  if (!text.startsWith(OLDER_THAN)) return text.trim() === '' ? undefined : { kind: 'is', version: text }
  const version = text.slice(OLDER_THAN.length)
  return isVersion(version) ? { kind: 'olderThan', version } : undefined
}

export const isVersionFilter = (text: string): boolean => readVersionFilter(text) !== undefined

export const olderThan = (version: string, all: readonly string[]): readonly string[] =>
  all.filter((one) => isVersion(one) && compareVersions(one, version) < 0)

/** Sorts the newest first; texts that are no versions and unknown ones come last. */
export function byNewest(one: string | null, other: string | null): number {
  const [rank, otherRank] = [rankOf(one), rankOf(other)]
  if (one === null || other === null || rank !== otherRank) return rank - otherRank
  return isVersion(one) ? compareVersions(other, one) : one < other ? -1 : 1
}

const rankOf = (version: string | null) => (version === null ? 2 : isVersion(version) ? 0 : 1)

/** The text reads well after the name of its field and without it. */
export function versionFilterLabel(text: string): string {
  const filter = readVersionFilter(text)
  if (filter?.kind === 'olderThan') return `Older than ${filter.version}`
  return filter?.kind === 'is' ? filter.version : 'Unknown'
}

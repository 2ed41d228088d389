import { tagKey } from '#domain/devices/tags.ts'
import { olderThan, readVersionFilter } from '#domain/releases/versionFilter.ts'
import type { Db } from '#server/db/database.ts'
import { type ClientRequest, knownVersions } from './deviceVersions.store.ts'

interface Request {
  readonly search?: string | undefined
  readonly place?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly clientVersion?: string | undefined
}

/** Reads what people write in a filter: words, a place, tags, and a version of the client. */
export async function understood<Query extends Request>(db: Db, asked: Query) {
  const [query, client] = await Promise.all([folded(asked), clientOf(db, asked.clientVersion)])
  return { ...query, client }
}

/**
 * Folds the search as the database compares it. A search of nothing but punctuation finds what an empty search finds.
 */
async function folded<Query extends Request>(asked: Query) {
  const { search = '', place = '' } = asked
  const query = { ...asked, tags: asked.tags?.map(tagKey) }
  if (search === '' && place === '') return { ...query, needles: undefined, placeNeedles: undefined }
  const words = await import('#domain/devices/searchText.ts')
  // A device at a place has the place's words, so the index of all words helps there too.
  const needles = words.searchNeedles(`${search} ${place}`)
  const placeNeedles = words.placeNeedles(place)
  return {
    ...query,
    needles: needles.length === 0 ? undefined : needles,
    placeNeedles: placeNeedles.length === 0 ? undefined : placeNeedles,
  }
}

async function clientOf(db: Db, text = ''): Promise<ClientRequest | undefined> {
  const asked = readVersionFilter(text)
  if (asked === undefined || asked.kind === 'unknown') return asked
  if (asked.kind === 'is') return { kind: 'runs', versions: [asked.version] }
  return { kind: 'runs', versions: olderThan(asked.version, await knownVersions(db)) }
}

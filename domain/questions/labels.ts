import { isTag } from '../devices/tags.ts'
import { isVersion } from '../releases/version.ts'
import { type VersionFilter, versionFilterLabel, writeVersionFilter } from '../releases/versionFilter.ts'
import { phraseAt, type Token } from './tokens.ts'

/** What follows a keyword: the number of tokens in all, and their meaning or the reason why they have none. */
type Labelled<Sets> =
  | { readonly count: number; readonly sets: Sets; readonly says: string }
  | { readonly count: number; readonly why: string }

interface Tags {
  readonly tags: readonly string[]
}

const SIGN = '#'
export const TAG_LEADS = ['tagged', 'tag', 'tags', 'with tag', 'with the tag', 'with tags']
export const VERSION_LEADS = ['client', 'version', 'client version', 'with client', 'with version', 'running', 'runs']
const OLDER_THAN = ['<', 'older than', 'older', 'below', 'before', 'under']
export const OLDER_LEADS = ['older than']

/** `#vip` ends the name before it. */
export const isTagSign = (token: Token | undefined): boolean => token?.word.startsWith(SIGN) === true

/** Reads `#vip` and `#"line 7"`. */
export function signedTag(tokens: readonly Token[], at: number): Labelled<Tags> | undefined {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (!isTagSign(token) || token === undefined) return undefined
  if (token.typed === SIGN && next?.quoted !== undefined) return { count: 2, ...tagged(next.quoted) }
  return { count: 1, ...tagged(token.typed.slice(SIGN.length)) }
}

export const tagged = (tag: string): { sets: Tags; says: string } | { why: string } =>
  isTag(tag)
    ? { sets: { tags: [tag.normalize('NFC').trim()] }, says: `tag “${tag}”` }
    : { why: 'a tag has 1 to 40 characters and no comma' }

/** Reads `client 2.4.1`, `version < 2.4.1`, `older than 2.4.1`, `client unknown`; other texts need quotes. */
export function clientVersion(tokens: readonly Token[], at: number): Labelled<{ clientVersion: string }> | undefined {
  const older = phraseAt(tokens, at, OLDER_LEADS)
  const lead = older === undefined ? phraseAt(tokens, at, VERSION_LEADS) : 0
  if (lead === undefined) return undefined
  const sign = phraseAt(tokens, at + lead, OLDER_THAN) ?? 0
  const count = lead + sign
  const asked = versionOf(tokens[at + count], sign > 0)
  if (asked === undefined) return { count, why: 'say client 2.4.1, client < 2.4.1 or client unknown' }
  const text = writeVersionFilter(asked)
  return { count: count + 1, sets: { clientVersion: text }, says: `client ${versionFilterLabel(text).toLowerCase()}` }
}

function versionOf(token: Token | undefined, isOlder: boolean): VersionFilter | undefined {
  const { word = '', quoted } = token ?? {}
  if (isVersion(word)) return { kind: isOlder ? 'olderThan' : 'is', version: word }
  if (isOlder) return undefined
  return quoted === undefined ? (word === 'unknown' ? { kind: 'unknown' } : undefined) : { kind: 'is', version: quoted }
}

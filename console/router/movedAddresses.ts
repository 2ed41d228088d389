import type { Address } from './addressText.ts'

/** Bookmarks and links in mails still have the names on the left. */
const MOVED: readonly (readonly [before: string, now: string])[] = [
  ['/who-is-told', '/notifications/routes'],
  ['/channels', '/notifications/channels'],
  ['/client-software', '/device-software/releases'],
  ['/client-updates', '/device-software/rollouts'],
]

/** The address that a page has now; undefined where none has moved. What follows the path stays as it is. */
export function movedAddress(address: string): Address | undefined {
  const moved = MOVED.find(([before]) => address.startsWith(before) && /^($|[/?#])/.test(address.slice(before.length)))
  return moved && (`${moved[1]}${address.slice(moved[0].length)}` as Address)
}

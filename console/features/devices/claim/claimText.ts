import type { ClaimFacts } from '#contract/http/devices/claims.ts'
import { hardwareName } from '#domain/claims/namePattern.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

export const serialOf = ({ serialNumbers }: ClaimFacts): string => serialNumbers.join(', ') || UNKNOWN_TEXT
export const macOf = ({ macAddresses }: ClaimFacts): string => macAddresses.join(', ') || UNKNOWN_TEXT
/** What tells this device from others that wait. */
export const nameOfFacts = (facts: ClaimFacts): string => hardwareName(facts) || UNKNOWN_TEXT

export const claimMessages = {
  needsHttps: 'Scanning needs HTTPS: without it the browser lets no page use the camera. Type the code instead.',
  selfSaid: 'The device says this itself.',
  known: (name: string, customer: string) =>
    `The same hardware is here already, as “${name}” of ${customer}. Was it installed anew? Then give it that record. Claim it as a new device only if it was given away.`,
  confirmGive: (name: string, customer: string) =>
    `Give this box the record of “${name}” of ${customer}? It goes on where the device stopped, and what has connected as “${name}” so far can do so no more.`,
  confirmGiveMany: (names: readonly string[]) =>
    `Give these ${names.length} boxes the records of ${names.join(', ')}? Each goes on where its device stopped, and what has connected as these devices so far can do so no more.`,
  given: (names: readonly string[]) => `Accepted as ${names.length === 1 ? names[0] : `${names.length} devices`}.`,
  addedAgain: (known: readonly { readonly box: string; readonly name: string; readonly customerName: string }[]) =>
    `${known.map(({ box, name, customerName }) => `${box} looks like “${name}” of ${customerName}`).join('; ')}. Accepted here, it becomes another device.`,
  keyShownOnce: 'Copy it now: it is not shown again. Put it into the disk image as WAYSIDE_CLAIM_KEY.',
  confirmEndKey: (name: string) =>
    `End the claim key “${name}”? No device enters with it any more. Devices that wait stay in the list.`,
  keyEnded: (name: string) => `The claim key is ended: ${name}.`,
  confirmRefuse: (count: number) =>
    count === 1 ? 'Refuse this device? It gets no access.' : `Refuse ${count} devices? They get no access.`,
  refused: 'Refused.',
}

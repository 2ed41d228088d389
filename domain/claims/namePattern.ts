interface NamedHardware {
  readonly serialNumbers: readonly string[]
  readonly macAddresses: readonly string[]
}

/** What tells this hardware from others; empty when it says nothing. */
export const hardwareName = ({
  serialNumbers,
  macAddresses,
  hostName,
}: NamedHardware & { readonly hostName: string }) => serialNumbers[0] ?? macAddresses[0] ?? hostName

/** Makes the name of the device at this place: `{nn}` counts in two digits, `{serial}` and `{mac}` are its own. */
export function nameByPattern(pattern: string, number: number, { serialNumbers, macAddresses }: NamedHardware): string {
  return pattern
    .replaceAll(/\{(n{1,6})\}/g, (_, digits: string) => String(number).padStart(digits.length, '0'))
    .replaceAll('{serial}', () => serialNumbers[0] ?? '')
    .replaceAll('{mac}', () => macAddresses[0] ?? '')
    .trim()
}

/** Many devices need names that differ. */
export const isNamePattern = (text: string): boolean => /\{(n{1,6}|serial|mac)\}/.test(text)

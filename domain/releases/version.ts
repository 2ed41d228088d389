/** Three whole numbers with dots between them, without leading zeros. */
export const VERSION_PATTERN = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/

export const isVersion = (text: string) => VERSION_PATTERN.test(text)

/**
 * Returns less than 0 when `one` is older than `other`, 0 when they are equal. Versions compare as numbers: 1.9.0 is
 * older than 1.10.0. Throws a `RangeError` for a text that is no version.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  const differs = left.findIndex((number, index) => number !== right[index])
  return differs === -1 ? 0 : (left[differs] ?? 0) - (right[differs] ?? 0)
}

function numbersOf(version: string): readonly number[] {
  if (!isVersion(version)) throw new RangeError(`"${version}" is no version.`)
  return version.split('.').map(Number)
}

/**
 * A site consists of devices of one customer that are this close by position, or have the same address in plain
 * letters. Positions are as precise as the phone that took them; an address may be only the name of a town, so two
 * distant positions are two sites whatever the address says.
 */
export const SITE_RADIUS_M = 150
export const SAME_ADDRESS_RADIUS_M = 2000

/** A page shows the devices of a site together: the worst and the nearest, if there are more. */
export const MOST_SITE_DEVICES = 20

/**
 * Whether an address names a place. It needs a letter and a digit, unlike "" or " , ": devices without an address would
 * otherwise form a site.
 */
export const namesPlace = (address: string): boolean => /[\p{L}\p{N}]/u.test(address)

export const toShownAddress = (address: string): string => (namesPlace(address) ? address : '')

/**
 * The town of an address as people write it: the last part, without its postal code. An address in one part, or whose
 * last part is only a number, stays whole.
 */
export function townOf(address: string): string {
  const parts = address.split(',')
  const words = (parts.at(-1) ?? '').split(/\s+/).filter((word) => word !== '' && !/\p{N}/u.test(word))
  const town = parts.length > 1 ? words.join(' ') : ''
  return town || toShownAddress(address).trim()
}

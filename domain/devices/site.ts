/**
 * What stands with a device: devices of the same customer so close to it, by their positions, or with the same address
 * in plain letters. Positions are as good as the phone of whoever took them; an address may be no more than the name of a
 * town, so two positions far from each other are two places whatever the address says.
 */
export const SITE_RADIUS_M = 150
export const SAME_ADDRESS_RADIUS_M = 2000

/** A site is looked at together: of more devices, the worst and the nearest. */
export const MOST_SITE_DEVICES = 20

/**
 * Whether an address says where something is. Without a letter and a digit, as "" or " , ", it names no place: devices
 * that have none would else stand together.
 */
export const namesPlace = (address: string): boolean => /[\p{L}\p{N}]/u.test(address)

/** An address as it is shown: empty where it names no place. */
export const toShownAddress = (address: string): string => (namesPlace(address) ? address : '')

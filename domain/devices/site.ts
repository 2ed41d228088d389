/**
 * What stands with a device: devices of the same customer so close to it, by their positions, or with the same address
 * in plain letters. Positions are as good as the phone of whoever took them; an address may be no more than the name of a
 * town, so two positions far from each other are two places whatever the address says.
 */
export const SITE_RADIUS_M = 150
export const SAME_ADDRESS_RADIUS_M = 2000

/** A site is looked at together: of more devices, the worst and the nearest. */
export const MOST_SITE_DEVICES = 20

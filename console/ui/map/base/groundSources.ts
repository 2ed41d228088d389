/** The licence of the towns' source requires this attribution; the outlines are in the public domain. */
export const GROUND_SOURCES = 'Outlines: Natural Earth · Places: GeoNames (CC BY 4.0)'

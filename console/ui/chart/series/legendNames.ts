const BETWEEN_PARTS = ' · '

export interface LegendNames {
  /** The part common to all names; empty where there is none. */
  readonly shared: string
  /** The rest of each name; never empty. */
  readonly own: readonly string[]
}

/**
 * A legend shows the common part of all names once, so that there is room for the rest, which is never cut off. A name
 * consists of parts between middle dots: `Display · Internal temperature (°C) · Praha 0001`.
 */
export function legendNames(names: readonly string[]): LegendNames {
  const parts = names.map((name) => name.split(BETWEEN_PARTS))
  const common = (parts[0] ?? []).filter((part) => parts.every((others) => others.includes(part)))
  const own = parts.map((ofOne) => ofOne.filter((part) => !common.includes(part)))
  const areDistinct = names.length > 1 && own.every((rest) => rest.length > 0)
  if (!areDistinct || common.length === 0) return { shared: '', own: names }
  return { shared: common.join(BETWEEN_PARTS), own: own.map((rest) => rest.join(BETWEEN_PARTS)) }
}

/** What a client can do beyond the first version of the contract; it reports that itself (decision 217). */
export const CLIENT_FEATURES = ['dayPlans', 'batteryTests', 'dataBudgets'] as const
export type ClientFeature = (typeof CLIENT_FEATURES)[number]

const JOINT = ' '

export const writeClientFeatures = (features: readonly ClientFeature[]): string => features.join(JOINT)

/** A device's text, at a moment of its own clock. */
interface Said {
  readonly text: string
  readonly at: Date
}

/**
 * Whether a client has a feature; undefined while it has reported nothing. A client reports its version and its
 * features together, so features older than the version belong to the client before.
 */
export function hasClientFeature(
  feature: ClientFeature,
  { version, features }: { readonly version: Said | undefined; readonly features: Said | undefined },
): boolean | undefined {
  if (!version && !features) return undefined
  if (!features || (version && features.at < version.at)) return false
  return features.text.split(JOINT).includes(feature)
}

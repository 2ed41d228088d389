/** What a client can do beyond the first version of the contract; it says so itself, in its reports (decision 217). */
export const CLIENT_FEATURES = ['dayPlans', 'batteryTests', 'dataBudgets'] as const
export type ClientFeature = (typeof CLIENT_FEATURES)[number]

const JOINT = ' '

/** As `client_features` carries them. */
export const writeClientFeatures = (features: readonly ClientFeature[]): string => features.join(JOINT)

/** What a device says of itself, at a moment of its own clock. */
interface Said {
  readonly text: string
  readonly at: Date
}

/**
 * Whether a client has a feature; undefined while it has said nothing of itself. A client tells its version and its
 * features in one report: features that are older than the version are of the client that ran before.
 */
export function hasClientFeature(
  feature: ClientFeature,
  { version, features }: { readonly version: Said | undefined; readonly features: Said | undefined },
): boolean | undefined {
  if (!version && !features) return undefined
  if (!features || (version && features.at < version.at)) return false
  return features.text.split(JOINT).includes(feature)
}

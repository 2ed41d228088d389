import type { RolloutState } from './states.ts'

export interface WaveFacts {
  readonly number: number
  /** Devices neither done, failed nor withdrawn. */
  readonly open: number
  /** Open devices that are connected or restarting, which are waited for. */
  readonly underWay: number
  readonly done: number
  /** Finished devices whose new version has not run for long enough yet. */
  readonly observed: number
  readonly failed: number
  /** Devices that have failed since the last halt was overruled. */
  readonly countedFailed: number
  /** Devices reached since then: failed, done, begun, or connected with an assignment. */
  readonly countedReached: number
}

export interface RolloutFacts {
  readonly state: RolloutState
  /** Undefined if it never halts automatically. */
  readonly haltFailurePercent: number | undefined
  readonly waitMs: number
  readonly begunWave: number
  /** The moment since which nothing of the begun waves is under way; undefined while something is. */
  readonly settledAtMs: number | undefined
  readonly waves: readonly WaveFacts[]
}

/** `settle` and `unsettle` begin the wait for the next wave, or reset it. */
export type RolloutStep =
  | { readonly kind: 'finish' | 'settle' | 'unsettle' }
  | { readonly kind: 'halt'; readonly reason: string }
  | { readonly kind: 'beginWave'; readonly wave: number }

/**
 * Returns the next step of a rollout; undefined if there is nothing to do before something changes. Only a running
 * rollout begins waves and assigns releases.
 */
export function nextStep(facts: RolloutFacts, nowMs: number): RolloutStep | undefined {
  if (facts.state === 'stopped') return undefined
  if (sum(facts.waves, 'open') + sum(facts.waves, 'observed') === 0)
    return facts.state === 'finished' ? undefined : { kind: 'finish' }
  if (facts.state !== 'running') return undefined
  const halt = haltReason(facts)
  if (halt !== undefined) return { kind: 'halt', reason: halt }
  if (facts.begunWave === 0) return { kind: 'beginWave', wave: 1 }
  if (facts.begunWave >= facts.waves.length) return undefined
  if (!isSettled(facts)) return facts.settledAtMs === undefined ? undefined : { kind: 'unsettle' }
  if (facts.settledAtMs === undefined) return { kind: 'settle' }
  return nowMs - facts.settledAtMs >= facts.waitMs ? { kind: 'beginWave', wave: facts.begunWave + 1 } : undefined
}

/**
 * True if every device of the begun waves that could finish has finished, and its new version has run for long enough.
 * Devices that are away before they begin delay nothing, but a first group without any present device has shown
 * nothing, so the next wave waits for one of them.
 */
function isSettled({ waves, begunWave }: RolloutFacts): boolean {
  const begun = waves.filter(({ number }) => number <= begunWave)
  return sum(begun, 'underWay') + sum(begun, 'observed') === 0 && sum(begun, 'done') + sum(begun, 'failed') > 0
}

/** Failures are compared with the reached devices, not with the fleet, most of which has nothing to report yet. */
function haltReason({ waves, haltFailurePercent }: RolloutFacts): string | undefined {
  const [failed, reached] = [sum(waves, 'countedFailed'), sum(waves, 'countedReached')]
  if (haltFailurePercent === undefined || failed === 0 || failed * 100 < haltFailurePercent * reached) return undefined
  return `${failed} of ${reached} ${reached === 1 ? 'device' : 'devices'} failed, which is ${haltFailurePercent} % or more.`
}

const sum = (waves: readonly WaveFacts[], name: Exclude<keyof WaveFacts, 'number'>) =>
  waves.reduce((total, wave) => total + wave[name], 0)

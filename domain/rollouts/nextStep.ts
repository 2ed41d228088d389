import type { RolloutState } from './states.ts'

/** Devices of one wave, counted. */
export interface WaveFacts {
  /** From 1. */
  readonly number: number
  /** Neither done, failed nor withdrawn. */
  readonly open: number
  /** Open, and connected or restarting: what there is to wait for. */
  readonly underWay: number
  readonly done: number
  /** Done, and the new version has not run for long enough yet. */
  readonly observed: number
  readonly failed: number
  /** Of those since the last halt was overruled: failed, */
  readonly countedFailed: number
  /** and reached: failed, done, begun, or connected and offered. */
  readonly countedReached: number
}

export interface RolloutFacts {
  readonly state: RolloutState
  /** Undefined: it never halts by itself. */
  readonly haltFailurePercent: number | undefined
  readonly waitMs: number
  /** 0 before the first. */
  readonly begunWave: number
  /** Since when nothing of the begun waves is under way; undefined while something is. */
  readonly settledAtMs: number | undefined
  /** Every wave, in order. */
  readonly waves: readonly WaveFacts[]
}

/** `settle` and `unsettle`: the wait for the next wave begins, or begins anew. */
export type RolloutStep =
  | { readonly kind: 'finish' | 'settle' | 'unsettle' }
  | { readonly kind: 'halt'; readonly reason: string }
  | { readonly kind: 'beginWave'; readonly wave: number }

/**
 * What a rollout does next, one step at a time; undefined when there is nothing to do before something happens. Only
 * what runs begins waves, and nothing that is not running makes offers.
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
 * Everybody in the begun waves who could be over is over, and their new version has run for long enough. Devices that
 * are away before they begin hold nothing up, but a first group of which nobody was there has shown nothing, and the next
 * wave waits for one of them.
 */
function isSettled({ waves, begunWave }: RolloutFacts): boolean {
  const begun = waves.filter(({ number }) => number <= begunWave)
  return sum(begun, 'underWay') + sum(begun, 'observed') === 0 && sum(begun, 'done') + sum(begun, 'failed') > 0
}

/** Failures against what was reached, not against the fleet: most of that has nothing to say yet. */
function haltReason({ waves, haltFailurePercent }: RolloutFacts): string | undefined {
  const [failed, reached] = [sum(waves, 'countedFailed'), sum(waves, 'countedReached')]
  if (haltFailurePercent === undefined || failed === 0 || failed * 100 < haltFailurePercent * reached) return undefined
  return `${failed} of ${reached} ${reached === 1 ? 'device' : 'devices'} failed, which is ${haltFailurePercent} % or more.`
}

const sum = (waves: readonly WaveFacts[], name: Exclude<keyof WaveFacts, 'number'>) =>
  waves.reduce((total, wave) => total + wave[name], 0)

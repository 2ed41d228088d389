import { cutsPowerOf } from '#domain/darkness/consequence.ts'
import type { FeedChain, PartKey } from '#domain/darkness/feedChain.ts'
import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { MINUTE_MS } from '#domain/units/time.ts'

/** A command that was carried out, or may have been. */
export interface CarriedOut {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly atMs: number
}

/** A part that was reset or restarted is back by then. */
const COMES_BACK_WITHIN_MS = 10 * MINUTE_MS

/**
 * Finds when these parts had no power because somebody took it from here: for some minutes after a reset, and after an
 * outlet was turned off until it was turned on again.
 *
 * @param commands oldest first
 */
export function commandedDarkness(
  chain: FeedChain,
  keys: readonly PartKey[],
  commands: readonly CarriedOut[],
  untilMs: number,
): readonly Span[] {
  const cuts = (one: CarriedOut) => keys.some((key) => cutsPowerOf(chain, one, key))
  return commands.filter(cuts).map((one) => ({ fromMs: one.atMs, toMs: Math.min(untilMs, endOf(one, commands)) }))
}

function endOf({ name, args, atMs }: CarriedOut, commands: readonly CarriedOut[]): number {
  if (!('on' in args)) return atMs + COMES_BACK_WITHIN_MS
  const isOn = (other: CarriedOut) =>
    other.name === name && other.args.number === args.number && other.args.port === args.port && other.args.on === true
  return commands.find((other) => other.atMs > atMs && isOn(other))?.atMs ?? Number.POSITIVE_INFINITY
}

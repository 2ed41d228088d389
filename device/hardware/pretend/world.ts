import type { FaultSchedule } from '#contract/fleet.ts'
import type { Feeds } from '#domain/darkness/configuredFeeds.ts'
import type { Fitting } from '../hardware.ts'
import type { Registers } from './registers.ts'
import type { Place } from './weather.ts'

/** The components of a simulated device, and where its wiring differs from its model. */
export interface WiredFitting extends Fitting {
  readonly feeds?: Feeds
}

/** Everything that determines a simulated device's readings, besides the moment. */
export interface World extends Place {
  readonly fitting: WiredFitting
  readonly faults: readonly FaultSchedule[]
  readonly registers: Registers
  readonly clientVersion: string
}

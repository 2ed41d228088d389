import type { FaultSchedule } from '#contract/fleet.ts'
import type { Feeds } from '#domain/darkness/configuredFeeds.ts'
import type { Fitting } from '../hardware.ts'
import type { Registers } from './registers.ts'
import type { Place } from './weather.ts'

/** What a pretend device is made of, and where its wiring differs from its model. */
export interface WiredFitting extends Fitting {
  readonly feeds?: Feeds
}

/** Everything a pretend device's readings follow from, besides the moment. */
export interface World extends Place {
  readonly fitting: WiredFitting
  readonly faults: readonly FaultSchedule[]
  readonly registers: Registers
  readonly clientVersion: string
}

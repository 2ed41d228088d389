import type { FaultSchedule } from '#contract/fleet.ts'
import type { Fitting } from '../hardware.ts'
import type { Registers } from './registers.ts'
import type { Place } from './weather.ts'

/** Everything a pretend device's readings follow from, besides the moment. */
export interface World extends Place {
  readonly fitting: Fitting
  readonly faults: readonly FaultSchedule[]
  readonly registers: Registers
  readonly clientVersion: string
}

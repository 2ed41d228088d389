import type { Options, RoundOptions, Values } from './options.ts'
import type { Run } from './Run.ts'

/** One file exports one of them; usage, parsing and complaints come from this description. */
export interface Trial<Given extends Options = Options> {
  readonly name: string
  /** One sentence. */
  readonly proves: string
  readonly options: Given
  /** What differs from the defaults when only a short one is wanted, of at most about 20 s. */
  readonly brief?: Partial<Values<Given>>
  run(run: Run<Values<Given>>): Promise<void>
}

/** The types of the options stay as they are written. */
export const describeTrial = <Given extends Options>(trial: Trial<Given>): Trial<Given> => trial

/** A promise that is tried round by round; a short one runs with the tests. */
export type Campaign<Given extends Options = RoundOptions> = Trial<Given> & {
  readonly brief: Partial<Values<Given>>
}

export const describeCampaign = <Given extends RoundOptions>(campaign: Campaign<Given>): Campaign<Given> => campaign

import type { Options, RoundOptions, Values } from './options.ts'
import type { Run } from './Run.ts'

/** Each file exports one of them; usage, parsing and errors come from this description. */
export interface Trial<Given extends Options = Options> {
  readonly name: string
  /** It is one sentence. */
  readonly proves: string
  readonly options: Given
  /** The options of a short run of at most about 20 s, where they differ from the defaults. */
  readonly brief?: Partial<Values<Given>>
  run(run: Run<Values<Given>>): Promise<void>
}

/** Keeps the types of the options as they are written. */
export const describeTrial = <Given extends Options>(trial: Trial<Given>): Trial<Given> => trial

/** A promise that is tested round by round; a short run belongs to the tests. */
export type Campaign<Given extends Options = RoundOptions> = Trial<Given> & {
  readonly brief: Partial<Values<Given>>
}

export const describeCampaign = <Given extends RoundOptions>(campaign: Campaign<Given>): Campaign<Given> => campaign

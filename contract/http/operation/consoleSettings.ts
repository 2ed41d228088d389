import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'

/** What the operator of this installation has set up for every console. */
export const getConsoleSettings = call({
  method: 'GET',
  path: 'App/GetConsoleSettings',
  summary: 'Settings of this installation that the console needs.',
  permission: 'signedIn',
  shows: [],
  query: nothing,
  body: nothing,
  answer: z.object({
    /** Where map tiles come from; absent: maps show the outlines that the console brings along. */
    tiles: z
      .object({
        /** Address with `{z}`, `{x}` and `{y}`, and `{s}` where one of several hosts may be asked. */
        url: z.string(),
        /** Whom to name for the tiles, as plain text; may be empty. */
        attribution: z.string(),
      })
      .optional(),
    /** Where operators find help; absent: nowhere. */
    supportUrl: z.url({ protocol: /^https?$/ }).optional(),
  }),
  errors: [],
})

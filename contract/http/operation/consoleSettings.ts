import { z } from 'zod'
import { call } from '#contract/call/call.ts'

export const getConsoleSettings = call({
  method: 'GET',
  path: 'App/GetConsoleSettings',
  summary: 'Settings of this installation that the console needs.',
  permission: 'signedIn',
  shows: [],
  answer: z.object({
    /** The source of map tiles; without it, maps show the outlines that come with the console. */
    tiles: z
      .object({
        /** An address with `{z}`, `{x}` and `{y}`, and `{s}` if there are several hosts. */
        url: z.string(),
        /** The credit for the tiles, as plain text; may be empty. */
        attribution: z.string(),
      })
      .optional(),
    /** The map file of this installation; without it, maps show outlines or the tiles above. */
    mapFile: z
      .object({
        /** It stands in the addresses of tiles (`mapTilePath`). */
        version: z.string(),
        minZoom: z.number().int(),
        maxZoom: z.number().int(),
      })
      .optional(),
    supportUrl: z.url({ protocol: /^https?$/ }).optional(),
  }),
})

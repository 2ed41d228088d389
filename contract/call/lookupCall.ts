import { z } from 'zod'
import { call } from './call.ts'
import { namedValue } from './values.ts'

/** Everybody who is signed in may read these lists of ids and names. */
export const lookupCall = <const Path extends string>(path: Path, summary: string) =>
  call({
    method: 'GET',
    path,
    summary,
    permission: 'signedIn',
    shows: [],
    answer: z.array(namedValue),
  })

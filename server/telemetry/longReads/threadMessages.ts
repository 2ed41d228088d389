import type { CodingName } from '#server/http/call/codings.ts'
import type { LongRead } from './longReads.ts'

export interface Given {
  readonly url: string
  readonly asApplication: boolean
  readonly connections: number
}

/** A read is announced once. Then its parts are requested one by one, until it ends or is cancelled. */
export type Request =
  | {
      readonly id: number
      readonly read: LongRead
      readonly question: unknown
      readonly coding: CodingName | undefined
    }
  | { readonly id: number; readonly step: 'next' | 'return' }

/** Each `next` is answered once, with an undefined part when there are no more. */
export type Told =
  | { readonly id: number; readonly part: Uint8Array | undefined }
  | {
      readonly id: number
      readonly fault: {
        readonly name: string
        readonly message: string
        readonly stack: string | undefined
        readonly code: string | undefined
      }
    }

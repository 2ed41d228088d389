import type { z } from 'zod'

/** This is what a zod schema says about itself; zod's own types hide it behind each class. */
export interface Definition {
  readonly type: string
  readonly check?: string
  readonly format?: string
  readonly pattern?: RegExp
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly element?: z.ZodType
  readonly keyType?: z.ZodType
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly values?: readonly (string | number | boolean | null)[]
  readonly entries?: Readonly<Record<string, string>>
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly catchall?: z.ZodType
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[]
}

export interface Check {
  readonly check?: string
  readonly format?: string
  readonly pattern?: RegExp
  readonly minimum?: number
  readonly maximum?: number
  readonly value?: number
  readonly inclusive?: boolean
  readonly params?: { readonly rule?: string }
  readonly tx?: (text: string) => string
}

export const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition

import type { z } from 'zod'
import { notValid } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'

/** Where a page ended, as text that nobody has to understand. */
export function writePageKey(key: object): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** @throws CallError `invalid_request` when the text is no such key */
export function readPageKey<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const key = schema.safeParse(parsed(text))
  if (!key.success) throw new CallError('invalid_request', notValid('next'))
  return key.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

import type { IncomingMessage } from 'node:http'
import { givenTwice, notValid } from '#domain/validation/messages.ts'
import { CallError } from './callError.ts'

const LARGEST_BODY_BYTES = 1024 * 1024
const DEEPEST_NESTING = 32
const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype']
const MEDIA_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/**
 * The JSON document of a request, or undefined when it has no body.
 *
 * @throws CallError `unsupported_media_type`, `request_too_large` or `invalid_request`
 */
export async function readJsonBody(request: IncomingMessage, largestBytes = LARGEST_BODY_BYTES): Promise<unknown> {
  const { headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return undefined
  if (Number(headers['content-length'] ?? 0) > largestBytes) throw new CallError('request_too_large')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!MEDIA_TYPE.test(headers['content-type'] ?? '') || encoding !== 'identity') {
    throw new CallError('unsupported_media_type')
  }
  const bytes = await readAll(request, largestBytes)
  return bytes.length === 0 ? undefined : parseJson(bytes)
}

async function readAll(request: IncomingMessage, largestBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > largestBytes) throw new CallError('request_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  let document: unknown
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    document = JSON.parse(text)
  } catch {
    throw new CallError('invalid_request', notValid('body'))
  }
  refuseTrickyKeys(text)
  return document
}

/** Texts in one loop for each stretch without escapes: a choice for each letter runs out of stack with some megabytes. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g

/** Of two equal keys `JSON.parse` silently keeps the last, where another reader may have judged the first. */
function refuseTrickyKeys(validJson: string): void {
  const objects: (Set<string> | undefined)[] = []
  let lastString = ''
  for (const [token] of validJson.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      objects.push(token === '{' ? new Set() : undefined)
      if (objects.length > DEEPEST_NESTING) throw new CallError('invalid_request', notValid('body'))
    } else if (token === '}' || token === ']') {
      objects.pop()
    } else if (token === ':') {
      addKey(objects.at(-1), JSON.parse(lastString) as string)
    } else {
      lastString = token
    }
  }
}

function addKey(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key)) throw new CallError('invalid_request', givenTwice(key.slice(0, 100)))
  if (PROTOTYPE_KEYS.includes(key)) throw new CallError('invalid_request', notValid(key))
  keys?.add(key)
}

import type { IncomingMessage } from 'node:http'
import { countKeys, DEEPEST_NESTING, jsonShape, keyGivenTwice } from '#domain/validation/jsonShape.ts'
import { givenTwice, notValid, tooDeep, tooManyFields, tooManyFieldsOfOne } from '#domain/validation/messages.ts'
import { CallError } from '#server/http/call/callError.ts'

/**
 * This is more than any call takes (a device with 100 components and all of their rules), and cheap enough to build.
 */
const MOST_FIELDS = 6000
const MOST_FIELDS_OF_ONE = 200
const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype']
const LONGEST_NAME = 100
const NOT_COMPLETE = 'body is not complete'
const MEDIA_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/**
 * Reads the JSON document of a request, undefined when it has no body.
 * @throws CallError `unsupported_media_type`, `request_too_large` or `invalid_request`
 */
export async function readJsonBody(request: IncomingMessage, largestBytes: number): Promise<unknown> {
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

/** @throws CallError `request_too_large` or `invalid_request` */
export async function readAll(request: IncomingMessage, largestBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > largestBytes) throw new CallError('request_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    // A client that broke off hears nothing any more, and this is no fault of the server.
    throw error instanceof CallError ? error : new CallError('invalid_request', NOT_COMPLETE)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  const { keys, keysOfOne, depth } = jsonShape(bytes)
  if (depth > DEEPEST_NESTING) throw new CallError('invalid_request', tooDeep(DEEPEST_NESTING))
  if (keysOfOne > MOST_FIELDS_OF_ONE) throw new CallError('invalid_request', tooManyFieldsOfOne(MOST_FIELDS_OF_ONE))
  if (keys > MOST_FIELDS) throw new CallError('invalid_request', tooManyFields(MOST_FIELDS))
  let document: unknown
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new CallError('invalid_request', notValid('body'))
  }
  refusePrototypeKeys(document)
  if (countKeys(document) < keys) {
    throw new CallError('invalid_request', givenTwice((keyGivenTwice(bytes) ?? 'a field').slice(0, LONGEST_NAME)))
  }
  return document
}

function refusePrototypeKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const key = PROTOTYPE_KEYS.find((each) => Object.hasOwn(value, each))
  if (key !== undefined) throw new CallError('invalid_request', notValid(key))
  for (const inner of Object.values(value)) refusePrototypeKeys(inner)
}

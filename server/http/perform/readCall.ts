import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { bodyLimitBytes, type Call } from '#contract/call/call.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { differsInBody, notValid } from '#domain/validation/messages.ts'
import { CallError } from '../call/callError.ts'
import { idempotencyKeyOf } from '../call/idempotencyKey.ts'
import type { OpenChange } from '../call/openChange.ts'
import type { Admission } from '../limits/admission.ts'
import { readJsonBody } from '../reading/readJsonBody.ts'
import { readParameters, textToValue } from '../reading/readParameters.ts'
import { validated } from '../reading/validated.ts'
import type { IncomingCall } from './admitCall.ts'

export interface GivenToCall {
  readonly query: unknown
  readonly body: unknown
  /** Set where the call takes one (`takesIdempotencyKey`) and the request brings it. */
  readonly idempotencyKey: string | undefined
}

/**
 * Reads the address and the body of an admitted request.
 * @throws CallError that names the field and what is wrong with it
 */
export async function readCall({ route, request, change }: IncomingCall, admission: Admission): Promise<GivenToCall> {
  const { call } = route
  try {
    const given = await readGiven(call, request, change)
    return { ...given, idempotencyKey: call.takesIdempotencyKey ? idempotencyKeyOf(request.headers) : undefined }
  } catch (fault) {
    // A sign-in that cannot be read names nobody, so it counts as any other change by a stranger.
    if (call.knowsBrowser) admission.publicChange(limitKeyOf(request.clientAddress))
    throw fault
  }
}

async function readGiven(call: Call, request: FastifyRequest, change: OpenChange) {
  const parameters = readParameters(request.raw.url ?? '', call.query)
  if (call.method === 'GET') {
    const fromBody = request.method === 'POST' ? await readJsonBody(request.raw, bodyLimitBytes(call)) : undefined
    const values = merged(call, parameters, fromBody)
    if (typeof values.id === 'number' && Number.isInteger(values.id)) change.about(idOnly(values.id))
    return { query: validated(call.query, values, 'parameter'), body: {} }
  }
  const query = validated(call.query, parameters, 'parameter')
  return { query, body: validated(call.body, (await readJsonBody(request.raw, bodyLimitBytes(call))) ?? {}, 'field') }
}

const LARGEST_ID = 2 ** 31 - 1
const idOnly = (id: number) => (id > 0 && id <= LARGEST_ID ? { id } : {})

/** A state-changing GET may be sent as POST: names may stand in the address, in the body, or equally in both. */
function merged(call: Call, parameters: Record<string, unknown>, body: unknown): Record<string, unknown> {
  if (body === undefined) return parameters
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new CallError('invalid_request', notValid('body'))
  }
  const shape = (call.query as { shape?: Record<string, Call['query']> }).shape ?? {}
  const fromBody = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    const declared = Object.hasOwn(shape, name) ? shape[name] : undefined
    const read = value === null && declared ? textToValue('null', declared) : value
    return read === undefined ? [] : [[name, read]]
  })
  for (const [name, value] of fromBody) {
    if (Object.hasOwn(parameters, name) && !isDeepStrictEqual(parameters[name], value)) {
      throw new CallError('parameter_conflict', differsInBody(name))
    }
  }
  return { ...parameters, ...Object.fromEntries(fromBody) }
}

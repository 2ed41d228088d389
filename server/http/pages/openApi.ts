import { z } from 'zod'
import { BULK_HEADER, type Call } from '#contract/call/call.ts'
import { IDEMPOTENCY_HEADER } from '#contract/call/headers.ts'
import { scopeOfCall } from '#contract/call/tokenScopes.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { passkeysRequested } from '#contract/http/people/passkeys.ts'
import { releasePath } from '#contract/mqtt/client.ts'
import type { Permission } from '#domain/permissions/permissions.ts'

/** These need a user without a customer. */
const FOR_STAFF: readonly Permission[] = ['staffAdmin', 'sendStatements']

const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'too_many_requests',
  'internal_error',
  'secret_key_missing',
  'not_ready',
]
const CHANGE_ERRORS: readonly ErrorCode[] = ['outcome_unknown', 'answer_lost']
const STEP_UP_ERRORS: readonly ErrorCode[] = ['step_up_required']
const SIGNED_IN_ERRORS: readonly ErrorCode[] = ['sign_in_required', 'forbidden']

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  return rest
}

function parametersOf(call: Call) {
  const { properties = {}, required = [] } = schemaOf(call.query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    // A list is one parameter with commas between its values.
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
  }))
}

const BULK_PARAMETER = {
  name: BULK_HEADER,
  in: 'header',
  required: false,
  description: 'One for all calls of a bulk action: the audit log tells them together.',
  schema: { type: 'string', format: 'uuid' },
}

const IDEMPOTENCY_PARAMETER = {
  name: IDEMPOTENCY_HEADER,
  in: 'header',
  required: false,
  description:
    'With the same one and the same content nothing more is created within a day: what there is is answered.',
  schema: { type: 'string', format: 'uuid' },
}

function errorsOf(call: Call) {
  const codes = [
    ...call.errors,
    ...COMMON_ERRORS,
    ...(call.changes ? CHANGE_ERRORS : []),
    ...(call.permission === 'public' ? [] : SIGNED_IN_ERRORS),
    ...(call.stepUp || call.stepUpToMoveSecret ? STEP_UP_ERRORS : []),
  ]
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status)
  return [...byStatus].map(([status, ofStatus]) => [
    status,
    {
      description: ofStatus.map((code) => `${code}: ${ERRORS[code].message}`).join(' / '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ])
}

function answerOf(call: Call) {
  if (call.answersWith === 'pdf') return { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }
  if (call.answersWith === 'event-stream') return { 'text/event-stream': { schema: { type: 'string' } } }
  return { 'application/json': { schema: schemaOf(call.answer, 'output') } }
}

function operation(call: Call, method: 'GET' | 'POST') {
  const body = method === 'POST' && call.method === 'POST' ? schemaOf(call.body, 'input') : undefined
  const isAlternative = method !== call.method
  return {
    operationId: `${call.path.replace('/', '_')}${isAlternative ? '_Post' : ''}`,
    tags: [call.path.split('/')[0]],
    summary: call.summary,
    description: describe(call, isAlternative),
    ...(FOR_STAFF.includes(call.permission) && { 'x-staff-only': true }),
    security: call.permission === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parametersOf(call),
      ...(call.changes ? [BULK_PARAMETER] : []),
      ...(call.takesIdempotencyKey ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...(body && (body.type === 'array' || Object.keys(body.properties ?? {}).length > 0)
      ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } }
      : {}),
    ...(isAlternative
      ? { requestBody: { required: false, content: { 'application/json': { schema: schemaOf(call.query, 'input') } } } }
      : {}),
    responses: { 200: { description: 'The answer.', content: answerOf(call) }, ...Object.fromEntries(errorsOf(call)) },
  }
}

const RIGHTS: Readonly<Record<Permission, string>> = {
  public: 'Open to everybody.',
  signedIn: 'Needs to be signed in.',
  admin: 'Needs the function Admin.',
  deviceManager: 'Needs the function DeviceManager or Admin.',
  createDevice: 'Needs the function CreateDevice or Admin.',
  analytics: 'Needs the function Analytics or Admin.',
  seeDevices: 'Needs the function SeeDevices, DeviceManager or Admin.',
  seeDevicesOrAnalytics: 'Needs the function SeeDevices, DeviceManager, Analytics or Admin.',
  staffAdmin: 'Staff only: needs the function Admin, of a user without a customer.',
  sendStatements: 'Staff only: needs the function SendStatements or Admin, of a user without a customer.',
  rawExport: 'Lab users only, with the function DeviceManager or Admin.',
  internal: 'Internal users only.',
  seeDevicesOrInternal: 'Needs the function SeeDevices, DeviceManager or Admin, or an internal user.',
}

function tokensOf(call: Call): string {
  if (call.permission === 'public') return ''
  const scope = scopeOfCall(call)
  if (scope === undefined) return ' Not for API tokens.'
  return scope === 'any' ? ' Any API token may.' : ` API tokens need \`${scope}\`.`
}

const STEP_UP: Readonly<Record<NonNullable<Call['stepUp']>, string>> = {
  always: ' Needs a proof of the last 15 minutes of who makes it: see App/StepUp.',
  ofSeveral:
    ' From the third device that its caller changes within 15 minutes it needs a proof of that time of who makes it: see App/StepUp.',
}

const TO_MOVE_SECRET =
  ' Where a secret that is kept would go to another address, it needs a proof of the last 15 minutes of who makes it: see App/StepUp.'

function describe(call: Call, isAlternative: boolean): string {
  const rights = RIGHTS[call.permission]
  const changes = call.changes ? ` Leaves one audit row: ${call.changes.action}, ${call.changes.entity}.` : ''
  const form = isAlternative
    ? ' Same as GET; names may stand in the address or in the body, in both only if equal.'
    : ''
  const rows =
    call.answersWith === 'row-stream' ? ' Written row by row; a failure on the way breaks the connection.' : ''
  return (
    rights +
    tokensOf(call) +
    (call.stepUp ? STEP_UP[call.stepUp] : '') +
    (call.stepUpToMoveSecret ? TO_MOVE_SECRET : '') +
    changes +
    form +
    rows
  )
}

/** Devices download releases outside MQTT and the table of calls. */
const RELEASE_DOWNLOAD = {
  servers: [{ url: '/' }],
  get: {
    operationId: 'downloadRelease',
    tags: ['Device API'],
    summary: 'A release of the client, for devices: the whole file, or the rest of it from a byte on.',
    description: 'Needs the guid and key with which a device connects by MQTT.',
    security: [{ device: [] }],
    parameters: [
      { name: 'sha256', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{64}$' } },
      { name: 'Range', in: 'header', required: false, schema: { type: 'string' }, example: 'bytes=1000-' },
    ],
    responses: {
      200: { description: 'The whole file. Its ETag is the SHA-256.', content: { 'text/javascript': {} } },
      206: { description: 'The part that was asked for.', content: { 'text/javascript': {} } },
      401: { description: 'Wrong guid or key, or the device was deleted.' },
      404: { description: 'There is no such release, or it was removed.' },
      416: { description: 'There is nothing from that byte on.' },
      429: { description: 'Asked too often.' },
    },
  },
}

/** Describes the table of calls and the release download as an OpenAPI 3.1 document. */
export function openApiDocument(calls: readonly Call[]) {
  const paths = calls.map((call) => [
    `/${call.path}`,
    {
      [call.method.toLowerCase()]: operation(call, call.method),
      ...(call.method === 'GET' && call.changes ? { post: operation(call, 'POST') } : {}),
    },
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Wayside', version: '1', description: 'Fleets of remote outdoor displays: every call there is.' },
    servers: [{ url: '/api' }],
    paths: { ...Object.fromEntries(paths), [releasePath('{sha256}')]: RELEASE_DOWNLOAD },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, device: { type: 'http', scheme: 'basic' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'code'],
          properties: {
            message: { type: 'string' },
            code: { type: 'string', enum: Object.keys(ERRORS) },
            secondFactor: {
              type: 'object',
              description: 'Of second_factor_required and factor_enrolment_required: by what the sign-in goes on.',
              required: ['challenge'],
              properties: {
                challenge: { type: 'string' },
                newApp: { type: 'object', properties: { secret: { type: 'string' }, uri: { type: 'string' } } },
                passkeys: schemaOf(passkeysRequested, 'output'),
              },
            },
          },
        },
      },
    },
  }
}

import { newButtonRule } from '#domain/displays/buttonRules.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { FREE_TEXT_CALLS, freeTextsOf, withFreeTexts } from './freeTexts.ts'

/** People can write any text in these places: the contract says which fields of which calls take one. */

/** These exist by the time that a text is written somewhere. */
export interface Surroundings {
  readonly number: number
  readonly device: { readonly id: number; readonly guid: string }
  readonly alertField: { readonly eventTypeFieldId: number; readonly operatorId: number }
  readonly alertId: number
  readonly incidentId: number
  readonly roleId: number
  readonly userId: number
  readonly channelId: number
  readonly customerId: number
}

export interface Place {
  readonly path: string
  /** Makes a valid request, into which the texts are put. */
  readonly request: (around: Surroundings) => object
  /** These fields stay out: another place of the same call has them. */
  readonly without?: readonly string[]
  /** The call answers this although nothing is wrong: the audit log holds what it refuses. */
  readonly refusal?: number
}

const { logicalName: _, ...unnamedRule } = newButtonRule(1)

/** Only the server says it, so what is sent is ignored. */
const WORST_ALERT = { title: '', severityId: 1 }

/** It belongs to no sign-in that is under way. */
const CHALLENGE = 'A'.repeat(43)
const PASSKEY = { credentialId: 'AAAA', clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: [] }

const RULE_SET = {
  ...{ country: null, area: null, exceptDates: [], validFrom: null, validUntil: null },
  rules: [{ days: [0], from: '01:00', to: '06:00', onHolidays: 'too', levelPercent: 0, belowLux: null }],
}

/** The order matters: earlier places make the subjects of later ones. */
export const PLACES: readonly Place[] = [
  { path: 'Customer/SetCustomer', request: () => ({ id: 0, countryId: 1 }) },
  { path: 'AppRole/SetAppRole', request: () => ({ id: 0, roleFunctions: [{ functionId: 2 }] }) },
  {
    path: 'AppUser/SetAppUser',
    request: ({ roleId, number }) => ({ roleId, username: `hostile${number}@harbour.example`, email: '' }),
  },
  {
    path: 'Device/SetDeviceDetails',
    // Tags have a call of their own below, because a refused one would keep the other texts out.
    request: ({ device: { id, guid } }) => ({ id, guid, timeZone: null, tags: ['campaign'], worstAlert: WORST_ALERT }),
    without: ['basedOn'],
  },
  // The former value is wrong, so the call is refused.
  {
    path: 'Device/SetDeviceDetails',
    request: ({ device: { id, guid } }) => ({
      id,
      guid,
      timeZone: null,
      tags: ['campaign'],
      worstAlert: WORST_ALERT,
      basedOn: { timeZone: null, tags: ['campaign'] },
    }),
    refusal: 409,
  },
  // A text that is too long for a tag, or has a comma, makes none.
  {
    path: 'Device/ChangeDeviceTags',
    request: ({ device }) => ({ id: device.id, add: [], remove: ['campaign'] }),
    refusal: 400,
  },
  // A text that is too long for a name makes no view.
  {
    path: 'View/SetView',
    request: () => ({ page: 'devices', content: { filter: { tags: ['campaign'] }, columns: ['name'], at: '0_0_1' } }),
    refusal: 400,
  },
  {
    path: 'Device/SetDeviceComponents',
    request: ({ device }) => {
      const of = { deviceId: device.id, number: 1 }
      return [
        { ...of, id: -1, modelId: 4, optionPort1: 'FULL', optionPort2: 'RESET', jsonSettings: null },
        { ...of, id: -2, modelId: 21, jsonSettings: [unnamedRule] },
      ]
    },
  },
  // No text is the name of a driver: the audit log holds the attempt.
  {
    path: 'Device/SetDeviceDriver',
    request: ({ device }) => ({ deviceId: device.id, part: 'device', options: {} }),
    refusal: 400,
  },
  // A text that is too long for a name, or is only space, makes no channel, on-call schedule or route.
  {
    path: 'Channel/SetChannel',
    request: () => ({
      kind: 'mail',
      settings: { address: '', recipient: 'ops@harbour.example', user: '', issueType: '', transitionId: '' },
    }),
    refusal: 400,
  },
  {
    path: 'Rota/SetRota',
    request: ({ userId }) => ({
      ...{ timeZone: 'UTC', firstDay: '2026-01-01', handOver: '08:00', everyDays: 7 },
      members: [{ userId, channelId: null }],
    }),
    refusal: 400,
  },
  {
    path: 'NotifyRoute/SetNotifyRoute',
    request: ({ channelId }) => ({ severityId: 3, tag: 'campaign', steps: [{ afterMinutes: 0, channelId }] }),
    refusal: 400,
  },
  {
    path: 'DeviceMaintenance/SetDeviceMaintenance',
    request: ({ device }) => ({ deviceId: device.id, startDt: new Date().toISOString() }),
  },
  {
    path: 'Visit/RecordVisit',
    request: ({ device }) => ({
      ...{ deviceId: device.id, startDt: new Date().toISOString(), endDt: new Date().toISOString() },
      ...{ checklist: [{ isDone: true }], parts: [{}] },
    }),
  },
  {
    path: 'Visit/SetVisit',
    request: ({ device, userId }) => ({
      ...{
        deviceId: device.id,
        technicianId: userId,
        startDt: new Date().toISOString(),
        endDt: new Date().toISOString(),
      },
    }),
    refusal: 400,
  },
  // The window begins tomorrow, so that alerts of today are mailed. A text that is too long for a reason makes none.
  {
    path: 'MaintenanceWindow/CreateMaintenanceWindow',
    request: () => ({
      target: { kind: 'tag', tag: 'campaign' },
      schedule: { kind: 'once', from: new Date(Date.now() + DAY_MS).toISOString(), minutes: 60 },
    }),
    refusal: 400,
  },
  {
    path: 'Alert/SetAlertCondition',
    request: ({ device, alertField }) => ({ deviceId: device.id, valueDec: null, ...alertField }),
    without: ['tag'],
  },
  // A text that is too long for a tag, or has a comma, makes none.
  {
    path: 'Alert/SetAlertCondition',
    request: ({ alertField }) => ({ valueDec: null, ...alertField }),
    refusal: 400,
  },
  { path: 'App/Login', request: () => ({ password: 'not the password' }), refusal: 401 },
  { path: 'App/RequestPasswordReset', request: () => ({}) },
  // Nobody is at that step: the audit log holds the attempt.
  ...['App/LoginSecondFactor', 'App/LoginNewFactor', 'App/AddAuthenticator'].map((path) => ({
    path,
    request: () => ({ challenge: CHALLENGE, code: '123456' }),
    refusal: 400,
  })),
  { path: 'App/AddPasskey', request: () => ({ challenge: CHALLENGE, passkey: PASSKEY }), refusal: 400 },
  // A text that is too long for a name makes no token.
  {
    path: 'ApiToken/CreateToken',
    request: () => ({ scopes: ['devices.read'], expiresInDays: 1 }),
    refusal: 400,
  },
  // No text is the address of a provider.
  {
    path: 'SignInProvider/SetProvider',
    request: ({ roleId }) => ({ domains: ['harbour.example'], roleRules: [{ roleId }] }),
    refusal: 400,
  },
  // A text that is too long for a title makes no page, and no text is a valid part of an address or a tag.
  {
    path: 'StatusPage/SetStatusPage',
    request: ({ customerId }) => pageOf(customerId),
    without: ['slug', 'tag'],
    refusal: 400,
  },
  { path: 'StatusPage/SetStatusPage', request: ({ customerId }) => pageOf(customerId), refusal: 400 },
  {
    path: 'Release/UploadRelease',
    request: () => ({ contentBase64: Buffer.from('no release').toString('base64') }),
    refusal: 400,
  },
  {
    path: 'Country/SetHolidayList',
    request: ({ number }) => ({
      countryId: 1,
      year: 2030 + number,
      rows: [{ date: `${2030 + number}-01-01` }],
    }),
  },
  {
    path: 'LightStatement/SetMailing',
    request: ({ customerId }) => ({ customerId, day: null, recipients: [] }),
    refusal: 400,
  },
  {
    path: 'Energy/SetGridFactors',
    request: ({ number }) => ({ countryId: 1, factors: [{ year: 2030 + (number % 60), gramsPerKwh: 1 }] }),
  },
  // A text that is too long for a name makes no key.
  { path: 'Claim/CreateKey', request: () => ({ mostDevices: 1, expiresInDays: 1 }), refusal: 400 },
  {
    path: 'Claim/Begin',
    request: ({ number }) => ({ key: ownKey(number), facts: { serialNumbers: [] } }),
    refusal: 400,
  },
  // No device shows this code, and none waits.
  {
    path: 'Claim/ClaimDevice',
    request: ({ customerId }) => ({ code: 'AAAA2222', customerId, modelId: 22 }),
    refusal: 400,
  },
  {
    path: 'Claim/AcceptDevices',
    request: ({ customerId }) => ({ ids: [2_000_000_000], customerId, modelId: 22 }),
    refusal: 404,
  },
  // No text is a file of devices.
  { path: 'Device/ImportDevices', request: () => ({}), refusal: 400 },
  // No device counted in that month, so nothing is issued.
  { path: 'LightStatement/Issue', request: ({ customerId }) => ({ customerId, month: '2026-01' }), refusal: 400 },
  { path: 'LightRule/CreateRuleSet', request: () => ({ customerId: null, set: RULE_SET }) },
  // No set has this number, and the next version of one is shown where a first one is.
  {
    path: 'LightRule/ReplaceRuleSet',
    request: () => ({ id: 2_000_000_000, set: { ...RULE_SET, validFrom: '2999-01-01' } }),
    refusal: 404,
  },
  // The time is over, so nothing goes dark.
  {
    path: 'EmergencyDark/Start',
    request: () => ({ until: '2026-01-01T00:00:00Z', word: 'DARK' }),
    without: ['tag'],
    refusal: 400,
  },
]

/** It differs for each text. */
const ownKey = (number: number) => String(number).padStart(43, 'A')

const pageOf = (customerId: number) => ({
  ...{ customerId, mode: 'secret', severityId: 3, showsPlanned: true, takesSubscribers: false },
})

/** These concern the alert that a condition has raised, and its incident. */
export const PLACES_OF_ALERTS: readonly Place[] = [
  { path: 'Incident/AcknowledgeIncident', request: ({ incidentId }) => ({ id: incidentId }) },
  // A text of space alone makes no note.
  { path: 'Incident/NoteIncident', request: ({ incidentId }) => ({ id: incidentId }), refusal: 400 },
  { path: 'Alert/AcknowledgeAlert', request: ({ alertId }) => ({ id: alertId }) },
  { path: 'Alert/CloseAlerts', request: ({ alertId }) => ({ idList: [alertId], resolutionId: 1 }) },
]

/** It makes the device itself, before everything else. */
const MAKES_THE_DEVICE = 'Device/CreateDevice'

/** It changes an existing window, whose reason stands where that of a new one does. */
const CHANGES_THE_SAME = 'MaintenanceWindow/ChangeMaintenanceWindow'

/** Finds calls that take a text and are missing in this list. */
export function unknownPlaces(): readonly string[] {
  const known = [...PLACES, ...PLACES_OF_ALERTS].map(({ path }) => path)
  const all = [...known, MAKES_THE_DEVICE, CHANGES_THE_SAME]
  return FREE_TEXT_CALLS.map(({ path }) => path).filter((path) => !all.includes(path))
}

/**
 * Returns the request with the text in each field that takes any.
 *
 * @throws when a field has no place in the request
 */
export function withText({ path, request, without = [] }: Place, around: Surroundings, text: string): object {
  const call = FREE_TEXT_CALLS.find((one) => one.path === path)
  if (!call) throw new Error(`${path} takes no text.`)
  const all = withFreeTexts(call, request(around), text) as object
  const filled = Array.isArray(all)
    ? all
    : Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)))
  const wanted = freeTextsOf(call).filter((place) => !without.includes(place.split(/[.[]/, 1)[0] ?? ''))
  for (const place of wanted) {
    if (!holds(filled, place.replaceAll('[]', '.[]').split('.')))
      throw new Error(`${path} takes a text as ${place}, and has none here.`)
  }
  return filled
}

function holds(value: unknown, [step, ...rest]: readonly string[]): boolean {
  // A value of the request itself gets no text: a zone, or a name that must differ.
  if (step === undefined) return value !== undefined
  if (step === '') return holds(value, rest)
  if (step === '[]') return Array.isArray(value) && value.some((each) => holds(each, rest))
  return typeof value === 'object' && value !== null && holds((value as Record<string, unknown>)[step], rest)
}

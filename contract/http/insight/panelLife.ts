import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { customerIdValue, deviceGuidValue, deviceIdValue, momentValue } from '#contract/call/values.ts'
import { subjectFields } from './lightStatements.ts'

const life = z.discriminatedUnion('kind', [
  /** There are too few counted days to say anything. */
  z.object({ kind: z.literal('tooLittle'), days: z.int(), needed: z.int() }),
  z.object({ kind: z.literal('unused'), days: z.int() }),
  z.object({
    kind: z.literal('known'),
    usedHundredths: z.int(),
    daysLeft: z.int(),
    earliestDaysLeft: z.int(),
    latestDaysLeft: z.int(),
  }),
])

const lifeModel = z.strictObject({
  ratedHours: z.int32().min(1_000).max(1_000_000),
  ratedCelsius: z.int32().min(0).max(100),
  levelExponentHundredths: z.int32().min(0).max(500),
  activationMillielectronvolts: z.int32().min(0).max(2_000),
})

const cohorts = z.array(
  z.object({
    name: z.string(),
    devices: z.int(),
    hours: z.int(),
    failures: z.int(),
    /** Hours of light between two failures, and its bounds of nine tenths confidence; null where they are unknown. */
    between: z.int().nullable(),
    atLeast: z.int().nullable(),
    atMost: z.int().nullable(),
    isTooFew: z.boolean(),
  }),
)

const panels = z.object({
  customerId: customerIdValue,
  customerName: z.string(),
  subject: z.string(),
  countedAt: momentValue,
  /** The rules by which it was counted, in words. */
  rules: z.array(z.string()),
  /** The present displays, those to be replaced first in front. */
  displays: z.array(
    z.object({
      id: deviceIdValue,
      guid: deviceGuidValue,
      name: z.string(),
      address: z.string(),
      number: z.int(),
      modelId: z.int(),
      model: z.string(),
      batch: z.string(),
      installedOn: z.iso.date().nullable(),
      /** The first day that was counted; null where none was. */
      firstDay: z.iso.date().nullable(),
      days: z.int(),
      /** Minutes of light by band of level and of temperature. */
      byLevel: z.array(z.int()),
      byTemperature: z.array(z.int()),
      life,
    }),
  ),
  /** For staff these are of every customer, else of the caller's own. */
  cohorts: z.object({ ofEveryCustomer: z.boolean(), model: cohorts, batch: cohorts, clientVersion: cohorts }),
  models: z.array(z.object({ modelId: z.int(), name: z.string(), life: lifeModel, isOwn: z.boolean() })),
})
export type Panels = z.output<typeof panels>

export const getPanelLife = call({
  method: 'GET',
  path: 'PanelLife/GetPanelLife',
  summary:
    'Hours of light of a customer’s displays by level and temperature, when each is to be replaced, and how often models, batches and client versions fail.',
  permission: 'seeDevices',
  shows: ['Energy figures', 'Device', 'Device component', 'Customer', 'Maintenance'],
  query: z.strictObject(subjectFields),
  answer: panels,
  errors: ['not_found'],
})

export const setLifeModel = call({
  method: 'POST',
  path: 'PanelLife/SetLifeModel',
  summary: 'Set how displays of a model age; null for the usual figures. Staff admins only.',
  permission: 'staffAdmin',
  body: z.strictObject({ modelId: z.int32(), life: lifeModel.nullable() }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Energy figures' },
})

import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { customerIdValue, deviceGuidValue, deviceIdValue, lineValue, momentValue } from '#contract/call/values.ts'
import { MOST_FACTORS } from '#domain/energy/gridFactors.ts'
import { MOST_PANEL_WATTS } from '#domain/energy/panelPower.ts'
import { MOST_TARIFFS } from '#domain/energy/tariffs.ts'
import { energySum } from './energySum.ts'
import { subjectFields } from './lightStatements.ts'

/** A year or a month of the calendar: `2026` or `2026-10`. */
export const periodValue = z.string().regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/)
/** A price of a million of a currency with cents. */
const MOST_PRICE = 100_000_000
const LONGEST_SOURCE = 200
const MOST_GRAMS = 3_000

const tariff = z.strictObject({
  validFrom: z.iso.date(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Thousandths of the smallest unit. */
  perKwhThousandths: z.int32().min(0).max(MOST_PRICE),
})
const watts = z.int32().min(0).max(MOST_PANEL_WATTS)
const power = z.strictObject({ fullWatts: watts, minimumWatts: watts, darkWatts: watts })
const factor = z.strictObject({
  year: z.int32().min(2000).max(2100),
  gramsPerKwh: z.int32().min(0).max(MOST_GRAMS),
  source: lineValue(LONGEST_SOURCE),
})

const energy = z.object({
  customerId: customerIdValue,
  customerName: z.string(),
  /** What was chosen, in words: all devices, a tag, a place or a device. */
  subject: z.string(),
  period: periodValue,
  countedAt: momentValue,
  /** The rules by which it was counted, in words. */
  rules: z.array(z.string()),
  total: energySum,
  /** The months of the year, or the days of the month. */
  parts: z.array(energySum.extend({ part: z.string() })),
  /** The devices, those that used most first. */
  devices: z.array(
    energySum.extend({
      id: deviceIdValue,
      guid: deviceGuidValue,
      name: z.string(),
      address: z.string(),
      timeZone: z.string(),
      hasLeft: z.boolean(),
      from: z.iso.date(),
      to: z.iso.date(),
    }),
  ),
  basis: z.object({
    tariffs: z.array(tariff),
    /** Whether the prices are the customer's own, or those of the installation. */
    areTariffsOwn: z.boolean(),
    panels: z.array(z.object({ modelId: z.int(), name: z.string(), power, isOwn: z.boolean() })),
    country: z.object({ id: z.int(), name: z.string() }).nullable(),
    factors: z.array(factor.extend({ isOwn: z.boolean() })),
    /** The figure that was used; null where it is unknown. */
    factor: factor.extend({ isOwn: z.boolean() }).nullable(),
  }),
})
export type Energy = z.output<typeof energy>

export const getEnergy = call({
  method: 'GET',
  path: 'Energy/GetEnergy',
  summary:
    'The energy of a customer’s devices in a year or month: measured and estimated, saved by which rule, its cost and CO₂.',
  permission: 'seeDevices',
  shows: ['Energy figures', 'Device', 'Device component', 'Customer', 'Holiday calendar'],
  query: z.strictObject({ ...subjectFields, period: periodValue }),
  answer: energy,
  errors: ['not_found'],
})

export const setEnergyTariffs = call({
  method: 'POST',
  path: 'Energy/SetTariffs',
  summary:
    'Set all prices of a kWh for a customer, or with null for every customer that has none of its own. Staff admins only.',
  permission: 'staffAdmin',
  body: z.strictObject({ customerId: customerIdValue.nullable(), tariffs: z.array(tariff).max(MOST_TARIFFS) }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Energy figures' },
})

export const setPanelPower = call({
  method: 'POST',
  path: 'Energy/SetPanelPower',
  summary: 'Set what displays of a model draw, in watts; null for the usual figures. Staff admins only.',
  permission: 'staffAdmin',
  body: z.strictObject({ modelId: z.int32(), power: power.nullable() }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Energy figures' },
})

export const setGridFactors = call({
  method: 'POST',
  path: 'Energy/SetGridFactors',
  summary: 'Set what the electricity of a country emits by year, in place of published figures. Staff admins only.',
  permission: 'staffAdmin',
  body: z.strictObject({ countryId: z.int32().positive(), factors: z.array(factor).max(MOST_FACTORS) }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Energy figures' },
})

import type pg from 'pg'
import type { Energy } from '#contract/http/insight/energy.ts'
import { componentModelTitle } from '#domain/components/componentModels.ts'
import { energyPeriod, partsOf } from '#domain/energy/energyPeriod.ts'
import { ENERGY_RULES } from '#domain/energy/energyText.ts'
import { factorOf, factorsOf } from '#domain/energy/gridFactors.ts'
import { DISPLAY_MODELS, USUAL_POWER } from '#domain/energy/panelPower.ts'
import type { CustomerId } from '#domain/ids.ts'
import type { OwedDevice } from '#domain/statement/lightStatement.ts'
import { lastOf } from '#domain/statement/months.ts'
import { addDays } from '#domain/units/wallClock.ts'
import type { Db } from '#server/db/database.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type ChosenSubject, type Period, readOwedDevices, subjectText } from '../owedDevices.ts'
import {
  readEnergyCustomer,
  readGridFactors,
  readLightCells,
  readMeterCells,
  readPanelPowers,
  readTariffs,
} from './energyRows.ts'

interface Deps {
  readonly pool: pg.Pool
  readonly db: Db
}

export interface EnergyQuestion extends ChosenSubject {
  /** A year or a month. */
  readonly period: string
  /** Its days or months are not asked for one by one. */
  readonly isWhole?: boolean
}

/** Counts the energy of a period as it is now. The caller has checked that the customer may be seen. */
export async function composeEnergy({ pool, db }: Deps, question: EnergyQuestion, now: Date): Promise<Energy> {
  const { customerId, period, isWhole = false } = question
  const isYear = period.length === 4
  const [from, to] = isYear ? [`${period}-01-01`, `${period}-12-31`] : [`${period}-01`, lastOf(period)]
  const [customer, devices, subject, prices, panels] = await Promise.all([
    readEnergyCustomer(pool, customerId),
    readOwedDevices(pool, question, { from, to }),
    subjectText(pool, question),
    pricesOf(db, customerId),
    panelsOf(db),
  ])
  if (customer === undefined) throw notFound()
  const { country } = customer
  const factors = country ? factorsOf(country.isoCode, await readGridFactors(db, country.id)) : []
  const factor = factorOf(factors, Number(period.slice(0, 4)))
  const asked = {
    ...{ devices, from, to, parts: isYear || isWhole ? ('months' as const) : ('days' as const) },
    priceDays: prices.tariffs.map(({ validFrom }) => validFrom),
  }
  const [lights, meters] = await Promise.all([readLightCells(pool, asked), readMeterCells(pool, asked)])
  const powers = new Map(panels.map((panel) => [panel.modelId, panel.power]))
  const basis = { powers, tariffs: prices.tariffs, factor }
  const owned = devices.map((device) => ownedWithin(device, { from, to }))
  // The running day is known as far as it is counted.
  const yesterday = addDays(now.toISOString().slice(0, 10), -1)
  const over = owned.map((days) => ({ ...days, to: days.to < yesterday ? days.to : yesterday }))
  const {
    total,
    parts,
    devices: sums,
  } = energyPeriod({ lights, meters }, over, isWhole ? [period] : partsOf(period), basis)
  return {
    ...{ customerId, customerName: customer.name, subject, period, countedAt: now.toISOString() },
    rules: [...ENERGY_RULES],
    total: answered(total),
    parts: parts.map(({ part, ...one }) => ({ part, ...answered(one) })),
    devices: devices
      .map(({ id, guid, name, address, timeZone, hasLeft }, index) => ({
        ...{ id, guid, name, address, timeZone, hasLeft, ...(owned[index] ?? { from, to }) },
        ...answered(sums[index] ?? total),
      }))
      .sort((a, b) => b.figures.used - a.figures.used || a.id - b.id),
    basis: {
      ...{ tariffs: [...prices.tariffs], areTariffsOwn: prices.areOwn, panels },
      country: country && { id: country.id, name: country.name },
      ...{ factors: [...factors], factor: factor ?? null },
    },
  }
}

const ownedWithin = ({ firstDay, lastDay }: OwedDevice, { from, to }: Period): Period => ({
  from: firstDay > from ? firstDay : from,
  to: lastDay !== null && lastDay < to ? lastDay : to,
})

const answered = (sums: ReturnType<typeof energyPeriod>['total']) => ({
  ...sums,
  cost: [...sums.cost],
  savedCost: [...sums.savedCost],
})

/** A customer with prices of its own has no others. */
async function pricesOf(db: Deps['db'], customerId: CustomerId) {
  const own = await readTariffs(db, customerId)
  return own.length > 0 ? { tariffs: own, areOwn: true } : { tariffs: await readTariffs(db, null), areOwn: false }
}

async function panelsOf(db: Deps['db']): Promise<Energy['basis']['panels']> {
  const own = await readPanelPowers(db)
  return DISPLAY_MODELS.flatMap((model) => {
    const power = own.get(model.id) ?? USUAL_POWER.get(model.id)
    const isOwn = own.has(model.id)
    return power ? [{ modelId: model.id, name: componentModelTitle(model), power, isOwn }] : []
  })
}

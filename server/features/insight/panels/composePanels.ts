import type { Panels } from '#contract/http/insight/panelLife.ts'
import { componentModelById, componentModelTitle } from '#domain/components/componentModels.ts'
import { DISPLAY_MODELS } from '#domain/energy/panelPower.ts'
import type { CustomerId } from '#domain/ids.ts'
import { type Cohort, cohortsOf, firstDaysOf } from '#domain/panels/cohorts.ts'
import { minutesByLevel, minutesByTemperature } from '#domain/panels/heatBands.ts'
import { type LifeModel, type PanelLife, panelLife, USUAL_LIFE } from '#domain/panels/panelLife.ts'
import { PANEL_RULES } from '#domain/panels/panelText.ts'
import type { OwedDevice } from '#domain/statement/lightStatement.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { addDays } from '#domain/units/wallClock.ts'
import { type ChosenSubject, readOwedDevices, subjectText } from '#server/darkness/owedDevices.ts'
import type { Given } from '#server/features/feature.ts'
import { readCustomerName } from '#server/fleet/customerLookup.ts'
import { notFound } from '#server/http/call/callError.ts'
import {
  type DisplayMonth,
  readDisplayMonths,
  readLifeModels,
  readVersionShares,
  type VersionShare,
} from './panels.store.ts'

/** Cohorts compare what happened in the last year, with the clients of now and shortly before. */
const COHORT_DAYS = 365

/** Tells the life of the present displays. The caller has checked that the customer may be seen. */
export async function composePanels(
  { pool, db }: Pick<Given, 'pool' | 'db'>,
  question: ChosenSubject,
  cohortsOfCustomer: CustomerId | null,
  now: Date,
): Promise<Panels> {
  const { customerId } = question
  const today = now.toISOString().slice(0, 10)
  const [name, owed, subject, own, shares] = await Promise.all([
    readCustomerName(db, customerId),
    readOwedDevices(pool, question, { from: addDays(today, -1), to: addDays(today, 1) }),
    subjectText(pool, question),
    readLifeModels(db),
    readVersionShares(pool, cohortsOfCustomer, { from: addDays(today, -COHORT_DAYS), to: addDays(today, 1) }),
  ])
  if (name === undefined) throw notFound()
  const devices = owed.filter(({ lastDay }) => lastDay === null)
  const months = await readDisplayMonths(pool, devices)
  const displays = [...Map.groupBy(months, ({ at, number }) => `${at} ${number}`).values()]
  return {
    ...{ customerId, customerName: name, subject, countedAt: now.toISOString(), rules: [...PANEL_RULES] },
    displays: displays
      .flatMap((one) => displayOf(devices, one, own))
      .sort((a, b) => leftOf(a.life) - leftOf(b.life) || a.id - b.id || a.number - b.number),
    cohorts: { ofEveryCustomer: cohortsOfCustomer === null, ...cohortsBy(shares) },
    models: DISPLAY_MODELS.map((model) => ({
      ...{ modelId: model.id, name: componentModelTitle(model) },
      ...{ life: own.get(model.id) ?? USUAL_LIFE, isOwn: own.has(model.id) },
    })),
  }
}

/** Displays of which nothing is known come last. */
const leftOf = (life: PanelLife) => (life.kind === 'known' ? life.daysLeft : 1e9)

const modelName = (modelId: number) => {
  const model = componentModelById(modelId)
  return model ? componentModelTitle(model) : 'Unknown model'
}

function displayOf(
  devices: readonly OwedDevice[],
  months: readonly DisplayMonth[],
  own: ReadonlyMap<number, LifeModel>,
): Panels['displays'] {
  const [first] = months
  const device = devices[first?.at ?? -1]
  if (first === undefined || device === undefined) return []
  const { number, modelId, batch, installedOn } = first
  const counted = months.filter(({ month }) => month !== null)
  const firstDay = counted[0]?.firstDay ?? null
  const before = installedOn && firstDay ? Math.max(0, (Date.parse(firstDay) - Date.parse(installedOn)) / DAY_MS) : 0
  const heat = counted.reduce<number[]>((sum, month) => month.heat.map((one, cell) => one + (sum[cell] ?? 0)), [])
  const { id, guid, name, address } = device
  return [
    {
      ...{ id, guid, name, address, number, modelId, model: modelName(modelId), batch, installedOn, firstDay },
      days: counted.reduce((sum, { days }) => sum + days, 0),
      byLevel: [...minutesByLevel(heat)],
      byTemperature: [...minutesByTemperature(heat)],
      life: panelLife(counted, own.get(modelId) ?? USUAL_LIFE, before),
    },
  ]
}

function cohortsBy(rows: readonly VersionShare[]): Omit<Panels['cohorts'], 'ofEveryCustomer'> {
  const shares = [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((versions) => {
    const failures = firstDaysOf(versions.flatMap(({ failedDays }) => failedDays))
    return versions.map((version) => ({
      ...version,
      hours: version.litMinutes / 60,
      failures: version.failedDays.filter((day) => failures.has(day)).length,
    }))
  })
  const by = (nameOf: (share: VersionShare) => string): Cohort[] => [
    ...cohortsOf(
      shares.map(({ id, hours, failures, ...share }) => ({
        ...{ name: nameOf({ id, ...share }), deviceId: id, hours, failures },
      })),
    ),
  ]
  return {
    model: by(({ modelId }) => modelName(modelId)),
    batch: by(({ batch }) => batch || 'No batch'),
    clientVersion: by(({ clientVersion }) => clientVersion ?? 'Not recorded'),
  }
}

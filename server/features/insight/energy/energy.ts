import type { BodyOf } from '#contract/call/call.ts'
import { getEnergy, setEnergyTariffs, setGridFactors, setPanelPower } from '#contract/http/insight/energy.ts'
import { componentModelTitle } from '#domain/components/componentModels.ts'
import { factorProblem } from '#domain/energy/gridFactors.ts'
import { DISPLAY_MODELS, powerProblem } from '#domain/energy/panelPower.ts'
import { tariffProblem } from '#domain/energy/tariffs.ts'
import { composeEnergy } from '#server/darkness/energy/composeEnergy.ts'
import {
  readCountryName,
  readEnergyCustomer,
  readGridFactors,
  readPanelPowers,
  readTariffs,
  writeGridFactors,
  writePanelPower,
  writeTariffs,
} from '#server/darkness/energy/energyRows.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock'>

/** Energy: what devices used and saved, its cost and CO₂, and the figures by which they are counted. */
export function energyFeature(deps: Deps) {
  const { db, clock } = deps
  return {
    routes: [
      route(getEnergy, async ({ query, caller }) => {
        await requireCustomer(db, query.customerId, scopeOf(caller))
        return composeEnergy(deps, query, clock.now())
      }),
      route(setEnergyTariffs, ({ body, caller, change }) => setTariffs(deps, body, caller, change)),
      route(setPanelPower, ({ body, change }) => setPower(deps, body, change)),
      route(setGridFactors, ({ body, change }) => setFactors(deps, body, change)),
    ],
  }
}

function refuse(field: string, problem: string | undefined): void {
  if (problem) throw new CallError('invalid_request', `${field}: ${problem}`)
}

async function setTariffs(
  { pool, db }: Deps,
  { customerId, tariffs }: BodyOf<typeof setEnergyTariffs>,
  caller: Caller,
  change: ChangeRecord,
): Promise<true> {
  change.about({ ...(customerId !== null && { customerId, id: customerId }) })
  if (customerId !== null) await requireCustomer(db, customerId, scopeOf(caller))
  refuse('tariffs', tariffProblem(tariffs))
  const name = customerId === null ? 'All customers' : ((await readEnergyCustomer(pool, customerId))?.name ?? '')
  await db.transaction().execute(async (transaction) => {
    const before = await readTariffs(transaction, customerId)
    await writeTariffs(transaction, customerId, tariffs)
    const after = await readTariffs(transaction, customerId)
    await change.done(transaction, {
      ...{ id: customerId ?? 0, name, ...(customerId !== null && { customerId }), details: 'Prices' },
      ...{ before: { tariffs: before }, after: { tariffs: after } },
    })
  })
  return true
}

async function setPower(
  { db }: Deps,
  { modelId, power }: BodyOf<typeof setPanelPower>,
  change: ChangeRecord,
): Promise<true> {
  change.about({ id: modelId })
  const model = DISPLAY_MODELS.find(({ id }) => id === modelId)
  if (model === undefined) throw notFound()
  refuse('power', power === null ? undefined : powerProblem(power))
  await db.transaction().execute(async (transaction) => {
    const before = (await readPanelPowers(transaction)).get(modelId) ?? null
    await writePanelPower(transaction, modelId, power)
    await change.done(transaction, {
      ...{ id: modelId, name: componentModelTitle(model), details: 'Power of displays' },
      ...{ before: { power: before }, after: { power } },
    })
  })
  return true
}

async function setFactors(
  { db }: Deps,
  { countryId, factors }: BodyOf<typeof setGridFactors>,
  change: ChangeRecord,
): Promise<true> {
  change.about({ id: countryId })
  const name = await readCountryName(db, countryId)
  if (name === undefined) throw notFound()
  refuse('factors', factorProblem(factors))
  await db.transaction().execute(async (transaction) => {
    const before = await readGridFactors(transaction, countryId)
    await writeGridFactors(transaction, countryId, factors)
    const after = await readGridFactors(transaction, countryId)
    await change.done(transaction, {
      ...{ id: countryId, name, details: 'CO₂ of electricity' },
      ...{ before: { factors: before }, after: { factors: after } },
    })
  })
  return true
}

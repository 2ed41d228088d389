import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import {
  createLightRuleSet,
  deleteLightRuleSet,
  endLightRuleSet,
  getLightRuleProof,
  type LightRuleSetRow,
  listLightConflicts,
  listLightRuleSets,
  replaceLightRuleSet,
} from '#contract/http/insight/lightRules.ts'
import { replacementProblem, ruleSetProblem } from '#domain/lightRules/ruleSet.ts'
import { placeText, validText } from '#domain/lightRules/ruleText.ts'
import type { Month } from '#domain/statement/months.ts'
import { addDays } from '#domain/units/wallClock.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { isWithin } from '#server/http/call/scopeSql.ts'
import { findConflicts } from './conflicts.ts'
import { ruleDaysJob } from './ruleDays.store.ts'
import { RULE_FILES } from './ruleFiles.ts'
import {
  deleteRuleSet,
  endRuleSet,
  insertRuleSet,
  metBy,
  type PlacedDevice,
  type RuleSetRow,
  readPlacedDevices,
  readProofRows,
  readRuleSets,
} from './ruleSets.store.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock'>

/** Light by law: which rules meet which devices, what their settings break, and what came of it by month. */
export function lightRulesFeature(deps: Deps) {
  return {
    routes: [
      route(listLightRuleSets, ({ caller }) => list(deps, caller)),
      route(createLightRuleSet, ({ body, caller, change }) => create(deps, body, caller, change)),
      route(endLightRuleSet, ({ body, caller, change }) => end(deps, body, caller, change)),
      route(replaceLightRuleSet, ({ body, caller, change }) => replace(deps, body, caller, change)),
      route(deleteLightRuleSet, ({ body, caller, change }) => remove(deps, body.id, caller, change)),
      route(listLightConflicts, async ({ query: { id }, caller }) =>
        findConflicts(deps, await requireSet(deps, id, caller), scopeOf(caller)),
      ),
      route(getLightRuleProof, ({ query, caller }) => proof(deps, query, caller)),
    ],
    jobs: [ruleDaysJob],
  }
}

async function requireSet({ pool }: Deps, id: number, caller: Caller): Promise<RuleSetRow> {
  const [row] = await readRuleSets(pool, scopeOf(caller), id)
  if (row === undefined) throw notFound()
  return row
}

async function list({ pool }: Deps, caller: Caller): Promise<AnswerOf<typeof listLightRuleSets>> {
  const scope = scopeOf(caller)
  const [rows, devices] = [await readRuleSets(pool, scope), await readPlacedDevices(pool, scope)]
  return { rows: rows.map((row) => toAnswer(row, devices, caller)), files: RULE_FILES }
}

function toAnswer(row: RuleSetRow, devices: readonly PlacedDevice[], caller: Caller): LightRuleSetRow {
  const { met, unknown } = metBy(row, devices)
  return {
    ...{ ...row, createdAt: row.createdAt.toISOString(), set: row.set as LightRuleSetRow['set'] },
    ...{ metDevices: met.length, unknownDevices: unknown.length },
    mayChange: isWithin(scopeOf(caller), row.customerId),
  }
}

async function create(
  { db }: Deps,
  { customerId, set }: ReadBodyOf<typeof createLightRuleSet>,
  caller: Caller,
  change: ChangeRecord,
): Promise<number> {
  change.about({ name: set.name, customerId })
  if (!isWithin(scopeOf(caller), customerId)) throw notFound()
  if (customerId !== null) await requireCustomer(db, customerId, scopeOf(caller))
  const problem = ruleSetProblem(set)
  if (problem) throw new CallError('invalid_request', problem)
  return db.transaction().execute(async (transaction) => {
    const id = (await insertRuleSet(transaction, { customerId, set, userId: caller.userId })) as number
    await change.done(transaction, { id, name: set.name, customerId, details: detailsOf({ set }), after: set })
    return id
  })
}

const detailsOf = ({ set }: Pick<RuleSetRow, 'set'>) => `${placeText(set)}, ${validText(set)}`

async function requireOwn(deps: Deps, id: number, caller: Caller, change: ChangeRecord): Promise<RuleSetRow> {
  change.about({ id })
  const row = await requireSet(deps, id, caller)
  change.about({ id, name: row.set.name, customerId: row.customerId })
  if (!isWithin(scopeOf(caller), row.customerId)) throw notFound()
  return row
}

const ENDS_SOONER = 'validUntil: A rule set can end sooner, not later.'

async function end(
  deps: Deps,
  { id, validUntil }: ReadBodyOf<typeof endLightRuleSet>,
  caller: Caller,
  change: ChangeRecord,
): Promise<true> {
  const { set, customerId } = await requireOwn(deps, id, caller, change)
  const problem = ruleSetProblem({ ...set, validUntil })
  if (problem) throw new CallError('invalid_request', problem)
  await deps.db.transaction().execute(async (transaction) => {
    if (!(await endRuleSet(transaction, id, validUntil))) throw new CallError('invalid_request', ENDS_SOONER)
    const [before, after] = [{ validUntil: set.validUntil }, { validUntil }]
    await change.done(transaction, { id, name: set.name, customerId, before, after })
  })
  return true
}

/** What was counted by a set must stay, so another one begins where it ends (rules/light 12). */
async function replace(
  deps: Deps,
  { id, set }: ReadBodyOf<typeof replaceLightRuleSet>,
  caller: Caller,
  change: ChangeRecord,
): Promise<number> {
  const { set: before, customerId } = await requireOwn(deps, id, caller, change)
  const problem = replacementProblem(before, set, deps.clock.now()) ?? ruleSetProblem(set)
  if (problem) throw new CallError('invalid_request', problem)
  return deps.db.transaction().execute(async (transaction) => {
    const isEnded = await endRuleSet(transaction, id, addDays(set.validFrom, -1))
    const made = isEnded && (await insertRuleSet(transaction, { customerId, set, userId: caller.userId, replaces: id }))
    if (!made) throw new CallError('invalid_request', HAS_ENDED)
    const details = `Replaces rule set ${id} from ${set.validFrom}`
    await change.done(transaction, { id: made, name: set.name, customerId, details, before, after: set })
    return made
  })
}

const HAS_ENDED = 'validFrom: The rule set ends before. Change the one that replaces it, or add another.'

async function remove(deps: Deps, id: number, caller: Caller, change: ChangeRecord): Promise<true> {
  const { set, customerId } = await requireOwn(deps, id, caller, change)
  await deps.db.transaction().execute(async (transaction) => {
    await deleteRuleSet(transaction, id)
    await change.done(transaction, { id, name: set.name, customerId, before: set })
  })
  return true
}

const NOTHING = { due: 0, kept: 0, broken: 0, unknown: 0, maintenance: 0 }

/** A device that has left or was deleted is left out: what it did is not shown to its former owner. */
async function proof(
  deps: Deps,
  { id, month }: { readonly id: number; readonly month: Month },
  caller: Caller,
): Promise<AnswerOf<typeof getLightRuleProof>> {
  const { db } = deps
  const row = await requireSet(deps, id, caller)
  const devices = new Map(
    (await readPlacedDevices(deps.pool, scopeOf(caller)))
      .filter(({ customerId }) => row.customerId === null || customerId === row.customerId)
      .map((device) => [device.id, device]),
  )
  const rows = (await readProofRows(db, id, month)).flatMap(({ brokenAt, ...minutes }) => {
    const device = devices.get(minutes.deviceId)
    if (device === undefined) return []
    const { guid, name, address, timeZone } = device
    return [{ ...minutes, guid, name, address, timeZone, brokenAt: brokenAt?.toISOString() ?? null }]
  })
  const total = rows.reduce(
    (sum, one) => ({
      ...{ due: sum.due + one.due, kept: sum.kept + one.kept, broken: sum.broken + one.broken },
      ...{ unknown: sum.unknown + one.unknown, maintenance: sum.maintenance + one.maintenance },
    }),
    NOTHING,
  )
  return { total, devices: rows.toSorted((a, b) => b.broken - a.broken || b.unknown - a.unknown) }
}

import type { BodyOf } from '#contract/call/call.ts'
import { getPanelLife, setLifeModel } from '#contract/http/insight/panelLife.ts'
import { componentModelTitle } from '#domain/components/componentModels.ts'
import { DISPLAY_MODELS } from '#domain/energy/panelPower.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import { notFound } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { composePanels } from './composePanels.ts'
import { readLifeModels, writeLifeModel } from './panels.store.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock'>

/** The life of panels: heat, when to replace them, and which kinds fail. */
export function panelsFeature(deps: Deps) {
  const { db, clock } = deps
  return {
    routes: [
      route(getPanelLife, async ({ query, caller }) => {
        await requireCustomer(db, query.customerId, scopeOf(caller))
        const cohortsOf = caller.customerId === undefined ? null : query.customerId
        return composePanels(deps, query, cohortsOf, clock.now())
      }),
      route(setLifeModel, ({ body, change }) => setModel(deps, body, change)),
    ],
  }
}

async function setModel(
  { db }: Deps,
  { modelId, life }: BodyOf<typeof setLifeModel>,
  change: ChangeRecord,
): Promise<true> {
  change.about({ id: modelId })
  const model = DISPLAY_MODELS.find(({ id }) => id === modelId)
  if (model === undefined) throw notFound()
  await db.transaction().execute(async (transaction) => {
    const before = (await readLifeModels(transaction)).get(modelId) ?? null
    await writeLifeModel(transaction, modelId, life)
    await change.done(transaction, {
      ...{ id: modelId, name: componentModelTitle(model), details: 'Life of panels' },
      ...{ before: { life: before }, after: { life } },
    })
  })
  return true
}

import { type Darkness, getDarkness } from '#contract/http/insight/darkness.ts'
import { getFeedChain, setFeedChain } from '#contract/http/insight/feedChain.ts'
import { type Walk, walksOf } from '#domain/darkness/whyDark.ts'
import type { DeviceId } from '#domain/ids.ts'
import { readNowFacts } from '#server/darkness/now/nowFacts.ts'
import type { Given } from '#server/features/feature.ts'
import { findModelId } from '#server/fleet/existingDevices.store.ts'
import { notFound } from '#server/http/call/callError.ts'
import { type Scope, scopeOf } from '#server/http/call/caller.ts'
import { route } from '#server/http/call/route.ts'
import { chainOnWire, changeFeedChain, readFeedChain } from './feedChains.ts'

/** Explains why a display is dark, and manages the power wiring. */
export function darknessFeature(given: Pick<Given, 'pool' | 'db' | 'clock' | 'live'>) {
  const { pool, db, clock } = given
  return {
    feedChainOf: (deviceId: DeviceId, scope: Scope) => readFeedChain(db, deviceId, scope),
    routes: [
      route(getDarkness, async ({ query: { deviceId }, caller }) => {
        const at = clock.now()
        const [modelId, devices] = await Promise.all([
          findModelId(db, deviceId, scopeOf(caller)),
          readNowFacts(pool, [deviceId], at),
        ])
        const device = devices.get(deviceId)
        if (modelId === undefined || device === undefined) throw notFound()
        const walks = walksOf(device.facts, device.chain, at)
        return { at: at.toISOString(), walks: walks.map(toWire) }
      }),
      route(getFeedChain, async ({ query: { deviceId }, caller }) =>
        chainOnWire(await readFeedChain(db, deviceId, scopeOf(caller))),
      ),
      route(setFeedChain, ({ body, caller, change }) => changeFeedChain(given, body, caller, change)),
    ],
  }
}

function toWire({ displayNumber, displayName, verdict, links }: Walk): Darkness['walks'][number] {
  const { action } = verdict
  return {
    displayNumber,
    displayName,
    verdict: {
      ...verdict,
      link: verdict.link ?? null,
      action: action ? { ...action, section: action.section ?? null, control: action.control ?? null } : null,
    },
    links: links.map(({ kind, name, state, finding, sentence, evidence }) => ({
      kind,
      name,
      state,
      finding: finding ?? null,
      sentence,
      evidence: evidence.map((one) => ({ ...one, at: one.at?.toISOString() ?? null })),
    })),
  }
}

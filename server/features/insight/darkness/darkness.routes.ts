import { type Darkness, getDarkness } from '#contract/http/insight/darkness.ts'
import { type Walk, walksOf } from '#domain/darkness/whyDark.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { readNowFacts } from '#server/darkness/now/nowFacts.ts'
import { notFound } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DarknessStore } from './darkness.store.ts'

export interface DarknessDeps {
  readonly store: DarknessStore
  readonly readNowFacts: (deviceIds: readonly DeviceId[], now: Date) => ReturnType<typeof readNowFacts>
  readonly now: () => Date
}

export function darknessRoutes({ store, readNowFacts, now }: DarknessDeps): readonly Route[] {
  return [
    route(getDarkness, async ({ query: { deviceId }, caller }) => {
      const at = now()
      const [modelId, devices] = await Promise.all([
        store.modelOf(deviceId, scopeOf(caller)),
        readNowFacts([deviceId], at),
      ])
      const device = devices.get(deviceId)
      if (modelId === undefined || device === undefined) throw notFound()
      const walks = walksOf(device.facts, device.chain, at)
      return { at: at.toISOString(), walks: walks.map(toWire) }
    }),
  ]
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

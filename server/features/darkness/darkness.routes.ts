import { type Darkness, getDarkness } from '#contract/http/darkness.ts'
import { withFeeds } from '#domain/darkness/configuredFeeds.ts'
import type { Reading } from '#domain/darkness/facts.ts'
import { defaultFeedChain } from '#domain/darkness/feedChain.ts'
import { type Walk, walksOf } from '#domain/darkness/whyDark.ts'
import type { DeviceId } from '#domain/ids.ts'
import { isTimeZone } from '#domain/units/wallClock.ts'
import { notFound } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DarknessStore } from './darkness.store.ts'
import type { FeedStore } from './feeds.store.ts'

export interface DarknessNeeds {
  readonly store: DarknessStore
  readonly feeds: FeedStore
  /** The newest value of every field that the device ever reported. */
  readonly currentState: (
    deviceId: DeviceId,
  ) => Promise<readonly (Reading & { readonly numbered: { readonly wireName: string } })[]>
  /** Where the device stands, from its yesterday on. */
  readonly holidays: (deviceId: DeviceId, daysAhead: number) => Promise<readonly { readonly date: string }[]>
  readonly now: () => Date
}

export function darknessRoutes({ store, feeds, currentState, holidays, now }: DarknessNeeds): readonly Route[] {
  return [
    route(getDarkness, async ({ query: { deviceId }, caller }) => {
      const device = await store.find(deviceId, scopeOf(caller))
      if (!device) throw notFound()
      const at = now()
      const [components, settings, commands, outletHistory, readings, days, wiring] = await Promise.all([
        store.components(deviceId),
        store.settings(deviceId),
        store.commands(deviceId),
        store.outletHistory(deviceId, at),
        currentState(deviceId),
        holidays(deviceId, 1),
        feeds.list(deviceId),
      ])
      const facts = {
        ...device,
        ...settings,
        // By our own clock table: the database may know other zones than we do.
        timeZone: isTimeZone(device.timeZone) ? device.timeZone : 'UTC',
        components,
        commands,
        outletHistory,
        readings: new Map(readings.map(({ numbered, value, at }) => [numbered.wireName, { value, at }])),
        holidays: new Set(days.map(({ date }) => date)),
      }
      const chain = withFeeds(defaultFeedChain(device.modelId, components), wiring)
      const walks = walksOf(facts, chain, at)
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
      action: action ? { ...action, section: action.section ?? null } : null,
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

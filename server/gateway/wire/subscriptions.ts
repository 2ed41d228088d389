import { commandsFilter, settingsTopic, timeTopic, topicRoot } from '#contract/mqtt/topics.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import type { Filter } from './controlPackets.ts'

/** More filters of one connection are refused. Ours have three. */
const MOST_FILTERS = 100
const REFUSED = 0x80

/** The filters that one connection subscribed to, below the root of its device. */
export type Subscriptions = readonly Filter[]

export const NO_SUBSCRIPTIONS: Subscriptions = []

const NOBODY = '' as DeviceGuid
/** The filters that our agents use. One object serves the whole fleet. */
const USUAL: readonly Filter[] = [timeTopic, settingsTopic, commandsFilter].flatMap((topicOf) =>
  [0, 1, 2].map((qos) => ({ topic: topicOf(NOBODY).slice(topicRoot(NOBODY).length), qos })),
)

/** Adds filters, or replaces those of the same topic. @returns for each filter the granted QoS or a refusal */
export function subscribe(subscriptions: Subscriptions, filters: readonly Filter[]) {
  const after = new Map(subscriptions.map((filter) => [filter.topic, filter]))
  const granted = filters.map((filter) => {
    if (after.size >= MOST_FILTERS && !after.has(filter.topic)) return REFUSED
    after.set(filter.topic, usualOf(filter) ?? filter)
    return filter.qos
  })
  return { subscriptions: [...after.values()], granted }
}

export function unsubscribe(subscriptions: Subscriptions, topics: readonly string[]): Subscriptions {
  return subscriptions.filter(({ topic }) => !topics.includes(topic))
}

/** Finds the best QoS at which a topic was subscribed to; undefined when it was not. */
export function grantedQos(subscriptions: Subscriptions, topic: string): number | undefined {
  let best: number | undefined
  for (const filter of subscriptions) {
    if (takesIn(filter.topic, topic)) best = Math.max(best ?? 0, filter.qos)
  }
  return best
}

export function takesIn(filter: string, topic: string): boolean {
  const wanted = filter.split('/')
  const levels = topic.split('/')
  for (const [index, level] of wanted.entries()) {
    if (level === '#') return true
    if (level !== '+' && level !== levels[index]) return false
  }
  return wanted.length === levels.length
}

const usualOf = ({ topic, qos }: Filter) => USUAL.find((usual) => usual.topic === topic && usual.qos === qos)

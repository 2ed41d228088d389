import type { commandLabels } from '#console/deviceParts/commandLabels.ts'
import { LIGHT_PARTS } from '#console/deviceParts/lightParts.ts'
import { type Address, address } from '#console/router/addressText.ts'
import type { DeviceTimeline } from '#contract/http/devices/records.ts'
import { nameOf } from '#domain/alerts/alertLabels.ts'
import { SEVERITIES } from '#domain/alerts/conditionKinds.ts'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import type { DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'

export type LaneName = keyof DeviceTimeline

export interface TimelineItem {
  readonly key: string
  readonly fromMs: number
  /** It equals `fromMs` for a moment, and is undefined while the item still goes on. */
  readonly toMs: number | undefined
  readonly text: string
  readonly detail: string
  readonly tone: 'crit' | 'warn' | 'brand' | 'off'
  readonly light?: LightKind
  /** Hourly values only say whether the item filled the hour or a part of it. */
  readonly hours?: 'whole' | 'part' | undefined
  /** It is undefined where the reader may not open the page. */
  readonly to: Address | undefined
}

export interface Fill {
  readonly fromMs: number
  /** It is undefined where the state goes on. */
  readonly toMs: number | undefined
}

export interface TimelineLane {
  readonly name: LaneName
  readonly title: string
  readonly sinceMs: number
  readonly items: readonly TimelineItem[]
  /** The state that holds between the items. */
  readonly fill?: { readonly text: string; readonly spans: readonly Fill[] }
}

export interface LaneGroup {
  readonly guid: DeviceGuid
  readonly name: string
  readonly lanes: readonly TimelineLane[]
  readonly summary: TimelineLane
}

export interface TimelineDevice {
  readonly guid: DeviceGuid
  readonly modelId: DeviceModelId
}

/** The order is what was wrong, what was done about it, and how it was. */
const TITLES: Readonly<Record<LaneName, string>> = {
  alerts: 'Alerts',
  light: 'Light',
  power: 'Power',
  presence: 'Connection',
  commands: 'Commands',
  settings: 'Settings',
  updates: 'Updates',
  windows: 'Windows',
  maintenance: 'Maintenance',
}
const LANE_NAMES = Object.keys(TITLES) as LaneName[]

export interface TimelineRights {
  readonly maySee: boolean
  readonly maySet: boolean
  readonly mayUpdate: boolean
}

type Item<Name extends LaneName> = NonNullable<DeviceTimeline[Name]>['items'][number]
type LaneEntry = Omit<TimelineItem, 'key' | 'fromMs' | 'toMs'> & { readonly key?: string | number }
type LaneReaders = { readonly [Name in LaneName]?: (item: Item<Name>) => LaneEntry }

/** It says what a command is called. It is given by those who show commands, since its words are much code. */
export type WordsOfCommands = typeof commandLabels

/** It turns an answer into labelled lanes; a lane is absent that the reader may not read or that has no words. */
export function lanesOf(
  timeline: DeviceTimeline,
  device: TimelineDevice,
  rights: TimelineRights,
  wordsOf: WordsOfCommands | undefined,
): readonly TimelineLane[] {
  const readers: LaneReaders = {
    ...laneReadersOf(device, rights),
    ...(wordsOf && commandReadersOf(device, rights, wordsOf)),
  }
  const lane = <Name extends LaneName>(name: Name): TimelineLane | undefined => {
    const [found, read] = [timeline[name], readers[name]]
    if (!found || !read) return undefined
    return {
      name,
      title: TITLES[name],
      sinceMs: Date.parse(found.since),
      items: found.items.map((item): TimelineItem => {
        const { from, to } = 'at' in item ? { from: item.at, to: item.at } : item
        const { key = '', ...entry } = read(item as Item<Name>)
        return {
          ...entry,
          key: `${name} ${key} ${from}`,
          fromMs: Date.parse(from),
          toMs: to === null ? undefined : Date.parse(to),
        }
      }),
    }
  }
  return LANE_NAMES.flatMap((name) => lane(name) ?? [])
}

const STATE_WORDS = {
  accepted: 'not sent yet',
  sent: 'not answered yet',
  done: '',
  refused: 'refused',
  expired: 'never sent',
  unknown: 'never answered',
} as const

const SEVERITY_TONES: Readonly<Record<number, TimelineItem['tone']>> = { 1: 'crit', 2: 'warn', 3: 'brand' }

function laneReadersOf({ guid }: TimelineDevice, { maySee, mayUpdate }: TimelineRights): LaneReaders {
  const records = recordsOf(guid, maySee)
  /** Readings may no longer exist where only hourly values are kept. */
  const then = (at: string) => (maySee ? statusAsOf(guid, at) : undefined)
  return {
    alerts: ({ alertId, title, severityId, from }) => ({
      key: alertId,
      text: title,
      detail: nameOf(SEVERITIES, severityId),
      tone: SEVERITY_TONES[severityId] ?? 'warn',
      to: address('/alerts/alert-details', { data: { id: alertId }, at: from }),
    }),
    light: ({ kind, from, hours }) => ({
      key: kind,
      text: LIGHT_PARTS.find((part) => part.kind === kind)?.name ?? kind,
      detail: hoursLabel(hours),
      tone: kind === 'unplanned' ? 'crit' : 'off',
      light: kind,
      hours,
      to: hours ? then(from) : records(Date.parse(from), { evTypeId: 4 }),
    }),
    power: ({ from, hours }) => ({
      text: 'On battery',
      detail: hoursLabel(hours),
      tone: 'warn',
      hours,
      to: hours ? then(from) : records(Date.parse(from), { evTypeId: 5 }),
    }),
    presence: ({ reason, from }) => ({
      text: reason === 'silent' ? 'Not reporting' : 'Offline',
      detail: PRESENCE_WORDS[reason] ?? '',
      tone: 'off',
      to: records(Date.parse(from), 'messages'),
    }),
    updates: ({ rolloutId, version, state, reason }) => ({
      key: rolloutId,
      text: `Client ${version}`,
      detail: joined(state, reason),
      tone: state === 'failed' ? 'crit' : 'brand',
      to: mayUpdate ? address('/device-software/rollouts/$updateId', { updateId: String(rolloutId) }) : undefined,
    }),
    windows: ({ windowId, reason }) => ({
      key: windowId,
      text: 'Maintenance window',
      detail: reason,
      tone: 'off',
      to: maySee ? address('/maintenance-windows', { state: 'past' }) : undefined,
    }),
    maintenance: ({ id, comment, componentName }) => ({
      key: id,
      text: componentName === '' ? 'Maintenance' : `Maintenance: ${componentName}`,
      detail: comment,
      tone: 'brand',
      to: maySee ? address('/devices/$guid/maintenance', { guid, entry: id }) : undefined,
    }),
  }
}

function commandReadersOf(
  { guid, modelId }: TimelineDevice,
  { maySee, maySet }: TimelineRights,
  wordsOf: WordsOfCommands,
): Pick<LaneReaders, 'commands' | 'settings'> {
  const records = recordsOf(guid, maySee)
  const setup = maySet
    ? address(hasFixedSetup(modelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup', { guid })
    : undefined
  return {
    commands: ({ id, name, args, state, by, from }) => ({
      key: id,
      text: wordsOf(name, args).title,
      detail: joined(STATE_WORDS[state], by && `by ${by}`),
      tone: state === 'done' ? 'brand' : 'warn',
      to: records(Date.parse(from), 'messages'),
    }),
    settings: ({ id, name, args, by }) => {
      const { title, details } = wordsOf(name, args)
      return { key: id, text: title, detail: joined(...details, by && `by ${by}`), tone: 'brand', to: setup }
    },
  }
}

const recordsOf =
  (guid: DeviceGuid, maySee: boolean) => (atMs: number, what: { readonly evTypeId: number } | 'messages') => {
    if (!maySee) return undefined
    const [dateFrom, dateTo] = [new Date(atMs - HOUR_MS / 2), new Date(atMs + HOUR_MS / 2)].map((at) =>
      at.toISOString(),
    )
    const shown = what === 'messages' ? { view: 'messages' as const } : { view: 'raw' as const, ...what }
    return address('/devices/$guid/status', { guid, ...shown, dateFrom, dateTo })
  }

export const statusAsOf = (guid: DeviceGuid, at: string): Address => address('/devices/$guid/status', { guid, at })

const hoursLabel = (hours: 'whole' | 'part' | undefined) =>
  hours === undefined ? '' : hours === 'part' ? 'in a part of each hour' : 'shown by hours'

/** It returns where the hourly values end, or undefined where there are none. */
export function hourlyUntil(lanes: readonly TimelineLane[]): Date | undefined {
  const ends = lanes.flatMap(({ items }) => items.flatMap(({ hours, toMs }) => (hours && toMs ? [toMs] : [])))
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}

const WRONG: ReadonlySet<LaneName> = new Set<LaneName>(['alerts', 'light', 'power', 'presence'])

export function summaryOf(name: string, lanes: readonly TimelineLane[]): TimelineLane {
  const troubled = lanes.filter((lane) => WRONG.has(lane.name))
  return {
    name: 'alerts',
    title: name,
    sinceMs: Math.max(0, ...troubled.filter((lane) => lane.name === 'alerts').map(({ sinceMs }) => sinceMs)),
    items: troubled
      .flatMap(({ items }) => items.filter(({ light }) => light === undefined || light === 'unplanned'))
      .toSorted((a, b) => a.fromMs - b.fromMs),
  }
}

const PRESENCE_WORDS: Readonly<Record<string, string>> = {
  silent: 'connected, but sent nothing',
  keep_alive_missed: 'the connection was lost',
  replaced: 'another connection took its place',
  revoked: 'its key was renewed',
  server_lost: 'the server was lost',
  disconnected: 'it ended the connection',
  server_stopped: 'the server stopped',
}

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ')

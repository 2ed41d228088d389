import type { CommandName } from '../../contract/mqtt/command.ts'
import type { OwnDevice } from './device.ts'
import { ANSWER_SECONDS } from './system.ts'

/** A device answers at once, with a refusal, later than anybody waits, or never. */
export type Manner = 'well' | 'badly' | 'late' | 'silent'

export const REFUSAL = 'Stuck, says the device'
/** Operators have been notified by then that there was no answer, and could read it. */
const LATE_MS = 1000 * ANSWER_SECONDS + 3_000

interface PlayedDevice {
  readonly heard: readonly { readonly name: CommandName; readonly args: Record<string, unknown> }[]
  readonly settingsHeard: readonly number[]
}

type Report = readonly [topic: string, values: Record<string, number | string>]

/** Answers the commands and settings of a device as an ordinary MQTT client, and reports what they changed. */
export async function playDevice(own: OwnDevice, manner: Manner): Promise<PlayedDevice> {
  const root = `v1/devices/${own.guid}/`
  const heard: { name: CommandName; args: Record<string, unknown> }[] = []
  const settingsHeard: number[] = []
  const answer = (id: string, reply: object) =>
    own.client.publishAsync(`${root}replies/${id}`, JSON.stringify(reply), { qos: 1 })
  // A journey may end while the device is still about to answer or to report.
  const goneMeanwhile = () => undefined

  const obey = async (id: string, name: CommandName, args: Record<string, unknown>) => {
    heard.push({ name, args })
    if (manner === 'silent') return
    if (manner === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    if (manner === 'badly') return void (await answer(id, { ok: false, text: '', errors: [REFUSAL] }))
    await answer(id, { ok: true, text: `Done: ${name}`, errors: [] })
    const report = reportAfter(name, args)
    if (report) await own.report(...report)
  }

  own.client.on('message', (topic, payload) => {
    if (!own.client.connected) return
    const document = JSON.parse(payload.toString())
    const [kind, id = ''] = topic.slice(root.length).split('/')
    if (kind === 'commands') obey(id, document.name, document.args).catch(goneMeanwhile)
    if (kind !== 'settings') return
    settingsHeard.push(document.version)
    const results = document.sections.map(({ section, number }: { section: string; number: number }) => ({
      section,
      number,
      ok: true,
      errors: [],
    }))
    if (manner === 'well')
      answer(`settings-${document.version}`, { version: document.version, results }).catch(goneMeanwhile)
  })
  await own.client.subscribeAsync([`${root}commands/+`, `${root}settings`], { qos: 1 })
  return { heard, settingsHeard }
}

function reportAfter(name: CommandName, args: Record<string, unknown>): Report | undefined {
  const number = args.number === undefined || args.number === 1 ? '' : `/${args.number}`
  const isOn = args.on ? 1 : 0
  if (name === 'powerSwitch.set') return ['power-switch', { [`port${args.number}_status`]: isOn }]
  if (name === 'routerRelay.set') return [`router-relay${number}`, { relay_status: 1 - isOn }]
  if (name === 'relay.set') return [`relay${number}`, { [`port${args.port}_status`]: isOn }]
  if (name !== 'display.apply') return undefined
  const display = args.displayNumber === 1 ? 'display' : `display/${args.displayNumber}`
  return [display, { backlight_level: Number(args.backlightLevel), gamma_value: Number(args.gammaValue) }]
}

import { isFault, namesFault, OUTPUT_OFF } from '../catalogue/faults.ts'
import { portFieldsOf, unusedPortFields } from '../components/unusedPorts.ts'
import type { CommandFact, DarknessFacts, Look, Seen } from './facts.ts'
import { type FeedChain, type FeedPart, type PartKey, supplyOf } from './feedChain.ts'
import { found, type Judged, ok, unknownWithout, unknownWithoutReported, worded } from './links.ts'
import { isBatteryLow, isOne, isOnGrid, isPositive, isZero } from './lookedAt.ts'
import { isOutlet, outletField } from './powerCuts.ts'

/** A call waits this long for an answer; a later one counts as late. */
const LATE_ANSWER_AFTER_MS = 10_000

export interface Scene {
  readonly facts: DarknessFacts
  readonly chain: FeedChain
  readonly look: Look
}

/** Content on the display depends on these: itself, the computer, and the PC that plays it, if there is one. */
const neededBy = (displayKey: PartKey): readonly PartKey[] => [displayKey, 'player', 'computer']

/** Status or input voltage reveals a loss of mains, because many UPSes report only one of them. */
export function judgeMains({ look }: Scene): Judged {
  const [status, voltage, runtime] = [look('u_status'), look('u_input_voltage'), look('u_battery_runtime')]
  const seen = [status, voltage]
  const isTold = seen.some(({ value }) => value !== undefined)
  const unknown = isTold ? undefined : unknownWithoutReported(seen)
  if (unknown) return unknown
  const isOffGrid = status.value !== undefined && !isOnGrid(status.value)
  if (isOffGrid || (voltage.value !== undefined && !isPositive(voltage.value))) {
    return found('warning', 'onBattery', 'Mains power is out. The device is running on battery.', [...seen, runtime])
  }
  return ok('The UPS sees the power grid.', seen)
}

export function judgeUps({ look }: Scene): Judged {
  const [output, charge] = [look('u_output_voltage'), look('u_battery_charge')]
  const [alarm, replace] = [look('u_alarm'), look('u_replace_battery')]
  const seen = [output, charge]
  const isOutputTold = output.value !== undefined
  if ((isOutputTold && !isPositive(output.value)) || namesFault(alarm.value, OUTPUT_OFF)) {
    return found('broken', 'upsNoOutput', 'The UPS gives no power.', raised(seen, alarm), 'ups')
  }
  const unknown = unknownWithoutReported(seen)
  if (unknown) return unknown
  if (isBatteryLow(charge.value)) {
    return found('warning', 'batteryLow', 'The battery of the UPS is nearly empty.', raised(seen, alarm), 'ups')
  }
  if (isOne(replace.value)) {
    return found('warning', 'batteryWorn', 'The battery of the UPS has to be replaced.', [replace, ...seen], 'ups')
  }
  if (isFault(alarm.value)) {
    return found('warning', 'upsAlarm', `The UPS raises an alarm: ${alarm.value}.`, raised(seen, alarm), 'ups')
  }
  return ok(isOutputTold ? 'The UPS gives power.' : 'The battery of the UPS is charged.', seen)
}

/** Adds the alarms of the UPS, if there are any. */
const raised = (seen: readonly Seen[], alarm: Seen) => (isFault(alarm.value) ? [...seen, alarm] : seen)

interface Outlet {
  readonly part: FeedPart
  readonly seen: Seen
}

/** Returns the switched outlets between the mains and this display, its player and the computer. */
function outletsOf({ chain, look }: Scene, displayKey: PartKey): readonly Outlet[] {
  const feeding = new Map<PartKey, FeedPart>()
  for (const key of neededBy(displayKey)) {
    for (const part of supplyOf(chain, key)) {
      if (isOutlet(part)) feeding.set(part.key, part)
    }
  }
  return [...feeding.values()].map((part) => ({ part, seen: look(outletField(part)) }))
}

/** Returns undefined if there is no switch on the path. With `displayAnswers` the display reports, so it has power. */
export function judgeOutlets(scene: Scene, displayKey: PartKey, displayAnswers: boolean): Judged | undefined {
  const outlets = outletsOf(scene, displayKey)
  if (outlets.length === 0) return undefined
  const seen = outlets.map((outlet) => outlet.seen)
  const unknown = unknownWithoutReported(seen)
  if (unknown) return unknown
  const off = outlets
    .filter(({ seen: { value } }) => value !== undefined && !isOne(value))
    .map(({ part }) => judgeOff(scene, part, displayKey, displayAnswers, seen))
  const worst = BY_NEED.map((need) => off.find(({ state }) => state === need)).find((one) => one !== undefined)
  if (worst) return worst
  return judgeRefused(scene, ['powerSwitch', 'relay'], seen) ?? ok('Every outlet on the way is on.', seen)
}

const BY_NEED: readonly Judged['state'][] = ['broken', 'unknown', 'warning']

/**
 * A part that has answered since the outlet went off has power, so the real wiring differs from the recorded one. A
 * computer that is gone confirms the wiring, but says nothing about the light.
 */
function judgeOff(
  { chain, facts, look }: Scene,
  part: FeedPart,
  displayKey: PartKey,
  displayAnswers: boolean,
  seen: readonly Seen[],
): Judged {
  const feeds = (key: PartKey) => supplyOf(chain, key).some((feeder) => feeder.key === part.key)
  if (feeds(displayKey) && !displayAnswers) {
    return found('broken', 'outletOff', `${part.name}, which feeds the display, is off.`, seen, part.key)
  }
  const uptime = look('uptime')
  // A connected computer that never reported its uptime is there all the same.
  const isComputerGone = !facts.isOnline || (uptime.value === undefined && uptime.at !== undefined)
  if (feeds('computer') && isComputerGone) {
    const sentence = `${part.name}, which feeds the computer, is off.`
    return { state: 'unknown', finding: 'noReading', sentence, evidence: seen.map(({ evidence }) => evidence) }
  }
  const sentence =
    feeds(displayKey) || feeds('computer')
      ? `${part.name} is off, but what it should feed still answers. This device is wired differently.`
      : `${part.name}, which feeds the PC, is off.`
  return found('warning', 'outletOff', sentence, seen, part.key)
}

/** Judges by the newest answered command of each outlet of these kinds, if one of them was refused. */
function judgeRefused({ facts }: Scene, kinds: readonly string[], seen: readonly Seen[]): Judged | undefined {
  const answered = facts.commands.filter(
    ({ name, state }) => kinds.includes(kindOf(name)) && (state === 'done' || state === 'refused'),
  )
  const newest = [...Map.groupBy(answered, outletOf).values()].map(([first]) => first)
  const refused = newest.find((command) => command?.state === 'refused')
  if (!refused) return undefined
  const answer = worded('Answer of the device', refused.words, refused.endedAt)
  return found('warning', 'relayStuck', 'It refused the last switching command.', [answer, ...seen])
}

const kindOf = (commandName: string) => commandName.split('.')[0] ?? ''
const outletOf = ({ name, args }: CommandFact) => `${kindOf(name)}/${args.number}/${args.port ?? ''}`

export function judgeRouters(scene: Scene): Judged | undefined {
  const routers = scene.chain.parts.filter(({ kind }) => kind === 'router')
  if (routers.length === 0) return undefined
  const seen = routers.map(({ number }) => scene.look(`${number === 1 ? 'rt_' : `rt${number}_`}relay_status`))
  const unknown = unknownWithoutReported(seen)
  if (unknown) return unknown
  // 0 is On only here (rules/display 9).
  const off = routers.find((_, index) => seen[index]?.value !== undefined && !isZero(seen[index].value))
  if (off) return found('warning', 'routerOff', `${off.name} is switched off.`, seen, off.key)
  return judgeRefused(scene, ['routerRelay'], seen) ?? ok('The relay of every router is on.', seen)
}

export function judgeNetworkSwitches({ chain, look, facts }: Scene): Judged | undefined {
  const switches = chain.parts.filter(({ kind }) => kind === 'networkSwitch')
  const unused = unusedPortFields(facts.components)
  const ports = switches.flatMap((part) =>
    portFieldsOf(part.number)
      .filter(({ id }) => !unused.has(id))
      .map(({ wireName }) => ({ part, seen: look(wireName) })),
  )
  if (ports.length === 0) return undefined
  const seen = ports.map((port) => port.seen)
  const unknown = unknownWithoutReported(seen)
  if (unknown) return unknown
  const down = ports.find((port) => port.seen.value !== undefined && !isOne(port.seen.value))
  if (down) return found('warning', 'networkDown', `${down.part.name} has a port without network.`, seen, down.part.key)
  return ok('Every port has network.', seen)
}

export function judgeComputer({ facts, look }: Scene): Judged {
  const uptime = look('uptime')
  const unknown = unknownWithout([uptime])
  if (unknown) return unknown
  if (!facts.isOnline) {
    return {
      state: 'unknown',
      finding: 'offline',
      sentence: 'The computer has no connection to the server.',
      evidence: [uptime.evidence],
    }
  }
  return judgeAnswers(facts.commands, uptime) ?? ok('The computer runs, and it is connected.', [uptime])
}

/** Judges by the newest command that was sent and has ended. */
function judgeAnswers(commands: readonly CommandFact[], uptime: Seen): Judged | undefined {
  const last = commands.find(({ sentAt, state }) => sentAt !== undefined && state !== 'sent')
  if (!last?.sentAt) return undefined
  const asked = worded('Last command', 'sent', last.sentAt)
  if (last.state === 'unknown') {
    return found('warning', 'answersNever', 'It has not answered the last command.', [uptime, asked])
  }
  const tookMs = (last.endedAt?.getTime() ?? last.sentAt.getTime()) - last.sentAt.getTime()
  if (tookMs <= LATE_ANSWER_AFTER_MS) return undefined
  const sentence = `It took ${Math.round(tookMs / 1000)} s to answer the last command.`
  return found('warning', 'answersLate', sentence, [uptime, asked])
}

import { wallClock } from '#domain/units/wallClock.ts'
import { isWithoutSource } from '../catalogue/displayRules.ts'
import { isFault } from '../catalogue/faults.ts'
import { sensorOfDisplays } from '../components/sensorOfDisplays.ts'
import { backlightForLight } from '../displays/ambientCurve.ts'
import { dayPlanHoldsUntil } from '../displays/dayPlan.ts'
import type { OffSpan } from '../displays/offTimes.ts'
import type { PlannedLight } from '../displays/plannedLight.ts'
import { plannedThen, type Seen } from './facts.ts'
import { found, type Judged, ok, unknownWithout, unknownWithoutReported, worded } from './links.ts'
import { FANS, isOne, isPositive, isZero } from './lookedAt.ts'
import type { Scene } from './supplyLinks.ts'

/** Fans carry the heat of a display off; a cabinet that is this much warmer than its intake air is overheating. */
const OVERHEATED_BY_CELSIUS = 25

const prefixOf = (number: number) => (number === 1 ? 'd_' : `d${number}_`)
const backlightField = (displayNumber: number): string => `${prefixOf(displayNumber)}backlight_level`

/** Whether a display gives light, and the evidence for it. */
export interface Light {
  readonly isLit: boolean | undefined
  /** True if a sensor on its panel decides; otherwise the reported backlight does. */
  readonly isMeasured: boolean
  /** The deciding evidence first, then the evidence that it replaces. */
  readonly seen: readonly [Seen, ...Seen[]]
}

/** A measurement takes precedence over a report, unless it is stale, from before a power cut, or offline. */
export function lightOf({ look, facts }: Scene, number: number): Light {
  const level = look(backlightField(number))
  const measured = look(`${prefixOf(number)}panel_light`)
  if (measured.value !== undefined && facts.isOnline) {
    return { isLit: isPositive(measured.value), isMeasured: true, seen: [measured, level] }
  }
  return {
    isLit: level.value === undefined ? undefined : isPositive(level.value),
    isMeasured: false,
    seen: measured.at === undefined ? [level] : [level, measured],
  }
}

/** Not every display has a thermometer; any recent report of these shows that it answers. */
const ANSWERS_BY = ['internal_temp', 'backlight_level', 'out_of_order_status'] as const

function answerOf({ look }: Scene, number: number): Seen {
  const answers = ANSWERS_BY.map((name) => look(prefixOf(number) + name))
  const answered = answers.find(({ value }) => value !== undefined) ?? answers.find(({ at }) => at !== undefined)
  return answered ?? look(`${prefixOf(number)}internal_temp`)
}

/** Whether the display has reported recently, so that it has power and its computer reaches it. */
export const doesAnswer = (scene: Scene, number: number): boolean => answerOf(scene, number).value !== undefined

export function judgeDisplay(scene: Scene, number: number): Judged {
  const { look } = scene
  const of = (name: string) => look(prefixOf(number) + name)
  const answer = answerOf(scene, number)
  // Its computer is connected, because the walk would have ended before otherwise.
  const unknown = unknownWithout([answer], 'displayUnreachable')
  if (unknown) return unanswered(scene, number, unknown)
  const [internal, intake] = [of('internal_temp'), of('intake_temp')]
  if (Number(internal.value) - Number(intake.value) >= OVERHEATED_BY_CELSIUS) {
    return found('warning', 'overheating', 'It is overheating.', [internal, intake])
  }
  for (const fan of FANS) {
    const [target, speed] = [of(`fan${fan}_speed_target`), of(`fan${fan}_speed`)]
    if (Number(target.value) > 0 && speed.value === 0) {
      return found('warning', 'fanStuck', `Fan ${fan} stands still although it should run.`, [speed, target])
    }
  }
  const diagnosis = of('diagnosis')
  if (isFault(diagnosis.value)) {
    return found('warning', 'displayFault', `The display finds a fault in itself: ${diagnosis.value}.`, [diagnosis])
  }
  return ok('The display answers.', [answer])
}

/** A sensor at the panel distinguishes light from darkness whether or not the display answers. */
function unanswered(scene: Scene, number: number, unknown: Judged): Judged {
  const { isLit, isMeasured, seen } = lightOf(scene, number)
  if (!isMeasured) return { ...unknown, sentence: `The display does not answer its computer. ${unknown.sentence}` }
  const [measured] = seen
  if (isLit) {
    const sentence = 'The display does not answer its computer, yet its panel gives light, measured at the panel.'
    return found('warning', 'displayUnreachable', sentence, [measured])
  }
  // Only the silent display could say whether the ambient rule asks for darkness.
  if ((byPlan(scene, measured) ?? switchedOff(scene, number, measured) ?? 'none') !== 'none') {
    return found('warning', 'displayUnreachable', 'The display does not answer its computer.', [measured])
  }
  const sentence = 'The display does not answer its computer, and its panel gives no light, measured at the panel.'
  return found('broken', 'displayUnreachable', sentence, [measured])
}

/** The reason why a display without light is as intended. */
type Rule = Judged | 'none'

function ruleOf(scene: Scene, number: number, light: Seen): Rule {
  return byPlan(scene, light) ?? ambientRule(scene, number, light)
}

/** Uses the moment of the reading, so that the minutes around the end of an off time are no fault. */
const plannedOf = ({ facts }: Scene, { at }: Seen): PlannedLight => (at ? plannedThen(facts, at) : { rule: 'none' })

/** Returns undefined if no plan applies. */
function byPlan(scene: Scene, light: Seen): Rule | undefined {
  const planned = plannedOf(scene, light)
  if (planned.rule === 'none') return undefined
  return planned.rule === 'offTimes' ? inOffTime(scene, planned.span) : byDayPlan(scene, planned)
}

function inOffTime({ facts: { timeZone, emergency } }: Scene, span: OffSpan): Judged {
  const [from, to] = [wallClock(span.from, timeZone).time, wallClock(span.to, timeZone).time]
  const seen = [worded(`Off times (${span.group})`, `${from} to ${to}, local time`, undefined)]
  const who = emergency === undefined ? 'Off times keep' : `Emergency dark (${emergency}) keeps`
  return found('planned', 'offTime', `${who} it dark until ${to}, local time of the device.`, seen)
}

function byDayPlan({ facts }: Scene, step: Extract<PlannedLight, { readonly rule: 'dayPlan' }>): Rule {
  const { dayPlan, holidays } = facts
  if (dayPlan === undefined || step.backlightPercent > 0) return 'none'
  const until = dayPlanHoldsUntil(dayPlan, facts, holidays, step)
  const to = until && wallClock(until, facts.timeZone).time
  const seen = [worded('Day plan', '0 %', undefined)]
  const sentence = to
    ? `The day plan keeps it dark until ${to}, local time of the device.`
    : 'The day plan keeps it dark.'
  return found('planned', 'dayPlan', sentence, seen)
}

function ambientRule(scene: Scene, number: number, light: Seen): Rule {
  const { facts, look } = scene
  const sensor = sensorOfDisplays(facts.components).get(number)
  if (sensor === undefined) return switchedOff(scene, number, light) ?? 'none'
  const of = (name: string) => look(prefixOf(sensor) + name)
  const automatic = of('backlight_automatic_status')
  const unknown = unknownWithout([automatic])
  if (unknown) return unknown
  if (!isOne(automatic.value)) return switchedOff(scene, number, light) ?? 'none'
  const ambient = of('ambient_light')
  const limits = ['min_backlight', 'max_backlight', 'min_ambient_light', 'max_ambient_light'].map(of)
  const missing = unknownWithout([ambient, ...limits])
  if (missing) return missing
  const [minBacklight = 0, maxBacklight = 0, minAmbientLight = 0, maxAmbientLight = 0] = limits.map(({ value }) =>
    Number(value),
  )
  const curve = { minBacklight, maxBacklight, minAmbientLight, maxAmbientLight }
  if (Math.round(backlightForLight(curve, Number(ambient.value))) > 0) return 'none'
  const sentence = 'The ambient rule asks for no backlight at this light.'
  return found('planned', 'ambientMinimum', sentence, [ambient, ...limits.slice(0, 1)])
}

function switchedOff({ facts }: Scene, number: number, light: Seen): Judged | undefined {
  if (facts.setBacklights.get(number) !== 0) return undefined
  const seen = [light, worded('Backlight as it was set', '0 %', undefined)]
  return found('planned', 'switchedOff', 'An operator switched this display off.', seen)
}

export function judgeBacklight(scene: Scene, number: number): Judged {
  const light = lightOf(scene, number)
  const { isLit, isMeasured, seen } = light
  const [deciding] = seen
  const lamp = scene.look(`${prefixOf(number)}lamp_fault`)
  if (isOne(lamp.value)) return faultyLamp(scene, number, light, lamp)
  const unknown = unknownWithout([deciding])
  if (unknown) return unknown
  if (isLit) return refusedSettings(scene, number, seen) ?? ok(litLabel(light), seen)
  if (ruleOf(scene, number, deciding) !== 'none') {
    return ok(
      isMeasured ? `${DARK_PANEL}; see what asks for that.` : 'The backlight is at 0 %; see what asks for that.',
      seen,
    )
  }
  if (isMeasured) return darkPanel(scene, number, light)
  if (isLightRequested(scene, number, deciding)) {
    return found('broken', 'backlightDead', 'Backlight is on but gives no light.', seen)
  }
  return found('broken', 'backlightOff', 'The backlight is at 0 %, and no setting on record asks for that.', seen)
}

/** A faulty lamp is a fault of its own: no setting would bring the light back. */
function faultyLamp(scene: Scene, number: number, { isLit, isMeasured, seen }: Light, lamp: Seen): Judged {
  const sentence = 'The display reports a fault of its lamp.'
  const although = isMeasured ? 'Yet there is light, measured at the panel.' : 'How much light is left is not known.'
  if (isLit) return found('warning', 'lampFault', `${sentence} ${although}`, [...seen, lamp])
  // Most displays then report no level, and the fault may concern one lamp of several.
  if (isLit === undefined) {
    const evidence = [...seen, lamp].map((one) => one.evidence)
    return { state: 'unknown', finding: 'lampFault', sentence: `${sentence} ${although}`, evidence }
  }
  // The display is dark as planned, but it will not light up again afterwards.
  const isPlanned = ruleOf(scene, number, seen[0]) !== 'none'
  return found(isPlanned ? 'warning' : 'broken', 'lampFault', sentence, [...seen, lamp])
}

const DARK_PANEL = 'The panel gives no light, measured at the panel'

function litLabel({ isMeasured, seen: [, level] }: Light): string {
  if (!isMeasured) return 'The backlight is on.'
  const although = isZero(level?.value) ? ', although it reports a backlight of 0 %' : ''
  return `The panel gives light, measured at the panel${although}.`
}

/** The display is dark, whatever it reports, and nothing on record asks for that. */
function darkPanel(scene: Scene, number: number, { seen }: Light): Judged {
  const [measured, level] = seen
  if (isPositive(level?.value)) {
    const sentence = `${DARK_PANEL}, although it reports a backlight of ${level?.evidence.text}.`
    return found('broken', 'backlightDead', sentence, seen)
  }
  if (isLightRequested(scene, number, measured))
    return found('broken', 'backlightDead', `${DARK_PANEL}, although it should be lit.`, seen)
  return found('broken', 'backlightOff', `${DARK_PANEL}, and no setting on record asks for that.`, seen)
}

/** Whether day plan or ambient rule ask for light, or somebody has set a level above 0. */
function isLightRequested(scene: Scene, number: number, level: Seen): boolean {
  const { facts, look } = scene
  if (plannedOf(scene, level).rule === 'dayPlan') return true
  const sensor = sensorOfDisplays(facts.components).get(number)
  const isAutomatic = sensor !== undefined && isOne(look(`${prefixOf(sensor)}backlight_automatic_status`).value)
  return isAutomatic || (facts.setBacklights.get(number) ?? 0) > 0
}

function refusedSettings({ facts }: Scene, number: number, seen: readonly Seen[]): Judged | undefined {
  const sensor = sensorOfDisplays(facts.components).get(number)
  const refusal = facts.refusals.find(
    ({ section, number: its }) =>
      (section === 'display' && its === number) || (section === 'ambientSensor' && its === sensor),
  )
  if (!refusal) return undefined
  const answer = worded('Answer of the device', refusal.words, refusal.at)
  return found('warning', 'displayRefuses', 'It refused the last settings.', [...seen, answer])
}

/** Judges whether the schedule or the ambient rule asks for darkness. */
export function judgeSchedule(scene: Scene, number: number): Judged {
  const { isLit, seen } = lightOf(scene, number)
  const rule = ruleOf(scene, number, seen[0])
  if (rule !== 'none') {
    if (rule.state === 'unknown' || isLit === false) return rule
    return { state: 'ok', sentence: `${rule.sentence} It is lit all the same.`, evidence: rule.evidence }
  }
  const planned = plannedOf(scene, seen[0])
  if (planned.rule !== 'dayPlan') return ok('Nothing asks for darkness now.', ambientSeen(scene, number))
  const asked = worded('Day plan', `${planned.backlightPercent} %`, undefined)
  return ok(`The day plan asks for ${planned.backlightPercent} % now.`, [asked])
}

function ambientSeen({ facts, look }: Scene, number: number): readonly Seen[] {
  const sensor = sensorOfDisplays(facts.components).get(number)
  return sensor === undefined ? [] : [look(`${prefixOf(sensor)}ambient_light`)]
}

export function judgeContent({ look }: Scene, number: number): Judged {
  const [source, flag] = [look(`${prefixOf(number)}out_of_order_status`), look('status_id')]
  const search = look(`${prefixOf(number)}source_search_status`)
  if (isWithoutSource(source.value)) {
    return found('broken', 'sourceLost', 'The display gets no picture from its computer.', [source, search])
  }
  // `status_id` is the device's out-of-order flag, where 1 is No (rules/states 6).
  if (flag.value !== undefined && !isOne(flag.value))
    return found('broken', 'outOfOrder', 'The computer reports that it is out of order.', [flag])
  const unknown = unknownWithoutReported([source, flag])
  if (unknown) return unknown
  return source.value === undefined
    ? ok('The computer is in order, but the display does not report what it shows.', [flag])
    : ok('Content is running.', [source])
}

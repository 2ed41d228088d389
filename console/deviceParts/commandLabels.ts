import { readAs } from '#console/lib/call/plainContract.ts'
import { COMMANDS, type CommandArguments, type CommandName } from '#contract/mqtt/command.ts'
import { dataBudgetLabel } from '#domain/dataBudget/dataUse.ts'
import { isDarkAllDay } from '#domain/displays/offTimes.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { batteryTestLabel } from '#domain/ups/batteryTest.ts'
import { commandTitle } from './commandTitles.ts'
import { DAY_PLAN_GROUPS, entriesLabel } from './dayPlanLabels.ts'

export interface CommandLabels {
  readonly title: string
  /** It is empty where the title says everything. */
  readonly details: readonly string[]
}

type Details<Name extends CommandName> = (args: CommandArguments<Name>) => readonly string[]

const onOff = (on: boolean) => (on ? 'on' : 'off')
const word = (name: string, value: number | undefined, unit = '') =>
  value === undefined ? [] : [`${name} ${value}${unit}`]
const colours = (args: CommandArguments<'display.apply'>) => {
  const { redColorBalance: red, greenColorBalance: green, blueColorBalance: blue } = args
  const present = [...word('red', red), ...word('green', green), ...word('blue', blue)]
  return present.length === 0 ? [] : [present.join(', ')]
}
const lux = (value: number) => `${formatNumber(value)} lux`

const DETAILS: { readonly [Name in CommandName]?: Details<Name> } = {
  'display.apply': (args) => [
    ...word('backlight', args.backlightLevel, ' %'),
    ...word('brightness', args.brightness),
    ...word('gamma', args.gammaValue),
    ...colours(args),
    ...(args.touchScreenStatus ? [`touch screen ${onOff(args.touchScreenStatus === 'ON')}`] : []),
  ],
  'ambientSensor.apply': (args) => [
    `automatic backlight ${onOff(args.backlightAutomaticStatus)}`,
    `backlight ${args.minBacklight}–${args.maxBacklight} %`,
    `ambient light ${lux(args.minAmbientLight)} to ${lux(args.maxAmbientLight)}`,
  ],
  'turnOff.apply': (args) => [
    `workdays ${span(args.wdTimeOffFrom, args.wdTimeOffTo)}`,
    `weekends ${span(args.wkndTimeOffFrom, args.wkndTimeOffTo)}`,
    `holidays ${span(args.holTimeOffFrom, args.holTimeOffTo)}`,
  ],
  'batteryTest.apply': ({ schedule }) => [batteryTestLabel(schedule)],
  'dataBudget.apply': ({ budget }) => [dataBudgetLabel(budget)],
  'dayPlan.apply': (args) => DAY_PLAN_GROUPS.map(({ key, name }) => `${name.toLowerCase()} ${entriesLabel(args[key])}`),
  'driver.test': ({ part }) => [part],
}

/** A command that this console does not know is shown by its name and its arguments as they came. */
export function commandLabels(name: string, args: Readonly<Record<string, unknown>>): CommandLabels {
  const known = Object.hasOwn(COMMANDS, name) ? (name as CommandName) : undefined
  const read = known && readAs(COMMANDS[known], args)
  if (!known || !read) {
    return { title: name, details: Object.entries(args).map(([key, value]) => `${key} ${String(value)}`) }
  }
  const details = DETAILS[known] as Details<CommandName> | undefined
  return { title: commandTitle(known, args), details: details?.(read) ?? [] }
}

function span(from: string | null, to: string | null): string {
  if (from === null || to === null) return 'never off'
  return isDarkAllDay(from, to) ? `dark 24 h from ${from}` : `off ${from}–${to}`
}

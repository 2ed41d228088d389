import { readAs } from '#console/lib/call/plainContract.ts'
import { COMMANDS, type CommandArguments, type CommandName } from '#contract/mqtt/command.ts'
import { isDarkAllDay } from '#domain/displays/offTimes.ts'
import { formatNumber } from '#domain/units/numbers.ts'

/** A command as an operator reads it: what it does, and with what. */
export interface CommandWords {
  readonly title: string
  /** Empty where the title says all. */
  readonly details: readonly string[]
}

type Words<Name extends CommandName> = (args: CommandArguments<Name>) => CommandWords

const says = (title: string, details: readonly string[] = []): CommandWords => ({ title, details })
const onOff = (on: boolean) => (on ? 'on' : 'off')
/** What a command leaves out is not set by it. */
const word = (name: string, value: number | undefined, unit = '') =>
  value === undefined ? [] : [`${name} ${value}${unit}`]
const colours = (args: CommandArguments<'display.apply'>) => {
  const { redColorBalance: red, greenColorBalance: green, blueColorBalance: blue } = args
  const present = [...word('red', red), ...word('green', green), ...word('blue', blue)]
  return present.length === 0 ? [] : [present.join(', ')]
}
const lux = (value: number) => `${formatNumber(value)} lux`

const WORDS: { readonly [Name in CommandName]: Words<Name> } = {
  'display.apply': (args) =>
    says(`Display ${args.displayNumber}: settings`, [
      ...word('backlight', args.backlightLevel, ' %'),
      ...word('brightness', args.brightness),
      ...word('gamma', args.gammaValue),
      ...colours(args),
      ...(args.touchScreenStatus ? [`touch screen ${onOff(args.touchScreenStatus === 'ON')}`] : []),
    ]),
  'ambientSensor.apply': (args) =>
    says(`Ambient light sensor ${args.number}: settings`, [
      `automatic backlight ${onOff(args.backlightAutomaticStatus)}`,
      `backlight ${args.minBacklight}–${args.maxBacklight} %`,
      `ambient light ${lux(args.minAmbientLight)} to ${lux(args.maxAmbientLight)}`,
    ]),
  'turnOff.apply': (args) =>
    says('Turn display(s) off: times', [
      `workdays ${span(args.wdTimeOffFrom, args.wdTimeOffTo)}`,
      `weekends ${span(args.wkndTimeOffFrom, args.wkndTimeOffTo)}`,
      `holidays ${span(args.holTimeOffFrom, args.holTimeOffTo)}`,
    ]),
  'ups.reboot': () => says('Reboot the UPS'),
  'ups.shutdown': () => says('Shut the UPS down'),
  'ups.groupReset': ({ group }) => says(`Reset UPS group ${group}`),
  'router.reset': ({ number }) => says(`Reset network switch ${number}`),
  'powerSwitch.set': ({ number, on }) => says(`Turn power switch ${number} ${onOff(on)}`),
  'powerSwitch.reset': ({ number }) => says(`Reset power switch ${number}`),
  'routerRelay.set': ({ number, on }) => says(`Turn the relay of router ${number} ${onOff(on)}`),
  'routerRelay.reset': ({ number }) => says(`Reset router ${number}`),
  'routerRelay.portReset': ({ number }) => says(`Reset the ports of router ${number}`),
  'relay.set': ({ number, port, on }) => says(`Turn port ${port} of relay ${number} ${onOff(on)}`),
  'relay.reset': ({ number, port }) => says(`Reset port ${port} of relay ${number}`),
}

/** A command in words; one that this console does not know (so) is shown by its name and arguments as they are. */
export function commandWords(name: string, args: Readonly<Record<string, unknown>>): CommandWords {
  const known = Object.hasOwn(WORDS, name) ? (name as CommandName) : undefined
  const read = known && readAs(COMMANDS[known], args)
  if (!known || !read) {
    return says(
      name,
      Object.entries(args).map(([key, value]) => `${key} ${String(value)}`),
    )
  }
  return (WORDS[known] as Words<CommandName>)(read)
}

function span(from: string | null, to: string | null): string {
  if (from === null || to === null) return 'never off'
  return isDarkAllDay(from, to) ? `dark 24 h from ${from}` : `off ${from}–${to}`
}

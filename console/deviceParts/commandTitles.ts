import type { CommandName } from '#contract/mqtt/command.ts'

const TITLES: Readonly<Record<CommandName, string>> = {
  'display.apply': 'Display {displayNumber}: settings',
  'ambientSensor.apply': 'Ambient light sensor {number}: settings',
  'turnOff.apply': 'Turn display(s) off: times',
  'dayPlan.apply': 'Brightness by time',
  'batteryTest.apply': 'Battery test: schedule',
  'dataBudget.apply': 'Data budget',
  'ups.batteryTest': 'Test the battery of the UPS',
  'ups.reboot': 'Reboot the UPS',
  'ups.shutdown': 'Shut the UPS down',
  'ups.groupReset': 'Reset UPS group {group}',
  'router.reset': 'Reset network switch {number}',
  'powerSwitch.set': 'Turn power switch {number} {on}',
  'powerSwitch.reset': 'Reset power switch {number}',
  'routerRelay.set': 'Turn the relay of router {number} {on}',
  'routerRelay.reset': 'Reset router {number}',
  'routerRelay.portReset': 'Reset the ports of router {number}',
  'relay.set': 'Turn port {port} of relay {number} {on}',
  'relay.reset': 'Reset port {port} of relay {number}',
  'computer.reboot': 'Restart the computer by its client',
  'driver.test': 'Test the driver of a part',
}

/** Titles stand apart, because the other labels of a command need its schema and the Overview does not. */
export function commandTitle(name: string, args: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(TITLES, name)) return name
  let isWhole = true
  const title = TITLES[name as CommandName].replaceAll(/\{(\w+)\}/g, (_, argument: string) => {
    const value = args[argument]
    if (typeof value === 'boolean') return value ? 'on' : 'off'
    isWhole &&= typeof value === 'number'
    return String(value)
  })
  return isWhole ? title : name
}

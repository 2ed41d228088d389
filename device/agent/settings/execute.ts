import type { Command, CommandArguments, CommandName, CommandReply } from '#contract/mqtt/command.ts'
import { type Hardware, HardwareError } from '#device/hardware/hardware.ts'
import { ambientCurveError } from '#domain/displays/ambientCurve.ts'
import { dayPlanError } from '#domain/displays/dayPlan.ts'
import { offTimesError } from '#domain/displays/offTimes.ts'
import { readPartKey } from '#domain/drivers/partKey.ts'
import type { BatteryTests } from '../automatic/BatteryTests.ts'
import type { AppliedSections } from './appliedSections.ts'

export type Execute = (command: Pick<Command, 'name' | 'args'>) => Promise<CommandReply>

type Handlers = { readonly [Name in CommandName]: (args: CommandArguments<Name>) => Promise<string> }

/** Returns the part, or throws the sentence that it is missing. */
function fitted<Part>(part: Part | undefined, name: string): Part {
  if (!part) throw new HardwareError(`This device has no ${name}.`)
  return part
}

function refuseFor(error: string | undefined): void {
  if (error !== undefined) throw new HardwareError(error)
}

const turned = (isOn: boolean) => (isOn ? 'turned on' : 'turned off')

/** Carries out every command on hardware of any kind. Each returns the notice that an operator reads. */
const handlersFor = (hardware: Hardware, applied: AppliedSections, batteryTests: BatteryTests): Handlers => ({
  ...settingsHandlers(hardware, applied),
  ...upsHandlers(hardware, batteryTests),
  ...switchHandlers(hardware),
  'computer.reboot': async () => {
    if (!hardware.computer.reboot) throw new HardwareError('The client of this device cannot restart its computer.')
    await hardware.computer.reboot()
    return 'The computer restarts.'
  },
  'driver.test': async ({ part: key }) => {
    const part = readPartKey(key)
    if (!part || !hardware.drivers) throw new HardwareError('Nothing of this device is composed of drivers.')
    return hardware.drivers.test(part)
  },
})

/** Applies settings. They are kept, because the agent itself follows plans and schedules from then on. */
const settingsHandlers = (hardware: Hardware, applied: AppliedSections) =>
  ({
    'display.apply': async (args) => {
      const { displayNumber, ...settings } = args
      await fitted(hardware.display(displayNumber), `display ${displayNumber}`).apply(settings)
      applied.keep('display', displayNumber, { ...applied.get('display', displayNumber), ...args })
      return `Display ${displayNumber} settings applied.`
    },
    'ambientSensor.apply': async (args) => {
      refuseFor(ambientCurveError(args))
      const { number, ...settings } = args
      await fitted(hardware.ambientSensor(number), `ambient sensor ${number}`).apply(settings)
      applied.keep('ambientSensor', number, args)
      return `Ambient sensor ${number} settings applied.`
    },
    'turnOff.apply': async (offTimes) => {
      refuseFor(offTimesError(offTimes))
      applied.keep('turnOff', 1, offTimes)
      return 'Turn-off times applied.'
    },
    'dayPlan.apply': async (plan) => {
      refuseFor(dayPlanError(plan))
      applied.keep('dayPlan', 1, plan)
      return 'Day plan applied.'
    },
    'batteryTest.apply': async (args) => {
      applied.keep('batteryTest', 1, args)
      return 'Schedule of the battery test applied.'
    },
    'dataBudget.apply': async (args) => {
      applied.keep('dataBudget', 1, args)
      return 'Data budget applied.'
    },
  }) satisfies Partial<Handlers>

function upsHandlers(hardware: Hardware, batteryTests: BatteryTests) {
  const ups = () => fitted(hardware.ups(), 'UPS')
  return {
    'ups.batteryTest': async () => {
      await batteryTests.begin()
      return 'The battery test has begun.'
    },
    'ups.reboot': async () => {
      await ups().reboot()
      return 'UPS reboot started.'
    },
    'ups.shutdown': async () => {
      await ups().shutdown()
      return 'UPS shutdown started.'
    },
    'ups.groupReset': async ({ group }) => {
      await ups().resetGroup(group)
      return `UPS group ${group} reset started.`
    },
  } satisfies Partial<Handlers>
}

/** Switches outlets, relays and the ports of routers. */
function switchHandlers(hardware: Hardware) {
  const relay = (number: number) => fitted(hardware.relay(number), `relay ${number}`)
  const routerRelay = (number: number) => fitted(hardware.routerRelay(number), `router with relay ${number}`)
  const outlet = (number: number) => fitted(number <= 2 ? hardware.powerSwitch() : undefined, `power switch ${number}`)
  return {
    'router.reset': async ({ number }) => {
      const switches = number <= 2 ? hardware.networkSwitches() : undefined
      await fitted(switches, `network switch ${number}`).reset(number)
      return `Network switch ${number} reset started.`
    },
    'powerSwitch.set': async ({ number, on }) => {
      await outlet(number).set(number, on)
      return `Power switch ${number} ${turned(on)}.`
    },
    'powerSwitch.reset': async ({ number }) => {
      await outlet(number).reset(number)
      return `Power switch ${number} reset started.`
    },
    'routerRelay.set': async ({ number, on }) => {
      await routerRelay(number).set(on)
      return `Router ${number} ${turned(on)}.`
    },
    'routerRelay.reset': async ({ number }) => {
      await routerRelay(number).reset()
      return `Router ${number} reset started.`
    },
    'routerRelay.portReset': async ({ number }) => {
      await routerRelay(number).resetPorts()
      return `Ports of router ${number} reset started.`
    },
    'relay.set': async ({ number, port, on }) => {
      await relay(number).set(port, on)
      return `Port ${port} of relay ${number} ${turned(on)}.`
    },
    'relay.reset': async ({ number, port }) => {
      await relay(number).reset(port)
      return `Port ${port} of relay ${number} reset started.`
    },
  } satisfies Partial<Handlers>
}

/** Never throws: a failure becomes the reply. Arguments have been checked against the contract. */
export function createExecute(deps: {
  readonly hardware: Hardware
  readonly applied: AppliedSections
  readonly batteryTests: BatteryTests
  readonly onUnexpected: (error: unknown) => void
}): Execute {
  const handlers = handlersFor(deps.hardware, deps.applied, deps.batteryTests)
  return async ({ name, args }) => {
    const handle = handlers[name] as (args: Command['args']) => Promise<string>
    try {
      return { ok: true, text: await handle(args), errors: [] }
    } catch (error) {
      if (!(error instanceof HardwareError)) deps.onUnexpected(error)
      const text = error instanceof HardwareError ? error.message : 'The device failed while carrying out the command.'
      return { ok: false, text, errors: [text] }
    }
  }
}

import { SYSTEMD } from '#domain/drivers/systemdDescription.ts'
import { driver } from '../driver.ts'
import { createLocalProgram } from '../exec/localProgram.ts'

const READ_ENDS_AFTER_MS = 3000
/** The device's out-of-order flag uses 1 for No. */
const [IN_ORDER, OUT_OF_ORDER] = [1, 0]

/** Reads what `systemctl show` prints of several units: lines of `Id=` and `ActiveState=`, separated by blank lines. */
function statesIn(printed: string): ReadonlyMap<string, string> {
  const states = printed.split(/\n\n+/).map((block) => {
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1] ?? ''
    return [value('Id'), value('ActiveState')] as const
  })
  return new Map(states.filter(([id]) => id !== ''))
}

export const systemdDriver = driver(SYSTEMD, {
  open: ({ units, program }, { log }) => {
    const systemctl = createLocalProgram({ program, name: 'The service manager of the computer', log })
    let told = ''
    const downNow = async (signal: AbortSignal) => {
      const printed = await systemctl.run(['show', '--property=Id,ActiveState', ...units], READ_ENDS_AFTER_MS, signal)
      const states = [...statesIn(printed)]
      // Units are not looked up by name, because an alias is printed with its real name.
      const down = states.filter(([, state]) => state !== 'active' && state !== 'reloading')
      const words = down.map(([unit, state]) => `${unit} is ${state || 'unknown'}`).join(', ')
      return { isKnown: states.length === units.length, words }
    }
    return {
      read: async (signal) => {
        const { isKnown, words } = await downNow(signal)
        if (words !== told && words) log(`Services of the computer do not run: ${words}.`)
        told = words
        return isKnown ? { values: { status_id: words ? OUT_OF_ORDER : IN_ORDER } } : undefined
      },
      test: async (signal) => {
        const { words } = await downNow(signal)
        return words ? `Services of the computer do not run: ${words}.` : `All ${units.length} services run.`
      },
      close: () => systemctl.close(),
    }
  },
})

import { type FeedChain, type FeedPart, partOf, supplyOf } from './feedChain.ts'
import type { Finding, Link } from './links.ts'

export const ACTION_KINDS = ['command', 'setting', 'sendSomebody'] as const

/** The one thing that could help: a command or a setting of the Setup tab, or a way there by car. */
export interface DarknessAction {
  readonly kind: (typeof ACTION_KINDS)[number]
  readonly words: string
  /** Title of the section on the Setup tab where it is done; undefined: nobody can do it from here. */
  readonly section: string | undefined
}

interface Where {
  readonly chain: FeedChain
  readonly displayNumber: number
  readonly deciding: Link | undefined
}

const send = (words: string): DarknessAction => ({ kind: 'sendSomebody', words, section: undefined })
const command = (words: string, section: string): DarknessAction => ({ kind: 'command', words, section })
const setting = (words: string, section: string): DarknessAction => ({ kind: 'setting', words, section })

/** What could help against a finding, by what this device has; undefined where nothing has to be done. */
export function helpFor(finding: Finding, where: Where): DarknessAction | undefined {
  const { chain, displayNumber } = where
  switch (finding) {
    case 'lit':
      return undefined
    case 'offTime':
      return setting('Change the off times', 'Turn display(s) off')
    case 'ambientMinimum':
      return setting('Raise the lowest backlight of the ambient rule', 'Ambient light sensor')
    case 'switchedOff':
    case 'backlightOff':
      return setting('Turn the display on', 'Display settings')
    case 'upsNoOutput':
      return command('Reboot the UPS', 'UPS')
    case 'outletOff':
    case 'routerOff':
      return turnOn(chain, where.deciding)
    case 'networkDown':
      return resetOf(where.deciding?.part === undefined ? undefined : partOf(chain, where.deciding.part))
    case 'displayUnreachable':
    case 'backlightDead':
    case 'displayRefuses':
      return restart(chain, `display/${displayNumber}`, 'Send somebody to look at the display')
    case 'sourceLost':
    case 'outOfOrder':
      return restart(chain, playerKey(chain), 'Send somebody to restart the computer')
    case 'answersLate':
    case 'answersNever':
      return restart(chain, 'computer', 'Send somebody to restart the computer')
    case 'onBattery':
      return send('Send somebody to the mains supply before the battery is empty')
    case 'batteryLow':
      return send('Send somebody to look at the mains and the battery')
    case 'relayStuck':
      return send('Send somebody to switch it by hand')
    case 'overheating':
      return send('Send somebody to look at filters and fans')
    case 'fanStuck':
      return send('Send somebody to replace the fan')
    case 'offline':
      return send('Nothing reaches it while it is offline: send somebody')
    case 'noReading':
      return send(`Send somebody to look at: ${where.deciding?.name ?? 'the device'}`)
  }
}

const playerKey = (chain: FeedChain) => (partOf(chain, 'player') ? 'player' : 'computer')

function turnOn(chain: FeedChain, deciding: Link | undefined): DarknessAction {
  const part = deciding?.part === undefined ? undefined : partOf(chain, deciding.part)
  const section = part && sectionOf(part)
  return part && section ? command(`Turn on: ${part.name}`, section) : send('Send somebody to switch it on by hand')
}

/** Resets the nearest thing that feeds a part; the UPS as a whole only where nothing finer does. */
function restart(chain: FeedChain, key: string, otherwise: string): DarknessAction {
  const feeder = supplyOf(chain, key).find((part) => sectionOf(part) !== undefined)
  return feeder ? resetOf(feeder) : send(otherwise)
}

function resetOf(part: FeedPart | undefined): DarknessAction {
  const section = part && sectionOf(part)
  if (!part || !section) return send('Send somebody to restart it by hand')
  return part.kind === 'ups' ? command('Reboot the UPS', section) : command(`Reset: ${part.name}`, section)
}

/** Titles of the Setup tab. */
function sectionOf({ kind }: FeedPart): string | undefined {
  switch (kind) {
    case 'ups':
    case 'upsGroup':
      return 'UPS'
    case 'powerSwitch':
      return 'Power switches'
    case 'relayPort':
      return 'Relays'
    case 'router':
      return 'Routers with relay'
    case 'networkSwitch':
      return 'Network switches'
    default:
      return undefined
  }
}

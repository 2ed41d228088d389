import { inSentence } from './consequence.ts'
import { type FeedChain, type FeedPart, partOf } from './feedChain.ts'
import type { Finding, Link } from './links.ts'
import { controlOf, resetCommandOf, restartOf } from './restart.ts'

export const ACTION_KINDS = ['command', 'setting', 'sendSomebody'] as const

/** The one action that could help: a command or a setting of the Setup tab, or a visit. */
export interface DarknessAction {
  readonly kind: (typeof ACTION_KINDS)[number]
  readonly words: string
  /** The title of the section on the Setup tab; undefined if it cannot be done remotely. */
  readonly section: string | undefined
  /** The control in that section (`controlOf`, or a display's key); undefined for the section as a whole. */
  readonly control: string | undefined
}

interface Where {
  readonly chain: FeedChain
  readonly displayNumber: number
  readonly deciding: Link | undefined
}

const send = (words: string): DarknessAction => ({
  kind: 'sendSomebody',
  words,
  section: undefined,
  control: undefined,
})
const command = (words: string, section: string, control: string): DarknessAction => ({
  kind: 'command',
  words,
  section,
  control,
})
const setting = (words: string, section: string, control?: string): DarknessAction => ({
  kind: 'setting',
  words,
  section,
  control,
})

/** Returns what could help against a finding on this device; undefined if nothing has to be done. */
export function helpFor(finding: Finding, where: Where): DarknessAction | undefined {
  const { chain, displayNumber } = where
  switch (finding) {
    case 'lit':
      return undefined
    case 'offTime':
      return setting('Change the off times', 'Turn display(s) off')
    case 'dayPlan':
      return setting('Change the day plan', 'Brightness by time')
    case 'ambientMinimum':
      return setting('Raise the lowest backlight of the ambient rule', 'Ambient light sensor')
    case 'switchedOff':
    case 'backlightOff':
      return setting('Turn the display on', 'Display settings', `display/${displayNumber}`)
    case 'upsNoOutput':
      return command('Reboot the UPS', 'UPS', controlOf({ name: 'ups.reboot', args: {} }))
    case 'outletOff':
    case 'routerOff':
      return turnOn(chain, where.deciding)
    case 'networkDown':
      return resetOf(where.deciding?.part === undefined ? undefined : partOf(chain, where.deciding.part))
    case 'displayUnreachable':
    case 'backlightDead':
    case 'displayRefuses':
      return restart(chain, `display/${displayNumber}`, 'Send a technician to check the display')
    case 'sourceLost':
    case 'outOfOrder':
      return restart(chain, playerKey(chain), 'Send a technician to restart the computer')
    case 'answersLate':
    case 'answersNever':
      return restart(chain, 'computer', 'Send a technician to restart the computer')
    case 'onBattery':
      return send('Send a technician to restore mains power before the battery is empty')
    case 'batteryLow':
      return send('Send a technician to check mains and battery')
    case 'batteryWorn':
      return send('Send a technician to replace the battery of the UPS')
    case 'upsAlarm':
      return send('Send a technician to check the UPS')
    case 'lampFault':
      return send('Send a technician to replace the lamp of the display')
    case 'displayFault':
      return send('Send a technician to check the display')
    case 'relayStuck':
      return send('Send a technician to switch it by hand')
    case 'overheating':
      return send('Send a technician to check filters and fans')
    case 'fanStuck':
      return send('Send a technician to replace the fan')
    case 'offline':
      return send('It cannot be reached while it is offline. Send a technician')
    case 'reportsRefused':
      return send('Have its program corrected: the device page has the newest refused report')
    case 'clockWrong':
      return send('Have its clock set')
    case 'noReading':
      return send(`Send a technician to check: ${where.deciding?.name ?? 'the device'}`)
  }
}

const playerKey = (chain: FeedChain) => (partOf(chain, 'player') ? 'player' : 'computer')

function turnOn(chain: FeedChain, deciding: Link | undefined): DarknessAction {
  const part = deciding?.part === undefined ? undefined : partOf(chain, deciding.part)
  const section = part && sectionOf(part)
  return part && section
    ? command(`Turn on: ${part.name}`, section, part.key)
    : send('Send a technician to switch it on by hand')
}

/** Restarts a part by the nearest thing that feeds it; by the whole UPS only if nothing finer does. */
function restart(chain: FeedChain, key: string, otherwise: string): DarknessAction {
  const restarted = restartOf(chain, key)
  if (!restarted) return send(otherwise)
  const { target, part } = restarted
  const reset = resetOf(part)
  const isComputer = target.kind === 'computer' || target.kind === 'player'
  return isComputer
    ? {
        ...reset,
        words: `Restart ${inSentence(target)}: ${part.kind === 'ups' ? 'reboot' : 'reset'} ${inSentence(part)}`,
      }
    : reset
}

function resetOf(part: FeedPart | undefined): DarknessAction {
  const section = part && sectionOf(part)
  const reset = part && resetCommandOf(part)
  if (!part || !section || !reset) return send('Send a technician to restart it by hand')
  return command(part.kind === 'ups' ? 'Reboot the UPS' : `Reset: ${part.name}`, section, controlOf(reset))
}

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

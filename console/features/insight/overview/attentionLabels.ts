import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { commandTitle } from '#console/deviceParts/commandTitles.ts'
import { messages } from '#console/lib/call/messages.ts'
import { sectionAnchor } from '#console/lib/sectionAnchor.ts'
import { formatClock } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import type { WrongDevice } from '#contract/http/insight/overview.ts'
import { conditionTitle } from '#domain/alerts/conditionTitle.ts'
import type { WrongKind } from '#domain/darkness/wrongKinds.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { MOST_USUAL_STARTS } from '#domain/devices/restarts.ts'

export const WRONG_WORDS: Readonly<Record<WrongKind, { readonly one: string; readonly many: string }>> = {
  dark: { one: 'Dark', many: 'dark' },
  silent: { one: 'Not reporting', many: 'not reporting' },
  alerted: { one: 'Alert', many: 'with active alerts' },
  unanswered: { one: 'Command not answered', many: 'with a command not answered' },
  onBattery: { one: 'On battery', many: 'on battery' },
  inMaintenance: { one: 'Maintenance', many: 'in maintenance' },
  reportsRefused: { one: 'Reports refused', many: 'with refused reports' },
  clockWrong: { one: 'Wrong clock', many: 'with a wrong clock' },
  restarting: { one: 'Restarting', many: 'with a client that keeps restarting' },
  identityConflict: { one: 'Two machines', many: 'reported by two machines' },
}

export function wrongSentence({
  kind,
  cause,
  alert,
  activeAlerts,
  unknownCommand,
  deviceName,
  maintenance,
}: WrongDevice): string {
  switch (kind) {
    case 'dark':
      return cause?.sentence ?? `${deviceName} is dark.`
    case 'silent':
      return 'No data from this device.'
    case 'alerted': {
      const more = activeAlerts > 1 ? `, and ${activeAlerts - 1} more` : ''
      return `${alert ? conditionTitle(alert.conditionText) : 'An alert is active'}${more}`
    }
    case 'unanswered':
      return unknownCommand
        ? `${commandTitle(unknownCommand.name, unknownCommand.args)}: sent, outcome unknown.`
        : 'The outcome of its last command is unknown.'
    case 'onBattery':
      return 'Mains power is out. The device is running on battery.'
    case 'reportsRefused':
      return 'It is connected, but its reports are refused.'
    case 'clockWrong':
      return 'It is connected, but its clock is wrong.'
    case 'inMaintenance':
      return maintenance ? `${maintenance.reason}, until ${formatClock(maintenance.until)}` : 'In maintenance.'
    case 'restarting':
      return `Its client has started more than ${MOST_USUAL_STARTS} times in an hour.`
    case 'identityConflict':
      return messages.twoMachines
  }
}

/** It says what would need attention on a device that is under maintenance. */
export function maintainedSentence({ kind, cause, alert }: WrongDevice): string {
  if (kind !== 'inMaintenance') return ''
  return cause?.sentence ?? (alert ? conditionTitle(alert.conditionText) : '')
}

/** It leads to where the fault is fixed, or explained where this reader cannot fix it remotely. */
export function wrongAddress({ kind, cause, alert, deviceGuid: guid, deviceModelId }: WrongDevice, maySet: boolean) {
  if (kind === 'alerted' && alert) return alertDetails(alert.id)
  const section = kind === 'dark' ? (cause?.control ?? cause?.section) : undefined
  if (!section || !maySet) return address('/devices/$guid/status', { guid })
  const setup = hasFixedSetup(deviceModelId) ? '/devices/$guid/setup' : '/devices/$guid/generic-setup'
  return address(setup, { guid }, sectionAnchor(section))
}

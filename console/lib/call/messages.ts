import { CONSEQUENCES } from '#domain/devices/commandLabels.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { startMessages } from './startMessages.ts'

const MOST_NAMES = 5

/** The sentences of docs/rules/messages.md stand here and in `startMessages.ts` word for word. */
export const messages = {
  ...startMessages,

  noStatus: 'No status',
  noDevicesSelected: 'No devices selected',
  alertIsClosed: 'The alert is closed.',
  noAlertsSelected: 'No open alerts selected',
  copied: 'Text copied to clipboard',
  copyFailed: 'Failed to copy text to clipboard',
  copyByKeys: (isSecure: boolean) =>
    `${isSecure ? '' : 'Without HTTPS the browser lets no button copy. '}The text below is selected: press Ctrl+C, or ⌘C on a Mac.`,
  etlRunning: 'ETL process is currently running. This may result decreased query performance',

  maintenanceNotLoaded: 'Could not load the selected maintenance record. Please, try again.',
  noIdReturned: (entity: 'Maintenance' | 'User' | 'Role') =>
    `There was no error but ${entity} Id was not returned. Please, try again.`,
  noMaintenance: 'No maintenance is recorded for this device',
  maintenanceSaved: 'The maintenance entry is saved.',
  confirmRemoveMaintenance: (start: string) => `Are you sure you want to remove the maintenance entry of ${start}?`,
  unsavedMaintenance: 'There are unsaved changes. Close without saving?',
  twoMachines: 'Two machines report as this device.',
  twoMachinesHelp:
    'Their readings are mixed, and active alerts stay active. To end it, download the configuration again and put it on the right machine: the other one can no longer connect.',
  maintenanceKeepsQuiet: CONSEQUENCES.maintenance,
  roleReceivesNothing: (role: string) =>
    `Your role ${role} does not receive alert e-mails. An administrator can change that.`,
  noAddressForAlerts: 'You have no e-mail address for notifications, so nothing can be sent to you.',
  userNotDeleted: (name: string) => `Error deleting user ${name}! Please, try again.`,
  userIdNotRead: 'Could not read user ID from the list. Please, try again.',
  newPasswordsDiffer: 'New passwords do not match.',
  passwordChanged: 'Password was successfully changed.',
  resetRequested:
    'If there is an account of this name, a mail with a link is on its way to it. The link works for 60 minutes. If nothing comes, ask your administrator.',
  linkNotValid: 'This link does not work. It was already used, replaced by a newer e-mail, or has expired.',
  factorAdded: (name: string) => `The second factor is added: ${name}.`,
  factorRemoved: (name: string) => `The second factor is removed: ${name}.`,
  confirmRemoveFactor: (name: string) => `Remove “${name}”? It can no longer confirm your identity.`,
  confirmRemoveLastFactor: (name: string) =>
    `Remove “${name}”? It is your last one: your recovery codes are removed too, and your password alone signs you in.`,
  confirmRenewRecoveryCodes: 'Create ten new recovery codes? Existing codes stop working.',
  factorsReset: (name: string) => `${name} has no second factor any more.`,
  confirmResetFactors: (name: string) =>
    `Remove all second factors of ${name}? Their sessions end, and they can sign in with their password alone.`,
  sessionEnded: (device: string) => `The session is ended: ${device}.`,
  otherSessionsEnded: (count: number) =>
    count === 1 ? 'One other session is ended.' : `${count} other sessions are ended.`,
  confirmEndOtherSessions: 'End all your other sessions? They have to sign in again.',
  confirmSignOutEverywhere: 'End all your sessions, this one too? You have to sign in again.',
  confirmEndUserSessions: (name: string) => `End all sessions of "${name}"? They have to sign in again.`,
  sessionsEnded: (count: number) => (count === 1 ? 'One session is ended.' : `${count} sessions are ended.`),
  timeZoneSaved: 'Times are shown in the chosen zone.',
  registrationEmailSent: (email: string) => `Registration email sent to ${email}`,
  resetPasswordEmailSent: (email: string) => `Reset password email sent to ${email}`,
  confirmActivationEmail: (name: string) => `Are you sure you want to (re)send activation email to "${name}" user?`,
  confirmResetPasswordEmail: (name: string) =>
    `Are you sure you want to (re)send reset password email to "${name}" user?`,
  confirmDeleteUser: (name: string) => `Are you sure you want to delete "${name}" user?`,
  confirmErasure: (name: string) =>
    `Erase "${name}"? The user is deleted, and within a minute name, addresses and everything recorded about them are taken out of the audit log and the rest. This cannot be undone. Download their personal data first if it may be needed.`,
  personErased: (name: string) => `"${name}" is deleted, and is being erased.`,
  userSaved: 'The user is saved.',
  userDeleted: (name: string) => `"${name}" is deleted.`,
  userNotManageable: 'The role of this user has functions that you do not have, so you cannot change this user.',
  activationMissing: 'This user has no password yet. The activation email has a link by which they set it.',
  roleSaved: 'The role is saved and now applies to everyone who has it.',
  customerSaved: 'The customer is saved.',
  confirmDeactivateCustomer: (name: string) =>
    `Deactivate "${name}"? Its users are signed out at once and cannot sign in. Its devices go on recording and raising alerts, and nothing new can be added to it.`,
  confirmActivateCustomer: (name: string) => `Activate "${name}"? Its users can sign in again.`,
  confirmRemoveRole: (role: string) => `Are you sure you want to remove "${role}" role?`,

  csvNoColumns: 'Columns definition not available',
  csvNoRows: 'No data available to export.',

  alertsClosed: (count: number) => (count === 1 ? 'The alert is closed.' : `${count} alerts are closed.`),
  closesAllOrNone: (count: number) => `All ${count} alerts are closed with this resolution, or none of them.`,
  alertAcknowledged: 'The alert is acknowledged.',

  noMapTiles: 'The map tiles could not be loaded. Outlines are shown instead.',

  queued: 'Will be applied when the device reconnects',
  applied: 'The device has applied the settings.',
  restored: 'The device has these settings again.',
  powerOutcomeUnknown: 'No answer came. It is unknown whether the command was sent: see Commands.',
  pastIsOver: 'The page shows the past. Go back to now first.',
  hasThisStatus: 'The device has this status.',
  isOnAlready: 'It is on.',
  isOffAlready: 'It is off.',
  outcomeOpen: 'Outcome unknown: see Commands',
  carriedOut: 'The device has carried it out.',
  deviceSaved: 'The device is saved.',
  deviceDeleted: (name: string) => `"${name}" is deleted.`,
  confirmStatus: (name: string, status: string) => `Are you sure you want to set "${name}" to ${status}?`,
  bulkRunning: 'Devices are still being set. Stop? Changes already sent stay.',
  bulkNotSent: (names: readonly string[]) =>
    `Stopped. Nothing was sent to ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${formatNumber(names.length - MOST_NAMES)} more` : ''}.`,
  unsavedChanges: 'There are unsaved changes. Leave without saving?',
} as const

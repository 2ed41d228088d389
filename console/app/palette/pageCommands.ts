import {
  type Icon,
  IconAdjustmentsExclamation,
  IconBellRinging,
  IconBroadcast,
  IconBuilding,
  IconBulbOff,
  IconCircleCheck,
  IconKey,
  IconPackage,
  IconPlus,
  IconRefreshDot,
  IconShieldLock,
  IconTool,
  IconUserPlus,
} from '@tabler/icons-react'
import type { ActionId } from '#console/lib/commands/actions.ts'
import { type Address, address } from '#console/router/addressText.ts'
import type { Device } from '#contract/http/devices/devices.ts'

/** A command of another page makes the palette open that page, which then does what its button does. */
export interface PageCommand {
  readonly actionId: ActionId
  readonly label: string
  readonly searchTerms: string
  readonly icon: Icon
  readonly to: Address
  /** The page's own id of the command. It is absent where the address alone opens it. */
  readonly commandId?: string
}

export const PAGE_COMMANDS: readonly PageCommand[] = [
  {
    actionId: 'user.add',
    label: 'Add user',
    searchTerms: 'new create invite',
    icon: IconUserPlus,
    to: address('/users'),
    commandId: 'user.add',
  },
  {
    actionId: 'role.add',
    label: 'Add role',
    searchTerms: 'new create',
    icon: IconShieldLock,
    to: address('/roles'),
    commandId: 'role.add',
  },
  {
    actionId: 'provider.add',
    label: 'Add identity provider',
    searchTerms: 'new create single sign-on sso oidc openid entra okta keycloak google',
    icon: IconKey,
    to: address('/single-sign-on'),
    commandId: 'provider.add',
  },
  {
    actionId: 'customer.add',
    label: 'Add customer',
    searchTerms: 'new create',
    icon: IconBuilding,
    to: address('/customers'),
    commandId: 'customer.add',
  },
  {
    actionId: 'channel.add',
    label: 'Add channel',
    searchTerms: 'new create webhook slack teams telegram ntfy pagerduty opsgenie jira servicenow',
    icon: IconBroadcast,
    to: address('/notifications/channels'),
    commandId: 'channel.add',
  },
  {
    actionId: 'route.add',
    label: 'Add route',
    searchTerms: 'new create notify escalate who is told',
    icon: IconBellRinging,
    to: address('/notifications/routes'),
    commandId: 'route.add',
  },
  {
    actionId: 'onCall.add',
    label: 'Add on-call schedule',
    searchTerms: 'new create on call duty shift',
    icon: IconBellRinging,
    to: address('/notifications/on-call'),
    commandId: 'onCall.add',
  },
  {
    actionId: 'maintenance.plan',
    label: 'Plan maintenance',
    searchTerms: 'new window weekly quiet silence',
    icon: IconTool,
    to: address('/maintenance-windows'),
    commandId: 'maintenance.plan any',
  },
  {
    actionId: 'emergency.start',
    label: 'Emergency dark',
    searchTerms: 'blackout all displays off black switch grid ecowatt',
    icon: IconBulbOff,
    to: address('/light-rules'),
    commandId: 'emergency.start',
  },
  {
    actionId: 'threshold.add',
    label: 'Add alert threshold',
    searchTerms: 'new create condition',
    icon: IconAdjustmentsExclamation,
    to: address('/thresholds'),
  },
  {
    actionId: 'update.plan',
    label: 'Plan a client update',
    searchTerms: 'new add create waves rollout version',
    icon: IconRefreshDot,
    to: address('/device-software/rollouts/new'),
  },
  {
    actionId: 'release.upload',
    label: 'Upload a release',
    searchTerms: 'new add client software version',
    icon: IconPackage,
    to: address('/device-software/releases'),
  },
]

export const devicePageCommands = ({ id, guid }: Device): readonly PageCommand[] => [
  {
    actionId: 'maintenance.add',
    label: 'Add a maintenance entry',
    searchTerms: 'note new visit',
    icon: IconPlus,
    to: address('/devices/$guid/maintenance', { guid, entry: 'new' }),
  },
  {
    actionId: 'alert.close',
    label: 'Close alerts of this device',
    searchTerms: 'open',
    icon: IconCircleCheck,
    to: address('/devices/$guid/alerts', { guid }),
  },
  {
    actionId: 'threshold.add',
    label: 'Add an alert threshold of this device',
    searchTerms: 'new create condition',
    icon: IconAdjustmentsExclamation,
    to: address('/thresholds', { mode: 'device', deviceId: id }),
    commandId: 'threshold.add',
  },
]

import {
  type Icon,
  IconAdjustmentsExclamation,
  IconBellRinging,
  IconBroadcast,
  IconBuilding,
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

/** What is done on another page: the palette leads there, and does there what its button does. */
export interface Led {
  readonly actionId: ActionId
  readonly label: string
  readonly searchTerms: string
  readonly icon: Icon
  readonly to: Address
  /** Of the offer that is taken there; undefined: the address itself opens it. */
  readonly offer?: string
}

/** From anywhere. */
export const LED: readonly Led[] = [
  {
    actionId: 'user.add',
    label: 'Add user',
    searchTerms: 'new create invite',
    icon: IconUserPlus,
    to: address('/users'),
    offer: 'user.add',
  },
  {
    actionId: 'role.add',
    label: 'Add role',
    searchTerms: 'new create',
    icon: IconShieldLock,
    to: address('/roles'),
    offer: 'role.add',
  },
  {
    actionId: 'provider.add',
    label: 'Add identity provider',
    searchTerms: 'new create single sign-on sso oidc openid entra okta keycloak google',
    icon: IconKey,
    to: address('/single-sign-on'),
    offer: 'provider.add',
  },
  {
    actionId: 'customer.add',
    label: 'Add customer',
    searchTerms: 'new create',
    icon: IconBuilding,
    to: address('/customers'),
    offer: 'customer.add',
  },
  {
    actionId: 'channel.add',
    label: 'Add channel',
    searchTerms: 'new create webhook slack teams telegram ntfy pagerduty opsgenie jira servicenow',
    icon: IconBroadcast,
    to: address('/channels'),
    offer: 'channel.add',
  },
  {
    actionId: 'route.add',
    label: 'Add route',
    searchTerms: 'new create notify escalate who is told',
    icon: IconBellRinging,
    to: address('/who-is-told'),
    offer: 'route.add',
  },
  {
    actionId: 'rota.add',
    label: 'Add rota',
    searchTerms: 'new create on call duty shift',
    icon: IconBellRinging,
    to: address('/who-is-told'),
    offer: 'rota.add',
  },
  {
    actionId: 'maintenance.plan',
    label: 'Plan maintenance',
    searchTerms: 'new window weekly quiet silence',
    icon: IconTool,
    to: address('/maintenance-windows'),
    offer: 'maintenance.plan any',
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
    to: address('/client-updates/new'),
  },
  {
    actionId: 'release.upload',
    label: 'Upload a release',
    searchTerms: 'new add client software version',
    icon: IconPackage,
    to: address('/client-software'),
  },
]

/** On the pages of a device. */
export const ledOfDevice = ({ id, guid }: Device): readonly Led[] => [
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
    offer: 'threshold.add',
  },
]

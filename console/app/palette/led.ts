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
import type { Deed } from '#console/lib/offers/deeds.ts'
import { type Address, address } from '#console/router/addressText.ts'
import type { Device } from '#contract/http/device.ts'

/** What is done on another page: the palette leads there, and does there what its button does. */
export interface Led {
  readonly deed: Deed
  readonly label: string
  readonly otherWords: string
  readonly icon: Icon
  readonly to: Address
  /** Of the offer that is taken there; undefined: the address itself opens it. */
  readonly offer?: string
}

/** From anywhere. */
export const LED: readonly Led[] = [
  {
    deed: 'user.add',
    label: 'Add user',
    otherWords: 'new create invite',
    icon: IconUserPlus,
    to: address('/users'),
    offer: 'user.add',
  },
  {
    deed: 'role.add',
    label: 'Add role',
    otherWords: 'new create',
    icon: IconShieldLock,
    to: address('/roles'),
    offer: 'role.add',
  },
  {
    deed: 'provider.add',
    label: 'Add identity provider',
    otherWords: 'new create single sign-on sso oidc openid entra okta keycloak google',
    icon: IconKey,
    to: address('/single-sign-on'),
    offer: 'provider.add',
  },
  {
    deed: 'customer.add',
    label: 'Add customer',
    otherWords: 'new create',
    icon: IconBuilding,
    to: address('/customers'),
    offer: 'customer.add',
  },
  {
    deed: 'channel.add',
    label: 'Add channel',
    otherWords: 'new create webhook slack teams telegram ntfy pagerduty opsgenie jira servicenow',
    icon: IconBroadcast,
    to: address('/channels'),
    offer: 'channel.add',
  },
  {
    deed: 'route.add',
    label: 'Add route',
    otherWords: 'new create notify escalate who is told',
    icon: IconBellRinging,
    to: address('/who-is-told'),
    offer: 'route.add',
  },
  {
    deed: 'rota.add',
    label: 'Add rota',
    otherWords: 'new create on call duty shift',
    icon: IconBellRinging,
    to: address('/who-is-told'),
    offer: 'rota.add',
  },
  {
    deed: 'maintenance.plan',
    label: 'Plan maintenance',
    otherWords: 'new window weekly quiet silence',
    icon: IconTool,
    to: address('/maintenance-windows'),
    offer: 'maintenance.plan any',
  },
  {
    deed: 'threshold.add',
    label: 'Add alert threshold',
    otherWords: 'new create condition',
    icon: IconAdjustmentsExclamation,
    to: address('/thresholds'),
  },
  {
    deed: 'update.plan',
    label: 'Plan a client update',
    otherWords: 'new add create waves rollout version',
    icon: IconRefreshDot,
    to: address('/client-updates/new'),
  },
  {
    deed: 'release.upload',
    label: 'Upload a release',
    otherWords: 'new add client software version',
    icon: IconPackage,
    to: address('/client-software'),
  },
]

/** On the pages of a device. */
export const ledOfDevice = ({ id, guid }: Device): readonly Led[] => [
  {
    deed: 'maintenance.add',
    label: 'Add a maintenance entry',
    otherWords: 'note new visit',
    icon: IconPlus,
    to: address('/devices/$guid/maintenance', { guid, entry: 'new' }),
  },
  {
    deed: 'alert.close',
    label: 'Close alerts of this device',
    otherWords: 'open',
    icon: IconCircleCheck,
    to: address('/devices/$guid/alerts', { guid }),
  },
  {
    deed: 'threshold.add',
    label: 'Add an alert threshold of this device',
    otherWords: 'new create condition',
    icon: IconAdjustmentsExclamation,
    to: address('/thresholds', { mode: 'device', deviceId: id }),
    offer: 'threshold.add',
  },
]

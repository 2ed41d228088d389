import {
  type Icon,
  IconBell,
  IconClock,
  IconCode,
  IconDevices,
  IconFileDownload,
  IconKey,
  IconShieldLock,
} from '@tabler/icons-react'
import type { ActionId } from '#console/lib/commands/actions.ts'

export type AccountDialog =
  | 'password'
  | 'factors'
  | 'sessions'
  | 'apiTokens'
  | 'timeZone'
  | 'notifications'
  | 'personalData'

interface AccountEntry {
  readonly dialog: AccountDialog
  readonly actionId: ActionId
  readonly label: string
  readonly searchTerms: string
  readonly icon: Icon
}

export const ACCOUNT_ENTRIES: readonly AccountEntry[] = [
  {
    dialog: 'password',
    actionId: 'account.password',
    label: 'Change password',
    searchTerms: 'account own',
    icon: IconKey,
  },
  {
    dialog: 'factors',
    actionId: 'account.factors',
    label: 'Second factor',
    searchTerms: 'account authenticator app one-time recovery codes two-factor 2fa mfa',
    icon: IconShieldLock,
  },
  {
    dialog: 'sessions',
    actionId: 'account.sessions',
    label: 'Sessions',
    searchTerms: 'account browsers signed in end',
    icon: IconDevices,
  },
  {
    dialog: 'apiTokens',
    actionId: 'account.apiTokens',
    label: 'API tokens',
    searchTerms: 'account program machine script key revoke',
    icon: IconCode,
  },
  {
    dialog: 'timeZone',
    actionId: 'account.timeZone',
    label: 'Time zone',
    searchTerms: 'account clock times',
    icon: IconClock,
  },
  {
    dialog: 'notifications',
    actionId: 'account.notifications',
    label: 'Notification settings',
    searchTerms: 'account alert emails mails',
    icon: IconBell,
  },
  {
    dialog: 'personalData',
    actionId: 'account.personalData',
    label: 'Personal data',
    searchTerms: 'account privacy gdpr export download own',
    icon: IconFileDownload,
  },
]

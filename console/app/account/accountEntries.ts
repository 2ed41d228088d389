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
import type { Deed } from '#console/lib/offers/deeds.ts'

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
  readonly deed: Deed
  readonly label: string
  readonly otherWords: string
  readonly icon: Icon
}

/** What belongs to who is signed in, in the menu and the palette. */
export const ACCOUNT_ENTRIES: readonly AccountEntry[] = [
  {
    dialog: 'password',
    deed: 'account.password',
    label: 'Change password',
    otherWords: 'account own',
    icon: IconKey,
  },
  {
    dialog: 'factors',
    deed: 'account.factors',
    label: 'Second factor',
    otherWords: 'account authenticator app one-time recovery codes two-factor 2fa mfa',
    icon: IconShieldLock,
  },
  {
    dialog: 'sessions',
    deed: 'account.sessions',
    label: 'Sessions',
    otherWords: 'account browsers signed in end',
    icon: IconDevices,
  },
  {
    dialog: 'apiTokens',
    deed: 'account.apiTokens',
    label: 'API tokens',
    otherWords: 'account program machine script key revoke',
    icon: IconCode,
  },
  {
    dialog: 'timeZone',
    deed: 'account.timeZone',
    label: 'Time zone',
    otherWords: 'account clock times',
    icon: IconClock,
  },
  {
    dialog: 'notifications',
    deed: 'account.notifications',
    label: 'Notification settings',
    otherWords: 'account alert emails mails',
    icon: IconBell,
  },
  {
    dialog: 'personalData',
    deed: 'account.personalData',
    label: 'Personal data',
    otherWords: 'account privacy gdpr export download own',
    icon: IconFileDownload,
  },
]

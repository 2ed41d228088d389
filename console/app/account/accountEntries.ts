import { type Icon, IconBell, IconClock, IconDevices, IconFileDownload, IconKey } from '@tabler/icons-react'
import type { Deed } from '#console/lib/offers/deeds.ts'

export type AccountDialog = 'password' | 'sessions' | 'timeZone' | 'notifications' | 'personalData'

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
    dialog: 'sessions',
    deed: 'account.sessions',
    label: 'Sessions',
    otherWords: 'account browsers signed in end',
    icon: IconDevices,
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

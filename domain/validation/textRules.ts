import { fitsTag } from '../devices/tags.ts'
import { isVersionFilter } from '../releases/versionFilter.ts'
import { isOneLine } from '../texts/nameRule.ts'
import { isEmailOrEmpty } from './emailAddress.ts'
import { isIpAddressOrEmpty } from './ipAddressRule.ts'
import { notAnEmail, notAnIpAddress, notATag, notAVersionFilter, notOneLine, notValid } from './messages.ts'

interface TextRule {
  readonly holds: (text: string) => boolean
  readonly says: (field: string) => string
}

/** PostgreSQL cannot hold a NUL byte or half of a surrogate pair in text. */
const isKeepable = (text: string) => !text.includes('\u0000') && text.isWellFormed()

/** Rules of text that no length and no pattern expresses, by the name in the contract. */
export const TEXT_RULES = {
  keepable: { holds: isKeepable, says: notValid },
  oneLine: { holds: isOneLine, says: notOneLine },
  ipAddress: { holds: isIpAddressOrEmpty, says: notAnIpAddress },
  tag: { holds: fitsTag, says: notATag },
  versionFilter: { holds: isVersionFilter, says: notAVersionFilter },
  email: { holds: isEmailOrEmpty, says: notAnEmail },
} as const satisfies Readonly<Record<string, TextRule>>
export type TextRuleName = keyof typeof TEXT_RULES

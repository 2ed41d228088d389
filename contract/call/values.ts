import { z } from 'zod'
import { LONGEST_SENT_TAG, MOST_TAGS } from '#domain/devices/tags.ts'
import type {
  AlertId,
  CountryId,
  CustomerId,
  DeviceGuid,
  DeviceId,
  DeviceModelId,
  FieldId,
  IncidentId,
  RoleId,
  UserId,
} from '#domain/ids.ts'
import { tidied } from '#domain/texts/nameRule.ts'
import { TEXT_RULES, type TextRuleName } from '#domain/validation/textRules.ts'

/** Values that several calls share. Ids are 32-bit, because that is what the database keeps. */
const idOf = <Id extends number>() => z.int32().positive() as unknown as z.ZodType<Id, Id>

export const deviceIdValue = idOf<DeviceId>()
export const customerIdValue = idOf<CustomerId>()
export const countryIdValue = idOf<CountryId>()
export const userIdValue = idOf<UserId>()
export const roleIdValue = idOf<RoleId>()
export const deviceModelIdValue = idOf<DeviceModelId>()
export const fieldIdValue = idOf<FieldId>()

export const deviceGuidValue = z.guid().toLowerCase() as unknown as z.ZodType<DeviceGuid, DeviceGuid>

/** Absent, -1 or empty means everything that the caller may see (rules/calls 9). */
export const customerFilterValue = z.union([z.literal(-1), z.int32().positive()]) as unknown as z.ZodType<
  CustomerId | -1,
  CustomerId | -1
>

/** ISO 8601 in UTC; years as people use them, so that the database can hold every one. */
export const momentValue = z.iso.datetime({ offset: false })

/** A moment in a filter: ISO 8601 in UTC, or a date alone, which is its midnight in UTC. */
export const instantValue = z.union([z.iso.datetime({ offset: false }), z.iso.date()])

/** A rule of text by its name, under which the console finds it too. */
export const textRule = (rule: TextRuleName) => z.refine<string>(TEXT_RULES[rule].holds, { params: { rule } })

export const textValue = (maximumLength: number) => z.string().max(maximumLength).check(textRule('keepable'))

/** Text without the blanks around it; it may be empty. */
export const trimmedValue = (maximumLength: number) => textValue(maximumLength).overwrite(tidied)

/** Text of one line, such as an address; it may be empty. */
export const lineValue = (maximumLength: number) => trimmedValue(maximumLength).check(textRule('oneLine'))

/** What something is called: one line in which there is something to see. */
export const nameValue = (maximumLength: number) => lineValue(maximumLength).min(1)

/** A label of a device, as people write it (domain/devices/tags.ts). */
export const tagValue = nameValue(LONGEST_SENT_TAG).check(textRule('tag'))
/** One to look for; empty: none. */
export const tagOrNoneValue = lineValue(LONGEST_SENT_TAG).check(textRule('tag')).default('')
/** Of one device. More than it may have are read, so that the sentence about them says how many they are. */
export const tagsValue = z.array(tagValue).max(2 * MOST_TAGS)

/** Of devices: `2.4.1`, `before-2.4.1`, `unknown` (domain/releases/versionFilter.ts). */
export const versionFilterValue = textValue(100).check(textRule('versionFilter'))

/** Four dotted octets, or empty (rules/calls 14); it is pasted with blanks around it often enough. */
export const ipAddressValue = z.string().max(40).overwrite(tidied).check(textRule('ipAddress'))

/** Fields that nothing ever shows: a password, as it is sent. */
export const SECRETS = z.registry()

/** 256 random bits. Whose is for what, and until when, the server knows. */
export const challengeValue = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
/** Six digits of an authenticator app, or a recovery code; spaces and hyphens are of no account. */
export const codeValue = textValue(40).min(1).register(SECRETS)

export const namedValue = z.object({ id: z.number().int(), name: z.string() })

/** Counted over all devices, so wider than 32 bits; always exact in JSON. */
const wideIdOf = <Id extends number>() =>
  z.number().int().positive().max(Number.MAX_SAFE_INTEGER) as unknown as z.ZodType<Id, Id>

export const alertIdValue = wideIdOf<AlertId>()
export const incidentIdValue = wideIdOf<IncidentId>()

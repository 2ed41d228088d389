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

/** Several calls share these values. Ids are 32-bit, because that is what the database keeps. */
const idOf = <Id extends number>() => z.int32().positive() as unknown as z.ZodType<Id, Id>

export const deviceIdValue = idOf<DeviceId>()
export const customerIdValue = idOf<CustomerId>()
export const countryIdValue = idOf<CountryId>()
export const userIdValue = idOf<UserId>()
export const roleIdValue = idOf<RoleId>()
export const deviceModelIdValue = idOf<DeviceModelId>()
export const fieldIdValue = idOf<FieldId>()

export const deviceGuidValue = z.guid().toLowerCase() as unknown as z.ZodType<DeviceGuid, DeviceGuid>

export const ANY_CUSTOMER = -1

/** A filter that is absent, -1 or empty selects everything that the caller may see (rules/calls 9). */
export const customerFilterValue = z.union([z.literal(ANY_CUSTOMER), z.int32().positive()]) as unknown as z.ZodType<
  CustomerId | typeof ANY_CUSTOMER,
  CustomerId | typeof ANY_CUSTOMER
>

/** A moment is ISO 8601 in UTC, with a year that the database can hold. */
export const momentValue = z.iso.datetime({ offset: false })

/** A moment in a filter is ISO 8601 in UTC, or a date alone, which is its midnight in UTC. */
export const instantValue = z.union([z.iso.datetime({ offset: false }), z.iso.date()])

/** A text rule carries its name, under which the console finds it too. */
export const textRule = (rule: TextRuleName) => z.refine<string>(TEXT_RULES[rule].holds, { params: { rule } })

export const textValue = (maximumLength: number) => z.string().max(maximumLength).check(textRule('keepable'))

/** The text is stored without the blanks around it and may be empty. */
export const trimmedValue = (maximumLength: number) => textValue(maximumLength).overwrite(tidied)

/** The text has one line, such as an address, and may be empty. */
export const lineValue = (maximumLength: number) => trimmedValue(maximumLength).check(textRule('oneLine'))

/** A name is one line with at least one visible character. */
export const nameValue = (maximumLength: number) => lineValue(maximumLength).min(1)

export const tagValue = nameValue(LONGEST_SENT_TAG).check(textRule('tag'))
/** A filter names one tag; empty means none. */
export const tagOrNoneValue = lineValue(LONGEST_SENT_TAG).check(textRule('tag')).default('')
/** The tags of one device. More than it may have are read, so that the refusal can say how many they are. */
export const tagsValue = z.array(tagValue).max(2 * MOST_TAGS)

/** Selects devices by client version: `2.4.1`, `before-2.4.1`, `unknown` (domain/releases/versionFilter.ts). */
export const versionFilterValue = textValue(100).check(textRule('versionFilter'))

/** An address is four dotted octets, or empty (rules/calls 14); people often paste it with blanks around it. */
export const ipAddressValue = z.string().max(40).overwrite(tidied).check(textRule('ipAddress'))

/** These fields are never shown to anybody, such as a password in a request. */
export const SECRETS = z.registry()

/** A challenge holds 256 random bits. The server knows whose it is, what it is for and when it expires. */
export const challengeValue = z.string().regex(/^[A-Za-z0-9_-]{43}$/)
/** A code is six digits of an authenticator app, or a recovery code; spaces and hyphens are ignored. */
export const codeValue = textValue(40).min(1).register(SECRETS)

export const namedValue = z.object({ id: z.number().int(), name: z.string() })

/** These ids are counted over all devices, so they are wider than 32 bits, but always exact in JSON. */
const wideIdOf = <Id extends number>() =>
  z.number().int().positive().max(Number.MAX_SAFE_INTEGER) as unknown as z.ZodType<Id, Id>

export const alertIdValue = wideIdOf<AlertId>()
export const incidentIdValue = wideIdOf<IncidentId>()

import { z } from 'zod'
import { AUDIT_ENTITIES, call } from '#contract/call/call.ts'
import { lookupCall } from '#contract/call/lookupCall.ts'
import { instantValue, momentValue, textValue, userIdValue } from '#contract/call/values.ts'

/** These fields hold the number of a customer, a role or a user. */
export const NAMED_FIELDS = ['customerId', 'roleId', 'ownerId'] as const
export type NamedField = (typeof NAMED_FIELDS)[number]

/**
 * The result of a change of settings: it waits for the device to connect or to answer, the device applied or refused
 * it, or a newer change replaced it before the answer.
 */
export const SETTING_OUTCOMES = ['queued', 'unanswered', 'applied', 'refused', 'replaced'] as const
export type SettingOutcome = (typeof SETTING_OUTCOMES)[number]

/** An entry of the audit log, with what the details view shows. */
export const auditEntry = z.object({
  id: z.number().int(),
  inserted: momentValue,
  actionId: z.number().int(),
  actionName: z.string(),
  entityTypeId: z.number().int(),
  entityTypeName: z.string(),
  entityId: z.number().int().nullable(),
  entityName: z.string(),
  /** The page of the device that the entry is about; null where the caller does not see it now, and for all else. */
  deviceGuid: z.guid().nullable(),
  /** Null when nobody was signed in, and for authors outside the caller's scope. */
  userId: userIdValue.nullable(),
  /** "Staff" stands for authors outside the caller's scope. */
  username: z.string(),
  details: z.string(),
  /** The word `done`, or the code of the refusal. */
  outcome: z.string(),
  /** The result at the device, for a change of settings that was accepted; null for everything else. */
  settingOutcome: z.enum(SETTING_OUTCOMES).nullable(),
  /** The network address of the author's request; empty for authors outside the caller's scope. */
  address: z.string(),
  /** The call, or the command, that made the change. */
  call: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** The names of the numbers in `before` and `after`; null when deleted, absent outside the caller's scope. */
  names: z.array(z.object({ field: z.enum(NAMED_FIELDS), id: z.number().int(), name: z.string().nullable() })),
  /** The entries that one bulk action left by one call share this id. */
  bulkId: z.guid().nullable(),
  /** The entry stands for this part of its bulk action when `folds` was asked for. */
  fold: z
    .object({
      entries: z.number().int(),
      /** The number of different entities, each of which is counted once below, by its worst result. */
      things: z.number().int(),
      /** Done or, for settings, applied by the device. */
      done: z.number().int(),
      /** Settings that are sent to the device when it connects. */
      queued: z.number().int(),
      /** Settings that were sent and have no answer yet. */
      unanswered: z.number().int(),
      /** Settings that a newer change replaced before the device answered. */
      replaced: z.number().int(),
      /** Refused by the server or by the device. */
      refused: z.number().int(),
      first: momentValue,
      last: momentValue,
    })
    .nullable(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const auditPage = z.object({
  rows: z.array(auditEntry),
  total: z.number().int().nullable(),
  /** The key of the next page; null on the last one. */
  next: z.string().nullable(),
})

export const AUDIT_PAGE_SIZE = 50

export const auditFilter = z.strictObject({
  /** The number of the first row, from 1; beyond row 10,000 only `next` leads on. */
  rowNum: z.int32().min(1).nullish(),
  pageSize: z.int32().min(1).max(500).nullish(),
  next: textValue(200).nullish(),
  /** Both ends are part of the period. */
  dateFrom: instantValue.nullish(),
  dateTo: instantValue.nullish(),
  actionId: z.int32().nullish(),
  entityTypeId: z.int32().nullish(),
  /** Matches text within the entity's name, ignoring case. */
  entityName: textValue(200).nullish(),
  userId: z.int32().nullish(),
  /** Matches text within the details, ignoring case. */
  details: textValue(200).nullish(),
  /** Finds changes of fields and settings that are called so, such as `brightness`, and texts within the details. */
  changed: textValue(200).nullish(),
  entityId: z.int32().nullish(),
  bulkId: z.guid().nullish(),
  /** If true, only what other users than the caller changed or commanded: no sign-ins, downloads or refusals. */
  byOthers: z.boolean().nullish(),
  /** If true, the newest entry of a bulk action stands for all of its entries that the filter finds. */
  folds: z.boolean().nullish(),
})

export const listAudit = call({
  method: 'POST',
  path: 'Audit/GetAuditLogList',
  summary: 'Who did what, newest first: the 50 newest, or a page when rowNum, pageSize or next is given.',
  permission: 'deviceManager',
  shows: AUDIT_ENTITIES.map(({ name }) => name),
  body: auditFilter,
  answer: z.union([z.array(auditEntry), auditPage]),
  errors: ['page_too_deep'],
})

export const listAuditActions = lookupCall('Audit/GetActionList', 'What the audit log calls the things that people do.')
export const listAuditEntityTypes = lookupCall(
  'Audit/GetEntityTypeList',
  'Kinds of things that the audit log is about.',
)

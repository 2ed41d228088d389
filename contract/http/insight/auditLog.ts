import { z } from 'zod'
import { AUDIT_ENTITIES, call, nothing } from '#contract/call/call.ts'
import { instantValue, momentValue, namedValue, textValue, userIdValue } from '#contract/call/values.ts'

/** Fields that hold the number of a customer, a role or a user. */
export const NAMED_FIELDS = ['customerId', 'roleId', 'ownerId'] as const
export type NamedField = (typeof NAMED_FIELDS)[number]

/**
 * What became of a change of settings: waits for the device to connect, or for its answer; applied or refused by it; replaced
 * by a newer change before it was answered.
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
  /** Null when nobody was signed in, and for authors outside one's scope. */
  userId: userIdValue.nullable(),
  /** "Staff" for authors outside one's scope. */
  username: z.string(),
  details: z.string(),
  /** `done`, or the code of the refusal. */
  outcome: z.string(),
  /** What became of it at the device, of a change of settings that was done; null of everything else. */
  settingOutcome: z.enum(SETTING_OUTCOMES).nullable(),
  /** Where the author's request came from; empty for authors outside one's scope. */
  address: z.string(),
  /** The call, or the command, by which it was done. */
  call: z.string(),
  /** What was changed, from and to; null where it is neither. */
  before: z.unknown(),
  after: z.unknown(),
  /** Who and what the numbers in these fields of `before` and `after` are; null: removed. Absent outside one's scope. */
  names: z.array(z.object({ field: z.enum(NAMED_FIELDS), id: z.number().int(), name: z.string().nullable() })),
  /** Shared by the entries that one bulk action of one user left with one call. */
  bulkId: z.guid().nullable(),
  /** Asked with `folds`, of an entry that stands for more than itself: what the filter and the scope leave of its bulk action. */
  fold: z
    .object({
      entries: z.number().int(),
      /** Different ones that they are about, each of which is counted once below, by the worst that came of it. */
      things: z.number().int(),
      /** Done; of settings, applied by the device. */
      done: z.number().int(),
      /** Settings that go to the device when it connects. */
      queued: z.number().int(),
      /** Settings that are kept and were sent, without an answer yet. */
      unanswered: z.number().int(),
      /** Settings that a newer change took the place of before the device answered. */
      replaced: z.number().int(),
      /** By the server, or by the device. */
      refused: z.number().int(),
      first: momentValue,
      last: momentValue,
    })
    .nullable(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const auditPage = z.object({
  rows: z.array(auditEntry),
  /** Null beyond 10,000. */
  total: z.number().int().nullable(),
  /** Key of the page after this one; null on the last. */
  next: z.string().nullable(),
})

export const AUDIT_PAGE_SIZE = 50

export const auditFilter = z.strictObject({
  /** 1-based first row; beyond row 10,000 `next` leads on. */
  rowNum: z.int32().min(1).nullish(),
  pageSize: z.int32().min(1).max(500).nullish(),
  next: textValue(200).nullish(),
  /** Both ends belong to the period. */
  dateFrom: instantValue.nullish(),
  dateTo: instantValue.nullish(),
  actionId: z.int32().nullish(),
  entityTypeId: z.int32().nullish(),
  /** Contained in the entity's name, whatever the case. */
  entityName: textValue(200).nullish(),
  userId: z.int32().nullish(),
  /** Contained in the details, whatever the case. */
  details: textValue(200).nullish(),
  entityId: z.int32().nullish(),
  bulkId: z.guid().nullish(),
  /** The newest entry of a bulk action stands for all of its entries that the filter finds. */
  folds: z.boolean().nullish(),
})

export const listAudit = call({
  method: 'POST',
  path: 'Audit/GetAuditLogList',
  summary: 'Who did what, newest first: the 50 newest, or a page when rowNum, pageSize or next is given.',
  permission: 'deviceManager',
  shows: AUDIT_ENTITIES.map(({ name }) => name),
  query: nothing,
  body: auditFilter,
  answer: z.union([z.array(auditEntry), auditPage]),
  errors: ['page_too_deep'],
})

const words = (path: string, summary: string) =>
  call({
    method: 'GET',
    path,
    summary,
    permission: 'signedIn',
    shows: [],
    query: nothing,
    body: nothing,
    answer: z.array(namedValue),
    errors: [],
  })

export const listAuditActions = words('Audit/GetActionList', 'What the audit log calls the things that people do.')
export const listAuditEntityTypes = words('Audit/GetEntityTypeList', 'Kinds of things that the audit log is about.')
